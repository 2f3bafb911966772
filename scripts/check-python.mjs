// Packs perturbql, builds the wheel of `python/` for this platform, and uses it from clean environments: mypy, ruff and
// pytest on each version of Python given.
//   node scripts/check-python.mjs [PYTHON PYTHON …]      default: the oldest and the newest that are found, from 3.10 on
// Measures a cold install with the demo into docs/figures/install-pip.json. Needs a build and dist-bench
// (`npm run check:python` makes both). Exits with 1 at the first step that fails.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findPythons, minorOf } from './pythons.mjs';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = join(PROJECT, 'python');
const BINARIES_ONLY = ['--only-binary', ':all:'];

const folder = mkdtempSync(join(tmpdir(), 'perturbql-python-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function run(command, args, { cwd = folder, env = {} } = {}) {
  const started = performance.now();
  const options = { cwd, env: { ...process.env, ...env }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
  try {
    const output = execFileSync(command, args, { ...options, maxBuffer: 1 << 28 });
    return { output, seconds: (performance.now() - started) / 1000 };
  } catch (error) {
    process.stderr.write(`${error.stdout ?? ''}\n${command} ${args.join(' ')} failed\n`);
    process.exit(1);
  }
}

/** The oldest and the newest Python of this machine. */
function oldestAndNewest() {
  const pythons = [...findPythons().values()];
  if (pythons.length < 2) throw new Error('two versions of Python from 3.10 on are needed');
  return [pythons[0], pythons.at(-1)];
}

function bytesOf(path) {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

function venv(python, name) {
  const place = join(folder, name);
  run(python, ['-m', 'venv', place]);
  return join(place, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
}

const pip = (python, ...args) =>
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...args]);

function buildWheel(python) {
  const builder = venv(python, 'builder');
  pip(builder, 'build', 'hatchling');
  const { output } = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: PROJECT });
  const [{ filename }] = JSON.parse(output);
  run(builder, ['stage_javascript.py', join(folder, filename), `${process.platform}-${process.arch}`], {
    cwd: PACKAGE,
  });
  run(builder, ['-m', 'build', '--wheel', '--no-isolation', '--outdir', folder, '.'], { cwd: PACKAGE });
  const wheel = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.whl')),
  );
  console.log(`wheel: ${(bytesOf(wheel) / 1e6).toFixed(1)} MB`);
  return wheel;
}

/** A user's first minute: install with Node from the index, then the demo; nothing may be compiled. */
function measure(python, wheel) {
  const place = join(folder, 'cold');
  const user = venv(python, 'cold');
  const before = bytesOf(place);
  const downloads = join(folder, 'downloads');
  run(user, [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-cache-dir',
    ...BINARIES_ONLY,
    '-d',
    downloads,
    `${wheel}[node]`,
  ]);
  const installed = pip(user, '--no-cache-dir', ...BINARIES_ONLY, `${wheel}[node]`);
  const written = bytesOf(place) - before;
  // No Node but the one that was installed.
  const env = { PATH: '/usr/bin-without-node', PERTURBQL_CACHE: join(folder, 'cache') };
  const demo = run(user, ['-m', 'perturbql', 'demo', '--out', join(folder, 'RUN')], { env });
  if (!existsSync(join(folder, 'RUN/report.html'))) throw new Error('the demo wrote no report');
  const row = {
    python: `3.${minorOf(python)}`,
    wheel: bytesOf(wheel) / 1e6,
    downloaded: bytesOf(downloads) / 1e6,
    written: written / 1e6,
    install: installed.seconds,
    demo: demo.seconds,
  };
  console.log(row);
  rmSync(place, { recursive: true });
  return row;
}

function check(python, wheel) {
  const name = `3.${minorOf(python)}`;
  const user = venv(python, `python-${name}`);
  pip(user, ...BINARIES_ONLY, `${wheel}[node,datasets,pandas]`, 'pytest', 'mypy', 'ruff');
  const source = { cwd: PACKAGE };
  run(user, ['-m', 'mypy'], source);
  run(user, ['-m', 'ruff', 'check', '.'], source);
  run(user, ['-m', 'ruff', 'format', '--check', '.'], source);
  // Away from the sources, so that what is tested is what was installed.
  const place = join(folder, `tests-${name}`);
  mkdirSync(place);
  cpSync(join(PACKAGE, 'tests'), join(place, 'tests'), { recursive: true });
  const tested = run(user, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], { cwd: place });
  console.log(`Python ${name}: ${tested.output.trim().split('\n').at(-1)}`);
}

const pythons = process.argv.length > 2 ? process.argv.slice(2) : oldestAndNewest();
const wheel = buildWheel(pythons[0]);
const { writeFigures } = await import(new URL('../dist-bench/bench/bench-figures.js', import.meta.url).href);
writeFigures(PROJECT, 'npm run check:python', {
  id: 'install-pip',
  title: 'Installing with pip',
  about:
    'A wheel with Node from the package index (`perturbql[node]`) in a clean virtual environment without another Node and without pip’s cache, binaries only, then the demo for the first time. MB are millions of bytes: the wheel, all that is downloaded with it, all that is written.',
  columns: {
    python: { head: 'Python' },
    wheel: { head: 'wheel MB', decimals: 1 },
    downloaded: { head: 'downloaded MB', decimals: 1 },
    written: { head: 'written MB', decimals: 1 },
    install: { head: 'install s', decimals: 1 },
    demo: { head: 'demo s', decimals: 1 },
  },
  rows: { cold: measure(pythons.at(-1), wheel) },
});
for (const python of pythons) check(python, wheel);
