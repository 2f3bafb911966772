// Exports the examples for each training and evaluation framework, installs the framework from its registry, and has its
// own loader, runner and scorer judge the gold as prediction (all right) and another query (all wrong).
//   node scripts/check-loops.mjs [verl nemo-gym verifiers omnisql lm-eval inspect promptfoo] [--envs DIR]
// `--envs` keeps what is installed (about 6 GB) and uses it again. verl takes the CPU build of torch where pip finds one
// (its index in PIP_EXTRA_INDEX_URL, or the wheel by PIP_FIND_LINKS). Needs a build and dist-bench
// (`npm run check:loops` makes both). Writes docs/figures/loops.json where all are checked; exits with 1 where one fails.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { emptyProject, nodeOf, npm, run, temporaryFolder } from './packed-package.mjs';
import { findPythons } from './pythons.mjs';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const BINARY = join(PROJECT, 'dist/cli/main.js');
const PROMPTFOO = '0.123.1';
/** Those of which there are no wheels. */
const SOURCES = ['antlr4-python3-runtime', 'rouge-score', 'sqlitedict', 'word2number'];

/** A script in Python for each, the packages it needs, and the versions of Python (3.x) that these run on. */
const PYTHON_LOOPS = {
  verl: { packages: ['torch==2.13.0', 'verl==0.9.1'], pythons: [11, 12, 10] },
  'nemo-gym': { packages: ['nemo-gym==0.4.0'], pythons: [12, 13] },
  verifiers: { packages: ['verifiers==0.4.0', 'hatchling', 'editables'], pythons: [12, 13, 11] },
  omnisql: { packages: [], pythons: [12, 13, 11, 10] },
  'lm-eval': { packages: ['lm-eval==0.4.13'], pythons: [12, 13, 11, 10] },
  inspect: { packages: ['inspect-ai==0.3.285'], pythons: [12, 13, 11] },
};
const LOOPS = [...Object.keys(PYTHON_LOOPS), 'promptfoo'];

const { values, positionals } = parseArgs({ options: { envs: { type: 'string' } }, allowPositionals: true });
const wanted = positionals.length > 0 ? positionals : LOOPS;
const folder = temporaryFolder();
const envs = values.envs === undefined ? join(folder, 'envs') : resolve(values.envs);
const RUN = join(folder, 'RUN');
mkdirSync(envs, { recursive: true });
// As where perturbql is installed: modules of the run find it.
mkdirSync(join(folder, 'node_modules'));
symlinkSync(PROJECT, join(folder, 'node_modules/perturbql'), 'dir');

function exportAll() {
  const on = (name) => join(PROJECT, 'examples', name);
  const inputs = ['--tables', on('tables.json'), '--examples', on('dev.json'), '--databases', on('database')];
  const exports = LOOPS.flatMap((name) => ['--export', name]);
  run(
    process.execPath,
    [BINARY, 'augment', ...inputs, '--recipe', 'random', ...exports, '--out', RUN, '--quiet'],
    folder,
  );
}

/** The Python of an environment with packages, made where it is not there yet. */
function environmentOf(name, { packages, pythons }) {
  const place = join(envs, name);
  const python = join(place, 'bin/python');
  const installed = join(place, 'installed');
  if (existsSync(installed)) return python;
  const found = findPythons();
  const base = pythons.map((minor) => found.get(minor)).find((path) => path !== undefined);
  if (base === undefined) throw new Error(`none of Python ${pythons.map((minor) => `3.${minor}`).join(', ')} is here`);
  rmSync(place, { recursive: true, force: true });
  run(base, ['-m', 'venv', place], folder);
  const binaries = ['--only-binary', ':all:', '--no-binary', SOURCES.join(',')];
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...binaries];
  if (packages.length > 0) run(python, [...install, ...packages], folder);
  mkdirSync(installed);
  return python;
}

function checkPython(name) {
  const python = environmentOf(name, PYTHON_LOOPS[name]);
  if (name === 'verifiers') {
    const install = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-build-isolation', '--no-index', '-e'];
    run(python, [...install, join(RUN, name)], folder);
  }
  const scripts = join(PROJECT, 'scripts/loops');
  const path = [join(PROJECT, 'python/src'), scripts].join(':');
  const cache = { HF_HOME: join(folder, 'hub'), HF_HUB_OFFLINE: '1', PYTHONDONTWRITEBYTECODE: '1' };
  const script = join(scripts, `check_${name.replace('-', '_')}.py`);
  const { output } = run(python, [script, RUN], folder, { ...process.env, ...cache, PYTHONPATH: path });
  return JSON.parse(output.trim().split('\n').at(-1));
}

function installPromptfoo() {
  const place = join(envs, 'promptfoo');
  if (existsSync(join(place, 'node_modules/promptfoo'))) return place;
  rmSync(place, { recursive: true, force: true });
  emptyProject(envs, 'promptfoo');
  const { platform, arch } = process;
  const install = ['install', '--ignore-scripts', '--omit=optional'];
  npm([...install, `promptfoo@${PROMPTFOO}`], place);
  // Its database driver is optional in name only.
  const driver = JSON.parse(readFileSync(join(place, 'node_modules/libsql/package.json'), 'utf8')).version;
  npm([...install, `@libsql/${platform}-${arch}${platform === 'linux' ? '-gnu' : ''}@${driver}`], place);
  return place;
}

function checkPromptfoo() {
  const place = installPromptfoo();
  const node = nodeOf('22', folder);
  const program = join(place, 'node_modules/promptfoo/dist/src/entrypoint.js');
  const off = { PROMPTFOO_DISABLE_TELEMETRY: '1', PROMPTFOO_DISABLE_UPDATE: '1' };
  const config = join(RUN, 'promptfoo/promptfooconfig.yaml');
  const provider = `file://${join(PROJECT, 'scripts/loops/promptfoo-provider.mjs')}`;
  const meanOf = (says) => {
    const out = join(folder, `${says}.json`);
    const env = { ...process.env, ...off, PROMPTFOO_CONFIG_DIR: join(folder, 'promptfoo'), PERTURBQL_SAYS: says };
    // Tests that fail are what the second run is for.
    const passing = { PROMPTFOO_FAILED_TEST_EXIT_CODE: '0', PATH: `${dirname(node)}:${process.env.PATH}` };
    const args = ['eval', '-c', config, '--providers', provider, '--no-cache', '--no-table', '-o', out];
    run(node, [program, ...args], folder, { ...env, ...passing });
    const { results } = JSON.parse(readFileSync(out, 'utf8')).results;
    return { questions: results.length, mean: results.reduce((sum, { score }) => sum + score, 0) / results.length };
  };
  const gold = meanOf('gold');
  return { version: PROMPTFOO, questions: gold.questions, gold: gold.mean, wrong: meanOf('wrong').mean };
}

exportAll();
const rows = {};
let failed = 0;
for (const name of wanted) {
  try {
    const row = name === 'promptfoo' ? checkPromptfoo() : checkPython(name);
    rows[name] = { export: name, ...row };
    if (row.questions === 0 || row.gold !== 1 || row.wrong !== 0) throw new Error(`scores are ${JSON.stringify(row)}`);
    console.log(`${name} ${row.version}: ${row.questions} questions, gold ${row.gold}, wrong ${row.wrong}`);
  } catch (error) {
    failed++;
    console.error(`${name}: ${error.message}`);
  }
}
console.log(`${wanted.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
if (failed === 0 && wanted === LOOPS) {
  const { writeFigures } = await import(new URL('../dist-bench/bench/bench-figures.js', import.meta.url).href);
  writeFigures(PROJECT, 'npm run check:loops', {
    id: 'loops',
    title: 'Exports in the frameworks that load them',
    about:
      'Each export of the packaged examples, loaded, run and scored by the framework’s own package: mean reward with the gold as prediction, and with another query. OmniSQL’s scripts are no package: the answers to train on are judged.',
    columns: {
      export: { head: 'export' },
      version: { head: 'version' },
      questions: { head: 'questions' },
      gold: { head: 'gold', decimals: 1 },
      wrong: { head: 'wrong', decimals: 1 },
    },
    rows,
  });
}
