// Builds at first need what `npm ci --ignore-scripts` leaves out: the package itself and, with `--native`, the modules that
// only the tests need compiled. Each step says what it makes and how long it took; what is there already costs nothing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
/** Each module compiles in its install script; the call loads its binary. */
const NATIVE = {
  'better-sqlite3': (module) => new module(':memory:').close(),
  'hnswlib-node': (module) => new module.L2Space(1),
};

function run(name, command, args) {
  console.log(`${name} …`);
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 1 << 28,
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (status === 0) console.log(`${name}: ${seconds} s`);
  else console.error(`${name}: failed after ${seconds} s\n${stdout}${stderr}`);
  return status === 0;
}

function loads(name) {
  try {
    NATIVE[name](require(name));
    return true;
  } catch {
    return false;
  }
}

const missing = process.argv.includes('--native') ? Object.keys(NATIVE).filter((name) => !loads(name)) : [];
for (const name of missing) {
  if (!run(`compiling ${name}`, 'npm', ['rebuild', '--foreground-scripts', '--ignore-scripts=false', name]))
    process.exit(1);
}
if (!existsSync(`${ROOT}/dist/cli/main.js`) && !run('building perturbql', 'npm', ['run', 'build'])) process.exit(1);
if (process.argv.includes('--native') && !existsSync(`${ROOT}/data/wdc-index/hnsw.json`))
  run('building the graph of the starter index', 'node', ['scripts/build-graph.mjs']);
