// Builds at first need what `npm ci --ignore-scripts` leaves out: the package itself and, with `--native`, the modules that
// only the tests need compiled. Each step says what it makes and how long it took; what is there already costs nothing.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runCaptured } from './run-captured.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
/** Each module compiles in its install script; the call loads its binary. */
const NATIVE = {
  'better-sqlite3': (module) => new module(':memory:').close(),
  'hnswlib-node': (module) => new module.L2Space(1),
};

/** Resolves to whether the command ended well; what it printed is shown where it did not. */
async function run(name, command, args) {
  console.log(`${name} …`);
  const { isDone, output, seconds } = await runCaptured(command, args);
  if (isDone) console.log(`${name}: ${seconds.toFixed(1)} s`);
  else console.error(`${name}: failed after ${seconds.toFixed(1)} s\n${output}`);
  return isDone;
}

function loads(name) {
  try {
    NATIVE[name](require(name));
    return true;
  } catch {
    return false;
  }
}

const compile = (name) =>
  run(`compiling ${name}`, 'npm', ['rebuild', '--foreground-scripts', '--ignore-scripts=false', name]);

const isNative = process.argv.includes('--native');
const missing = isNative ? Object.keys(NATIVE).filter((name) => !loads(name)) : [];
const isBuilt = existsSync(`${ROOT}/dist/cli/main.js`);
// A compiler takes a core for a minute; the build is done beside it.
const done = await Promise.all([
  ...missing.map(compile),
  ...(isBuilt ? [] : [run('building perturbql', 'npm', ['run', 'build'])]),
]);
if (!done.every(Boolean)) process.exit(1);
if (isNative && !existsSync(`${ROOT}/data/wdc-index/hnsw.json`))
  await run('building the graph of the starter index', 'node', ['scripts/build-graph.mjs']);
