// Runs a suite build, or `augment` of a part of Spider train, in shards as docs/shards.md says for each scheduler that is
// here, kills shards while they work, and compares the merged bytes with those of a run in one piece:
//   node scripts/check-engines.mjs [--spider DIR [--every N [--runs DIR]]] [slurm parallel ray kubernetes]
// --runs is the folder of bench:shards with the same --every: its examples, and its run in one piece instead of another.
// Needs a build. Slurm (slurm-wlm, munge; started here on this machine alone, as root) and GNU parallel from Debian;
// for ray and for the schema of Kubernetes, a python3 whose pip installs. What is absent is said and counts as a failure
// where it was named. The last line is "N passed, N failed".
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, hostname, tmpdir } from 'node:os';
import { delimiter, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { shardRecipe } from './shard-recipes.mjs';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const BINARY = join(PROJECT, 'dist/cli/main.js');
const { values: given, positionals } = parseArgs({
  options: { spider: { type: 'string' }, every: { type: 'string', default: '16' }, runs: { type: 'string' } },
  allowPositionals: true,
});
/** Of Spider train, every so many-th database is taken. */
const EVERY = Number(given.every);
const SHARDS = given.spider === undefined ? 3 : 8;
const KILLS = 3;
/** Milliseconds from one kill to the next at most: the more there is to do, the longer. */
const MOST_WAIT = Math.max(1500, 24_000 / EVERY);
/** How long the work took is in no two runs the same; where inputs are, seen from the run, not in runs of other folders. */
const LEFT_OUT = ['timing.json', ...(given.runs === undefined ? [] : ['inputs.json'])];

const folder = mkdtempSync(join(tmpdir(), 'perturbql-engines-'));

/** Examples of every so many-th database that is there. */
function takePart(file) {
  const all = JSON.parse(readFileSync(file, 'utf8'));
  const isThere = (id) => existsSync(resolve(given.spider, 'database', id, `${id}.sqlite`));
  const ids = new Set(
    [...new Set(all.map((example) => example.db_id))].filter(isThere).filter((_, i) => i % EVERY === 0),
  );
  const part = join(folder, 'train.json');
  writeFileSync(part, JSON.stringify(all.filter((example) => ids.has(example.db_id))));
  return part;
}

const { spider, runs } = given;
if (runs !== undefined && spider === undefined) throw new Error('--runs is of a part of Spider: give --spider, too');
const INPUTS =
  spider === undefined
    ? ['tables.json', 'dev.json', 'database'].map((name) => join(PROJECT, 'examples', name))
    : [
        resolve(spider, 'tables.json'),
        runs === undefined ? takePart(resolve(spider, 'train.json')) : resolve(runs, 'train.json'),
        resolve(spider, 'database'),
      ];
const DATA = ['--tables', '--examples', '--databases'].flatMap((option, i) => [option, INPUTS[i]]);
/** Long enough that shards are killed while they work. */
const COMMAND =
  spider === undefined
    ? ['suite', 'build', '--random-databases', '150', '--jobs', '1']
    : ['augment', '--paper', '--jobs', '1'];

const cleanups = [() => rmSync(folder, { recursive: true, force: true })];
process.on('exit', () => cleanups.reverse().forEach((clean) => clean()));

const isHere = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

function bytesOf(path) {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files
    .map((entry) => relative(path, join(entry.parentPath, entry.name)))
    .filter((name) => !LEFT_OUT.includes(name));
  const hash = createHash('sha256');
  for (const name of names.sort()) hash.update(`${name}\n`).update(readFileSync(join(path, name)));
  return hash.digest('hex');
}

/** Processes that work on a shard below a folder. */
function workers(place) {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return words[1] === BINARY && words.includes('--shard') && words.some((word) => word.startsWith(place));
    } catch {
      return false;
    }
  });
}

/** Kills shards at random moments, as often as asked for, until the job ends; how many were killed. */
async function killSome(place, wanted, job) {
  let killed = 0;
  while (job.exitCode === null && killed < wanted) {
    await sleep(500 + Math.random() * MOST_WAIT);
    const pids = workers(place);
    const pid = pids[Math.floor(Math.random() * pids.length)];
    if (pid === undefined) continue;
    try {
      process.kill(Number(pid), 'SIGKILL');
      killed++;
    } catch {
      // It ended by itself.
    }
  }
  return killed;
}

/** Times that what is missing is started again. */
const TRIES = 8;

const perturbql = (...words) =>
  execFileSync(process.execPath, [BINARY, ...words, '--quiet'])
    .toString()
    .trim();

/**
 * Runs the recipe of a scheduler until no shard is missing, and merges. `start` gives the program with its arguments for
 * the file that holds the recipe.
 */
async function runRecipe(scheduler, start, env = {}) {
  const place = join(folder, scheduler.replace(' ', '-'));
  const [bin, out, file] = [join(place, 'bin'), join(place, 'RUN'), join(place, 'job')];
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'perturbql'), `#!/bin/sh\nexec ${process.execPath} ${BINARY} "$@"\n`, { mode: 0o755 });
  writeFileSync(file, shardRecipe(scheduler, [...COMMAND, ...DATA, '--out', out], SHARDS));
  const path = [bin, env.PATH ?? process.env.PATH].join(delimiter);
  const [program, ...args] = start(file);
  let killed = 0;
  for (let turn = 0; turn < TRIES && (turn === 0 || perturbql('missing', out) !== ''); turn++) {
    const job = spawn(program, args, {
      cwd: place,
      env: { ...process.env, ...env, PATH: path, PERTURBQL_CACHE: join(place, 'cache') },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(job, 'close');
    killed += await killSome(out, KILLS - killed, job);
    await ended;
  }
  if (killed < KILLS) throw new Error(`only ${killed} shards were killed: the work is too short to check anything`);
  const merged = join(place, 'MERGED');
  perturbql('merge', out, '--out', merged);
  return merged;
}

/** Slurm on this machine alone: its controller, its daemon and munge. */
async function startSlurm() {
  if (!isHere('sbatch') || !isHere('slurmctld') || !isHere('slurmd') || !isHere('munged')) {
    throw new Error('Slurm is not here: install slurm-wlm and munge');
  }
  const place = join(folder, 'slurm-files');
  const host = hostname().split('.')[0];
  for (const name of ['state', 'spool']) mkdirSync(join(place, name), { recursive: true });
  const config = join(place, 'slurm.conf');
  const lines = [
    'ClusterName=check',
    `SlurmctldHost=${host}(127.0.0.1)`,
    'AuthType=auth/munge',
    'SlurmUser=root',
    'SlurmdUser=root',
    `StateSaveLocation=${place}/state`,
    `SlurmdSpoolDir=${place}/spool`,
    `SlurmctldPidFile=${place}/slurmctld.pid`,
    `SlurmdPidFile=${place}/slurmd.pid`,
    `SlurmctldLogFile=${place}/slurmctld.log`,
    `SlurmdLogFile=${place}/slurmd.log`,
    'SlurmctldPort=26817',
    'SlurmdPort=26818',
    'ProctrackType=proctrack/linuxproc',
    'TaskPlugin=task/none',
    'SelectType=select/cons_tres',
    'SelectTypeParameters=CR_Core',
    'JobAcctGatherType=jobacct_gather/none',
    'AccountingStorageType=accounting_storage/none',
    'ReturnToService=2',
    `NodeName=${host} NodeAddr=127.0.0.1 CPUs=${cpus().length} State=UNKNOWN`,
    `PartitionName=all Nodes=${host} Default=YES State=UP`,
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  if (spawnSync('pgrep', ['munged']).status !== 0) {
    mkdirSync('/run/munge', { recursive: true });
    execFileSync('chown', ['munge:', '/run/munge']);
    execFileSync('runuser', ['-u', 'munge', '--', 'munged']);
  }
  const env = { SLURM_CONF: config };
  const options = { env: { ...process.env, ...env } };
  execFileSync('slurmctld', [], options);
  execFileSync('slurmd', [], options);
  cleanups.push(() => {
    for (const name of ['slurmd', 'slurmctld']) {
      const file = join(place, `${name}.pid`);
      if (existsSync(file)) process.kill(Number(readFileSync(file, 'utf8')));
    }
  });
  for (let tries = 0; tries < 30; tries++) {
    if (execFileSync('sinfo', ['--noheader', '--format=%t'], options).toString().trim() === 'idle') return env;
    await sleep(1000);
  }
  throw new Error('the node of Slurm does not come up');
}

/** A Python of its own with packages. */
function pythonWith(...packages) {
  const place = join(folder, `python-${packages[0]}`);
  execFileSync('python3', ['-m', 'venv', place]);
  execFileSync(join(place, 'bin/pip'), ['install', '--quiet', ...packages], { stdio: 'inherit' });
  return join(place, 'bin');
}

function checkManifest() {
  const file = join(folder, 'job.yaml');
  writeFileSync(file, shardRecipe('Kubernetes', [...COMMAND, ...DATA, '--out', 'RUN'], SHARDS));
  execFileSync(join(pythonWith('kubernetes-validate'), 'kubernetes-validate'), ['--strict', file], {
    stdio: 'inherit',
  });
}

const CHECKS = {
  slurm: async () => runRecipe('Slurm', (file) => ['sbatch', '--wait', file], await startSlurm()),
  parallel: async () => {
    if (!isHere('parallel')) throw new Error('GNU parallel is not here: install parallel');
    return runRecipe('GNU parallel', (file) => ['sh', file]);
  },
  ray: async () => runRecipe('Ray', (file) => [join(pythonWith('ray'), 'python3'), file]),
  kubernetes: async () => checkManifest(),
};

const wanted = positionals.length > 0 ? positionals : Object.keys(CHECKS);
const whole = runs === undefined ? join(folder, 'whole') : resolve(runs, 'whole');
// A run that is there and finished is only read: what differs in inputs or settings is refused.
execFileSync(process.execPath, [BINARY, ...COMMAND, ...DATA, '--out', whole, '--quiet'], {
  env: { ...process.env, PERTURBQL_CACHE: join(folder, 'cache-whole') },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const expected = bytesOf(whole);
let failed = 0;
for (const engine of wanted) {
  const began = Date.now();
  try {
    const out = await CHECKS[engine]();
    if (out !== undefined && bytesOf(out) !== expected)
      throw new Error('the merged bytes differ from a run in one piece');
    console.log(
      `${engine}: ${out === undefined ? 'its manifest is valid' : `${KILLS} of ${SHARDS} shards killed, merged bytes equal`}, ${Math.round((Date.now() - began) / 1000)} s`,
    );
  } catch (error) {
    failed++;
    console.error(`${engine}: ${error.message}`);
  }
}
console.log(`${wanted.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
