// Builds at first need what `npm ci --ignore-scripts` leaves out: the package itself and, with `--native`, the modules that
// only the tests need compiled. Each step says what it makes and how long it took; what is there already costs nothing.
import { spawn } from 'node:child_process';
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

/** Resolves to whether the command ended well; what it printed is shown where it did not. */
function run(name, command, args) {
  console.log(`${name} …`);
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = [];
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => output.push(text));
    child.on('error', (error) => output.push(`${error.message}\n`));
    child.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      if (code === 0) console.log(`${name}: ${seconds} s`);
      else console.error(`${name}: failed after ${seconds} s\n${output.join('')}`);
      resolve(code === 0);
    });
  });
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
