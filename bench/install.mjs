// A cold install and the demo in a bare Debian: npm run bench:install. Needs a build and root (`scripts/debian-root.mjs`).
// The system has Node and npm and no compiler; the demo runs without a network.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { makeDebian, runInside } from '../scripts/debian-root.mjs';
import { megabytesOf, pack, temporaryFolder } from '../scripts/packed-package.mjs';
import { writeFigures } from '../dist-bench/bench/bench-figures.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Versions of Node, the oldest and the current line unless others are given. */
const VERSIONS = process.argv.length > 2 ? process.argv.slice(2) : ['20', '24'];
const COMPILERS = 'for tool in cc gcc g++ clang make python3; do command -v $tool; done || true';

/** A command in ~/work: wall seconds, and those of all its processes on the CPU. */
function timed(root, command, options) {
  const { output, seconds } = runInside(root, `mkdir -p ~/work && cd ~/work && ${command}\ntimes`, options);
  const [minutes, rest] = [...(output.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    ([m, s], [, min, sec]) => [m + Number(min), s + Number(sec)],
    [0, 0],
  );
  return { seconds, cpu: 60 * minutes + rest };
}

/** One install into a home that is empty, caches included. */
function measure(version, folder, { tarball, megabytes }) {
  const root = join(folder, `debian-${version}`);
  makeDebian(root, version, folder);
  const compilers = runInside(root, COMPILERS).output.trim();
  if (compilers !== '') throw new Error(`the system is not bare: ${compilers}`);
  const home = join(root, 'home/node');
  cpSync(tarball, join(root, 'tmp/perturbql.tgz'));
  const install = timed(
    root,
    'echo {} > package.json && npm install --ignore-scripts --no-audit --no-fund /tmp/perturbql.tgz',
  );
  const packages = join(home, 'work/node_modules');
  // npm's cache holds what it downloaded, as it came, and a copy of the tarball.
  const downloaded = megabytesOf(join(home, '.npm/_cacache/content-v2'));
  const demo = timed(root, 'npx perturbql demo --out RUN && test -s RUN/report.html', { offline: true });
  const row = {
    node: runInside(root, 'node -v').output.trim().slice(1),
    install: install.seconds,
    installCpu: install.cpu,
    demo: demo.seconds,
    demoCpu: demo.cpu,
    tarball: megabytes,
    downloaded: Math.max(0, downloaded - megabytes),
    installed: megabytesOf(packages),
    runtime: megabytesOf(join(packages, 'onnxruntime-node')),
    own: megabytesOf(join(packages, 'perturbql')),
    written: megabytesOf(home),
  };
  rmSync(root, { recursive: true });
  return row;
}

const folder = temporaryFolder();
const packed = pack(folder);
const rows = Object.fromEntries(VERSIONS.map((version) => [`node${version}`, measure(version, folder, packed)]));
console.table(rows);
const file = writeFigures(ROOT, 'npm run bench:install', {
  id: 'install',
  title: 'Cold install and demo',
  about:
    'The tarball installed by npm into an empty home in a bare Debian (`mmdebstrap`, Node and npm, no compiler, no Python), without scripts, then the demo without a network. ' +
    'Wall seconds count what else the machine did; CPU seconds are of all processes. MB are 10⁶ bytes; downloaded is what npm fetched from the registry, next to the tarball itself; written is all that lies in the home in the end, npm’s cache among it.',
  columns: {
    node: { head: 'Node' },
    install: { head: 'install s', decimals: 0 },
    installCpu: { head: 'CPU s', decimals: 0 },
    demo: { head: 'first demo s', decimals: 0 },
    demoCpu: { head: 'CPU s', decimals: 0 },
    tarball: { head: 'tarball MB', decimals: 1 },
    downloaded: { head: 'downloaded MB', decimals: 0 },
    installed: { head: 'installed MB', decimals: 0 },
    runtime: { head: 'of it onnxruntime-node', decimals: 0 },
    own: { head: 'of it perturbql', decimals: 0 },
    written: { head: 'written MB', decimals: 0 },
  },
  rows,
});
console.log(file);
