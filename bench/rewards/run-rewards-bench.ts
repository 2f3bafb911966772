import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { ConfigError, InputFormatError } from '../../src/errors.js';
import { readGoldQueries } from '../../src/evaluate/inputs/gold-queries.js';
import { readPredictions } from '../../src/evaluate/inputs/predictions.js';
import { itemAt, mustGet } from '../../src/present.js';
import { createRng, shuffled } from '../../src/seeded-rng.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { type TreeUse, treeUse } from './process-tree.js';

/** Seconds that a query may take. */
const LIMIT = 1;
const MODELS = [1, 2, 3, 4, 5, 6, 7];
/** Of Spider dev each n-th question is asked where queries run away: the usual way takes minutes for each of these. */
const STEP = 4;
/** Requests for one that runs away, where many are sent. */
const RARE = 1_000;
/** The database whose predictions run away most often: joins without a condition. */
const WIDE = 'car_1';
/** As published models write it, a billion rows; each is written otherwise, so that none is known. */
const runaway = (i: number): string =>
  `SELECT sum(d.weight) FROM continents JOIN model_list JOIN model_list AS m JOIN car_names JOIN cars_data AS d WHERE d.id <> ${-1 - i}`;

/** Clients for each core whose waits are measured. */
const CLIENTS_A_CORE = [1, 2, 4];
/** Times the limit that 99 in 100 requests have at most, with a client for each core. */
const LONGEST_TAIL = 2;

/** Seconds that threads which were given up have to end. */
const PATIENCE = 3_600;
/** Milliseconds between two looks at the service. */
const LOOK_MS = 1_000;

/** A gold query with what the models say for it. */
interface Group {
  readonly db_id: string;
  readonly file: string;
  readonly gold: string;
  readonly predictions: readonly string[];
}

interface Setting {
  readonly root: string;
  readonly data: string;
  readonly python: string;
  readonly threads: string;
  readonly clients: string;
  readonly output: BenchOutput;
}

interface UsualRun {
  readonly rewards: readonly number[];
  readonly cpu: number;
  readonly wall: number;
  readonly left: number;
  readonly wholeCpu: number;
  readonly stillLeft: number;
}

interface ServedRun {
  readonly rewards: readonly number[];
  readonly cpu: number;
  readonly wall: number;
  readonly times: readonly number[];
}

/** Of the service while it was asked: what it used, and what it held from look to look. */
interface ServiceUse {
  readonly cpu: number;
  readonly looks: readonly TreeUse[];
  readonly leftAfterwards: number;
}

/** Whether a query joins tables without a condition, or compares a column with itself: it may never end. */
function mayRunAway(sql: string): boolean {
  const count = (word: RegExp): number => sql.match(word)?.length ?? 0;
  return count(/\bjoin\b/gi) > count(/\bon\b/gi) || /\bon\s+(\S+)\s*=\s*\1(?:\s|$)/i.test(sql);
}

/** Questions of Spider dev with gold and what seven published models predict; predictions that may run away are left out. */
function groupsOf(data: string, step: number): readonly Group[] {
  const file = join(data, 'spider/dev_gold.sql');
  if (!existsSync(file)) {
    const fix = 'Give the folder that holds spider/ and test-suite/ with --data.';
    throw new InputFormatError("Spider's dev_gold.sql is not there", { fix, where: { file } });
  }
  const gold = readGoldQueries(file);
  const models = MODELS.map((n) => readPredictions(join(data, `test-suite/predictions/dev_${n}.txt`), gold).texts);
  return gold
    .map(({ sql, dbId }, i) => ({
      db_id: dbId,
      gold: sql,
      file: join(data, 'spider/database', dbId, `${dbId}.sqlite`),
      predictions: [sql, ...models.map((predictions) => mustGet(predictions[i], 'prediction'))].filter(
        (one) => !mayRunAway(one),
      ),
    }))
    .filter((_, i) => i % step === 0);
}

/** One prediction in so many runs away, at most one of a group. */
function withRunaways(groups: readonly Group[], oneIn: number): readonly Group[] {
  const count = Math.round(groups.reduce((sum, { predictions }) => sum + predictions.length, 0) / oneIn);
  const wide = groups.filter(({ db_id }) => db_id === WIDE);
  const chosen = new Set(shuffled(wide, createRng(0, 'runaways')).slice(0, count));
  if (chosen.size < count) throw new RangeError(`${WIDE} has ${chosen.size} questions, ${count} are needed`);
  const rng = createRng(0, 'places');
  return groups.map((group, i) => {
    const place = rng.int(group.predictions.length);
    if (!chosen.has(group)) return group;
    return { ...group, predictions: group.predictions.map((sql, at) => (at === place ? runaway(i) : sql)) };
  });
}

async function runPython<T>({ root, python }: Setting, script: string, ...words: readonly string[]): Promise<T> {
  const env = { ...process.env, PYTHONPATH: join(root, 'python/src') };
  const child = spawn(python, [join(root, 'bench/python', script), ...words], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return JSON.parse(text) as T;
  throw new ConfigError(`${script} failed`, {
    fix: 'Give a Python with --python that has what bench/python/requirements.txt names.',
  });
}

/** Calls with files that hold the groups, as the Python parts read them; the files go afterwards. */
async function withFiles<T>(
  lists: readonly (readonly Group[])[],
  use: (...files: readonly string[]) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-bench-'));
  const files = lists.map((_, i) => join(folder, `${i}.json`));
  try {
    lists.forEach((groups, i) => writeFileSync(itemAt(files, i), JSON.stringify(groups)));
    return await use(...files);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function startService({ root, data }: Setting): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const spider = join(data, 'spider');
  const inputs = ['--databases', join(spider, 'database'), '--tables', join(spider, 'tables.json')];
  const rules = ['--reward', 'execution', '--mode', 'set', '--timeout', String(LIMIT), '--port', '0'];
  const main = join(root, 'dist/cli/main.js');
  const child = spawn(process.execPath, [main, 'serve', 'rewards', ...inputs, ...rules], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface(child.stdout)) return { child, url: line.replace(/^.* |\/rewards$/g, '') };
  throw new ConfigError('the service does not start', { fix: 'Run `npm run build`.' });
}

/** Starts the service, asks it, first what it shall be warm from, and ends it. */
async function withService<T>(
  setting: Setting,
  warm: (url: string) => Promise<unknown>,
  ask: (url: string) => Promise<T>,
): Promise<{ readonly answer: T; readonly use: ServiceUse }> {
  const { child, url } = await startService(setting);
  const pid = mustGet(child.pid, 'process id');
  await warm(url);
  const before = treeUse(pid).cpu;
  const looks: TreeUse[] = [];
  const looking = setInterval(() => looks.push(treeUse(pid)), LOOK_MS);
  try {
    const answer = await ask(url);
    looks.push(treeUse(pid));
    return { answer, use: { cpu: treeUse(pid).cpu - before, looks, leftAfterwards: await stop(child, pid) } };
  } finally {
    clearInterval(looking);
    child.kill('SIGKILL');
  }
}

/** Processes that are left after the service was told to end. */
async function stop(child: ChildProcess, pid: number): Promise<number> {
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
  return treeUse(pid).processes;
}

const quantile = (sorted: readonly number[], q: number): number => sorted[Math.floor(q * (sorted.length - 1))] ?? 0;

type Row = FigureTable['rows'][string];

const WORK: Readonly<Record<string, string>> = { plain: 'as they are', runaway: '1% run away' };

interface Compared {
  readonly rows: Readonly<Record<string, Row>>;
  /** Rewards per CPU second, the service's to the usual way's. */
  readonly ratio: number;
}

async function compare(
  setting: Setting,
  key: string,
  groups: readonly Group[],
  warm: readonly Group[],
): Promise<Compared> {
  const { output, threads, clients } = setting;
  const served = (work: string, url: string): Promise<ServedRun> =>
    runPython(setting, 'served_rewards.py', work, url, clients, '0');
  const work = WORK[key] ?? key;
  return withFiles([groups, warm], async (file, before) => {
    output.tell(`${work}: the service`);
    const { answer, use } = await withService(
      setting,
      (url) => served(before, url),
      (url) => served(file, url),
    );
    output.tell(`${work}: the usual way`);
    const words = [file, threads, String(LIMIT), String(PATIENCE)];
    const usual = await runPython<UsualRun>(setting, 'usual_rewards.py', ...words);
    const [count, cpu] = [answer.rewards.length, answer.cpu + use.cpu];
    const differing = answer.rewards.filter((reward, i) => reward !== usual.rewards[i]).length;
    const ratio = usual.wholeCpu / cpu;
    const rows = {
      [`usual-${key}`]: {
        work,
        who: 'the usual way',
        cpu: usual.wholeCpu,
        atLast: usual.cpu,
        rate: count / usual.wholeCpu,
        wall: usual.wall,
        left: usual.left,
        ratio: null,
        p50: null,
        p99: null,
        differing: null,
      },
      [`served-${key}`]: {
        work,
        who: 'perturbql',
        cpu,
        atLast: cpu,
        rate: count / cpu,
        wall: answer.wall,
        left: use.leftAfterwards,
        ratio,
        p50: quantile(answer.times, 0.5),
        p99: quantile(answer.times, 0.99),
        differing,
      },
    };
    for (const row of Object.values(rows)) output.print(JSON.stringify(row));
    if (usual.stillLeft > 0) output.tell(`${usual.stillLeft} threads had not ended after ${PATIENCE} s`);
    return { rows, ratio };
  });
}

const COMPARISON: Pick<FigureTable, 'title' | 'about' | 'columns'> = {
  title: 'Rewards',
  about:
    'Questions of Spider dev with their gold and what seven published models predict, a question a request (joins without a condition left out), judged by execution and set equality; all as they are, and each fourth question with one prediction in a hundred replaced by a join without conditions that takes some 15 s of CPU if it is left alone; those of the published models themselves take from 3 s to minutes. Limit 1 s a query. The usual way: Python’s sqlite3 in 16 threads with `func_timeout` around each pair, written by us; a thread that is given up works on, so its CPU is counted until the last thread has ended, and until the last reward. perturbql: `perturbql serve rewards`, asked by four threads of `perturbql.Rewarder`; CPU of client, service and all its processes. Start-up is left out on both sides, and the service has been asked the questions once before. Differing: rewards that are not the same on both sides, as the usual way takes any two empty results for equal, and `! =` for a mistake where the published evaluator reads `!=`.',
  columns: {
    work: { head: 'predictions' },
    who: { head: 'by' },
    rate: { head: 'rewards a CPU s', decimals: 0 },
    ratio: { head: 'times the usual way’s', decimals: 1 },
    cpu: { head: 'CPU s', decimals: 1 },
    atLast: { head: 'until the last reward', decimals: 1 },
    wall: { head: 'wall s', decimals: 1 },
    p50: { head: 'median ms a request', decimals: 0 },
    p99: { head: 'p99 ms', decimals: 0 },
    left: { head: 'threads or processes left' },
    differing: { head: 'differing' },
  },
};

const TAIL: Pick<FigureTable, 'title' | 'about' | 'columns'> = {
  title: 'The longest waits for rewards, by the number of clients',
  about:
    'Each fourth question of Spider dev with the predictions of seven models, one prediction in a hundred replaced by a join without conditions, all of them of one database, so that they follow one another; a question a request. Limit 1 s of CPU a query, one process for each core; clients that ask side by side, each waiting for its answer, asking again included. The service has been asked the questions once before.',
  columns: {
    clients: { head: 'clients' },
    perCore: { head: 'clients a core', decimals: 0 },
    requests: { head: 'requests' },
    p50: { head: 'median ms', decimals: 0 },
    p99: { head: 'p99 ms', decimals: 0 },
    most: { head: 'longest ms', decimals: 0 },
    wall: { head: 'wall s', decimals: 1 },
  },
};

/** As many clients as there are cores, and more: whether the goal for the tail is met where each has one. */
async function measureTail(setting: Setting, groups: readonly Group[], warm: readonly Group[]): Promise<boolean> {
  const rows: Record<string, Row> = {};
  const tails: number[] = [];
  return withFiles([groups, warm], async (file, before) => {
    for (const perCore of CLIENTS_A_CORE) {
      const clients = perCore * availableParallelism();
      setting.output.tell(`${clients} clients`);
      const ask = (work: string) => (url: string) =>
        runPython<ServedRun>(setting, 'served_rewards.py', work, url, String(clients), '0');
      const { times, wall } = (await withService(setting, ask(before), ask(file))).answer;
      const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
      const row = { clients, perCore, requests: times.length, p50, p99, most: quantile(times, 1), wall };
      setting.output.print(JSON.stringify(row));
      rows[`each${perCore}`] = row;
      tails.push(p99);
    }
    setting.output.record({ ...TAIL, id: 'rewards-tail', rows });
    return (tails[0] ?? Infinity) < LONGEST_TAIL * 1000 * LIMIT;
  });
}

/** Requests of one prediction each, all of them other texts: what the service holds after many. */
async function endure(
  setting: Setting,
  groups: readonly Group[],
  requests: number,
): Promise<Pick<FigureTable, 'rows'>> {
  return withFiles([groups], async (file) => {
    const ask = (count: number) => (url: string) =>
      runPython<ServedRun>(setting, 'served_rewards.py', file, url, setting.clients, String(count));
    const { answer, use } = await withService(setting, ask(Math.ceil(requests / 100)), ask(requests));
    const tenth = Math.floor(use.looks.length / 10);
    const most = (looks: readonly TreeUse[], value: (use: TreeUse) => number): number => Math.max(...looks.map(value));
    const early = use.looks.slice(tenth, 2 * tenth);
    const late = use.looks.slice(-Math.max(1, tenth));
    const row = {
      requests: answer.times.length,
      cpu: use.cpu + answer.cpu,
      wall: answer.wall,
      p50: quantile(answer.times, 0.5),
      p99: quantile(answer.times, 0.99),
      early: most(early, ({ memoryMiB }) => memoryMiB),
      late: most(late, ({ memoryMiB }) => memoryMiB),
      earlyThreads: most(early, ({ threads }) => threads),
      lateThreads: most(late, ({ threads }) => threads),
      processes: most(late, ({ processes }) => processes),
      left: use.leftAfterwards,
    };
    setting.output.print(JSON.stringify(row));
    return { rows: { served: row } };
  });
}

const ENDURANCE: Pick<FigureTable, 'title' | 'about' | 'columns'> = {
  title: 'The reward service after many requests',
  about:
    'The same predictions, one a request, each request with a text that was not seen before, one in a thousand running away; asked by four threads. Memory, threads and processes of the whole service: the most in the second tenth of the time, and in the last. Left: processes after SIGTERM.',
  columns: {
    requests: { head: 'requests' },
    cpu: { head: 'CPU s', decimals: 0 },
    wall: { head: 'wall s', decimals: 0 },
    p50: { head: 'median ms', decimals: 1 },
    p99: { head: 'p99 ms', decimals: 0 },
    early: { head: 'MiB early', decimals: 0 },
    late: { head: 'MiB late', decimals: 0 },
    earlyThreads: { head: 'threads early' },
    lateThreads: { head: 'threads late' },
    processes: { head: 'processes' },
    left: { head: 'left' },
  },
};

const PARTS = ['plain', 'runaway', 'requests', 'tail'] as const;

/**
 * Rewards per CPU second of the service and of the usual way, on the same work in the same run, and what the service
 * holds after many requests. False where a goal is missed: ten times the usual way's rate with runaway queries, or 99 in 100
 * requests within twice the limit.
 * @throws InputFormatError where Spider's files are absent; ConfigError where Python can't do its part
 */
export async function runRewardsBench(args: readonly string[], root: string, output: BenchOutput): Promise<boolean> {
  const options = {
    data: { type: 'string', default: '../shared/data' },
    python: { type: 'string', default: 'python3' },
    threads: { type: 'string', default: '16' },
    clients: { type: 'string', default: '4' },
    requests: { type: 'string', default: '100000' },
    part: { type: 'string' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const { python, threads, clients, part } = values;
  if (part !== undefined && !PARTS.some((known) => known === part)) {
    throw new ConfigError(`there is no part "${part}"`, { fix: `Known: ${PARTS.join(', ')}.` });
  }
  const setting = { root, data: resolve(root, values.data), python, threads, clients, output };
  const [all, some] = [groupsOf(setting.data, 1), groupsOf(setting.data, STEP)];
  const isAsked = (one: (typeof PARTS)[number]): boolean => part === undefined || part === one;
  const plain = isAsked('plain') ? await compare(setting, 'plain', all, all) : null;
  const runaway = isAsked('runaway') ? await compare(setting, 'runaway', withRunaways(some, 100), some) : null;
  if (plain !== null && runaway !== null)
    output.record({ ...COMPARISON, id: 'rewards', rows: { ...plain.rows, ...runaway.rows } });
  if (isAsked('requests')) {
    const table = await endure(setting, withRunaways(all, RARE), Number(values.requests));
    output.record({ ...table, ...ENDURANCE, id: 'rewards-endurance' });
  }
  const isTailShort = !isAsked('tail') || (await measureTail(setting, withRunaways(some, 100), some));
  return isTailShort && (runaway === null || runaway.ratio >= GOAL);
}

/** Times the usual way's rewards per CPU second. */
const GOAL = 10;
