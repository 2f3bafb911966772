// What scripts share that pack perturbql and install it elsewhere.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

/** Whether modules in a folder would find packages that lie above it. */
function findsPackages(folder) {
  if (existsSync(join(folder, 'node_modules'))) return true;
  return folder !== dirname(folder) && findsPackages(dirname(folder));
}

/** A folder that is removed when the process ends, and from which only what is installed in it is found. */
export function temporaryFolder() {
  const place = [tmpdir(), '/var/tmp', homedir()].find(
    (path) => existsSync(path) && !findsPackages(realpathSync(path)),
  );
  if (place === undefined) throw new Error('above every temporary folder lie packages: set TMPDIR to one without');
  const folder = mkdtempSync(join(realpathSync(place), 'perturbql-package-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a program to its end; where it fails, its output is shown. */
export function run(command, args, cwd, env = process.env) {
  const started = performance.now();
  try {
    const options = { cwd, env, encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'pipe'] };
    const output = execFileSync(command, args, options);
    return { output, seconds: (performance.now() - started) / 1000 };
  } catch (error) {
    process.stderr.write(`${error.stdout ?? ''}${error.stderr ?? ''}`);
    throw new Error(`${[command, ...args].join(' ')} failed`, { cause: error });
  }
}

/** npm with nothing but faults in its output. */
export function npm(args, cwd, env = process.env) {
  const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_loglevel: 'error' };
  return run('npm', args, cwd, { ...env, ...quiet, npm_config_update_notifier: 'false' });
}

/** An empty folder that npm installs into. */
export function emptyProject(folder, name) {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'package.json'), '{ "private": true }');
  return path;
}

/** Packs the built checkout into a folder. */
export function pack(folder) {
  const { output } = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], PROJECT);
  const [{ filename, size }] = JSON.parse(output);
  return { tarball: join(folder, filename), megabytes: size / 1e6 };
}

/** The program of a version of Node: this one, or npm's package of it. */
export function nodeOf(version, folder) {
  if (process.versions.node.split('.')[0] === version) return process.execPath;
  const place = emptyProject(folder, `node-${version}`);
  npm(['install', `node@${version}`], place);
  return join(place, 'node_modules/node/bin/node');
}

/** The size of a file, or of all files below a folder, in MB (10^6 bytes). */
export function megabytesOf(path) {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size / 1e6;
  return readdirSync(path).reduce((sum, name) => sum + megabytesOf(join(path, name)), 0);
}
