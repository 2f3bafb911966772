// A bare Debian in a folder: Debian's packages, Node and npm, a user `node`, and neither compiler nor Python. As root;
// mmdebstrap is installed by apt-get where it is missing and may be.
import { copyFileSync, cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { nodeOf, run } from './packed-package.mjs';

const SUITE = 'bookworm';
/** Of this machine, where a network has its own certificates. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Installs a program of Debian's where it is missing. */
export function needProgram(name) {
  if (process.getuid?.() !== 0) throw new Error('this needs root: it makes the root folder of a system');
  const has = ['/usr/bin', '/usr/sbin'].some((folder) => existsSync(join(folder, name)));
  if (!has) run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '--no-install-recommends', name], '/');
}

/** Makes the system in `root`, with a version of Node; `folder` is for what is needed on the way. */
export function makeDebian(root, version, folder) {
  needProgram('mmdebstrap');
  const packages = '--include=ca-certificates,libstdc++6';
  run('mmdebstrap', ['--variant=minbase', '--mode=root', packages, '--format=directory', SUITE, root], folder);
  const npm = join(run('npm', ['root', '-g'], folder).output.trim(), 'npm');
  copyFileSync(nodeOf(version, folder), join(root, 'usr/local/bin/node'));
  mkdirSync(join(root, 'usr/local/lib/node_modules'), { recursive: true });
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/local/bin', name));
  run('chroot', [root, 'useradd', '--uid', '1000', '--create-home', 'node'], folder);
  if (existsSync(CERTIFICATES)) copyFileSync(CERTIFICATES, join(root, CERTIFICATES));
}

/** Runs a shell script inside as the user `node`, with nothing of this machine's environment; offline: without a network. */
export function runInside(root, script, { offline = false, env = {} } = {}) {
  const inside = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: '/home/node',
    NODE_EXTRA_CA_CERTS: CERTIFICATES,
    ...env,
  };
  const words = Object.entries(inside).map(([name, value]) => `${name}=${value}`);
  const command = ['chroot', '--userspec=node', root, 'env', '-i', ...words, 'sh', '-euc', script];
  const [program, ...args] = offline ? ['unshare', '--net', ...command] : command;
  return run(program, args, '/');
}
