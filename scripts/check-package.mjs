// Packs perturbql, installs the tarball into an empty folder without running any package's scripts, and uses it as a user
// would: doctor, demo, evaluate and a library example. Once per version of Node given (npm's `node` package has them):
//   node scripts/check-package.mjs [20 22 24 26]
// Needs a build. Says for each how long it took and how much was installed; exits with 1 at the first that fails.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const MAX_PACKED_MB = 60;
const PUBLINT = '0.3.25';
const ATTW = '0.18.5';
const MAX_DEMO_SECONDS = Number(process.env.PERTURBQL_DEMO_SECONDS ?? 30);

const folder = mkdtempSync(join(tmpdir(), 'perturbql-package-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function run(command, args, cwd, env = process.env) {
  const started = performance.now();
  const output = execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return { output, seconds: (performance.now() - started) / 1000 };
}

function emptyProject(name) {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'package.json'), '{ "private": true }');
  return path;
}

const npm = (args, cwd) => run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], cwd);

function megabytesOf(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size / 1e6;
  return readdirSync(path).reduce((sum, name) => sum + megabytesOf(join(path, name)), 0);
}

function pack() {
  const { output } = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], PROJECT);
  const [{ filename, size }] = JSON.parse(output);
  const megabytes = size / 1e6;
  console.log(`packed ${megabytes.toFixed(1)} MB`);
  if (megabytes > MAX_PACKED_MB) throw new Error(`the tarball is over ${MAX_PACKED_MB} MB`);
  return join(folder, filename);
}

/** What the package says of itself, by the tools that packages are checked with. */
function lint(tarball) {
  npm(['exec', '--yes', '--', `publint@${PUBLINT}`, 'run', tarball, '--strict'], folder);
  npm(['exec', '--yes', '--', `@arethetypeswrong/cli@${ATTW}`, tarball, '--profile', 'esm-only'], folder);
  console.log('exports and types: no fault found');
}

/** The program of a version of Node: this one, or npm's package of it. */
function nodeOf(version) {
  if (process.versions.node.split('.')[0] === version) return process.execPath;
  const place = emptyProject(`node-${version}`);
  npm(['install', `node@${version}`], place);
  return join(place, 'node_modules/node/bin/node');
}

function check(version, tarball) {
  const node = nodeOf(version);
  const place = emptyProject(`user-${version}`);
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
    PERTURBQL_CACHE: join(place, 'cache'),
  };
  const installed = run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball], place, env);
  const cli = (...args) => run(node, [join(place, 'node_modules/perturbql/dist/cli/main.js'), ...args], place, env);

  const doctor = cli('doctor').output;
  const examples = join(place, 'examples');
  cpSync(join(place, 'node_modules/perturbql/examples'), examples, { recursive: true });
  const demo = cli('demo', '--out', 'RUN');
  if (!existsSync(join(place, 'RUN/report.html'))) throw new Error('the demo wrote no report');
  const on = (name) => join(examples, name);
  const data = ['--tables', on('tables.json'), '--databases', on('database')];
  cli('evaluate', '--gold', on('gold.sql'), '--predictions', on('pred.sql'), ...data);
  for (const program of ['library.mjs', 'doors/sql.mjs', 'doors/suite.mjs']) run(node, [on(program)], place, env);

  const driver = /sqlite +(.*)/.exec(doctor)?.[1];
  const size = megabytesOf(join(place, 'node_modules')).toFixed(0);
  console.log(
    `Node ${version}: installed ${size} MB in ${installed.seconds.toFixed(0)} s, demo ${demo.seconds.toFixed(0)} s; ${driver}`,
  );
  if (demo.seconds > MAX_DEMO_SECONDS) throw new Error(`the demo took over ${MAX_DEMO_SECONDS} s on Node ${version}`);
  rmSync(place, { recursive: true });
}

const tarball = pack();
lint(tarball);
for (const version of process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24', '26'])
  check(version, tarball);
