import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, InputFormatError } from '../../src/errors.js';
import { ExactMatch } from '../../src/evaluate/exact/exact-match.js';
import { ExecutionMatch } from '../../src/evaluate/execution/execution-match.js';
import type { ExecutionMode } from '../../src/evaluate/execution/execution-tasks.js';
import { RESULT_MODES } from '../../src/sql/execution/result-mode.js';
import { loadNeededSchemas, pairUp } from '../../src/evaluate/inputs/paired-files.js';
import { type GoldQuery, readGoldQueries } from '../../src/evaluate/inputs/gold-queries.js';
import { readPredictions } from '../../src/evaluate/inputs/predictions.js';
import type { EvaluationPair, Verdict } from '../../src/evaluate/metric.js';
import { summarizeOutcomes } from '../../src/evaluate/summary/accuracy.js';
import { createStageContext, NOOP_HOST } from '../../src/run/run-host.js';
import type { QuerySource } from '../../src/sql/execution/query-protocol.js';
// Compiled because of this: the runner starts it as a process.
import type {} from '../../src/sql/execution/query-child.js';
import type {} from '../../src/sql/execution/query-watchdog.js';
import { QueryRunner } from '../../src/sql/execution/query-runner.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { classifyDisagreements, type DisagreementClass } from './agreement.js';
import { ANCHORS, measureScale } from './anchors.js';
import { childSeconds, ownSeconds } from './cpu-time.js';

/** Limit of one query; a prediction that does not end costs this. */
const TIMEOUT_MS = 2000;

interface Bench {
  readonly data: string;
  readonly gold: readonly GoldQuery[];
  /** Names of the sets that are judged. */
  readonly sets: readonly string[];
  readonly pairsOf: (predictions: readonly string[]) => readonly EvaluationPair[];
  readonly print: BenchOutput['print'];
  /** Seconds of gold against itself, for docs/figures/. */
  readonly costs: Map<
    string,
    { seconds?: number; ratio?: number | null; wholeSeconds?: number; wholeRatio?: number | null }
  >;
}

function openBench(data: string, sets: readonly string[], print: BenchOutput['print']): Bench {
  const file = join(data, 'spider/dev_gold.sql');
  if (!existsSync(file)) {
    throw new InputFormatError("Spider's dev_gold.sql is not there", {
      fix: 'Give the folder that holds spider/ and test-suite/ with --data.',
      where: { file },
    });
  }
  const gold = readGoldQueries(file);
  const databases = loadNeededSchemas(join(data, 'spider/tables.json'), gold);
  return { data, gold, sets, pairsOf: (predictions) => pairUp(gold, predictions, databases), print, costs: new Map() };
}

/** Gold against itself, and the published models whose predictions are there. */
function* predictionSets({
  data,
  gold,
  sets,
}: Bench): Generator<readonly [name: string, predictions: readonly string[]]> {
  for (const set of sets) {
    const file = join(data, `test-suite/predictions/${set}.txt`);
    if (set === 'gold') yield [set, gold.map(({ sql }) => sql)];
    else if (existsSync(file)) yield [set, readPredictions(file, gold).texts];
  }
}

const shown = (verdicts: readonly Verdict[]): string => {
  const { outcomes, accuracy } = summarizeOutcomes(verdicts);
  const counts = Object.entries(outcomes).filter(([, count]) => count > 0);
  return `${(accuracy ?? 0).toFixed(3)}  ${counts.map(([outcome, count]) => `${outcome} ${count}`).join(', ')}`;
};

/** Ours against the Python evaluator's seconds on this machine, start-up left out on both sides. */
function ratioOf(ours: number, anchor: number, scale: number | null): number | null {
  return scale === null ? null : ((anchor - ANCHORS.startUp) * scale) / ours;
}

const ratioText = (ratio: number | null): string => (ratio === null ? '' : `  ${ratio.toFixed(1)}x less`);

function benchExact(bench: Bench, rounds: number, scale: number | null): void {
  const { print, costs } = bench;
  print('exact match, user CPU s of 1,034 pairs in a new process’s first pass, the mean of later ones; against Python');
  for (const compat of ['spider', null] as const) {
    for (const [name, predictions] of predictionSets(bench)) {
      const pairs = bench.pairsOf(predictions);
      const times = Array.from({ length: rounds + 1 }, () => {
        const metric = new ExactMatch({ compat }); // a new one has read nothing yet
        const start = ownSeconds();
        for (const pair of pairs) metric.judgePair(pair);
        return ownSeconds() - start;
      });
      const [first = 0, ...others] = times;
      const mean = others.reduce((sum, time) => sum + time, 0) / others.length;
      const last = new ExactMatch({ compat });
      const verdicts = pairs.map((pair) => last.judgePair(pair));
      const label = `${compat ?? 'default'} ${name}`.padEnd(16);
      const ratio = name === 'gold' ? ratioOf(mean, ANCHORS.exact, scale) : null;
      if (name === 'gold') costs.set(compat === null ? 'exact' : 'exact-spider', { seconds: mean, ratio });
      print(
        `${label}${first.toFixed(3).padStart(8)}${mean.toFixed(3).padStart(8)}${ratioText(ratio).padStart(12)}  ${shown(verdicts)}`,
      );
    }
  }
}

async function benchExecution(bench: Bench, mode: ExecutionMode, scale: number | null): Promise<void> {
  const { data, print, costs } = bench;
  const databaseOf = ({ database: { id } }: EvaluationPair): QuerySource => ({
    file: join(data, 'spider/database', id, `${id}.sqlite`),
  });
  print(
    `execution in mode ${mode}, ${TIMEOUT_MS} ms a query; user CPU s with all processes, theirs in brackets; wall s`,
  );
  print(`start-up of a process, part of each: ${(await runnerStartUp()).toFixed(2)}`);
  for (const [name, predictions] of predictionSets(bench)) {
    for (const plug of name === 'gold' ? [false] : [false, true]) {
      const [own, children, wall] = [ownSeconds(), childSeconds(), performance.now()];
      const given = name === 'gold' ? { jobs: 1 } : {}; // on a busy machine short work would start another
      const runner = new QueryRunner({ ...given, limits: { timeoutMs: TIMEOUT_MS } });
      const metric = new ExecutionMatch({ runner, databaseOf, mode, plug });
      const verdicts = await metric.judge(bench.pairsOf(predictions), createStageContext(0, NOOP_HOST));
      await runner.close();
      const theirs = (childSeconds() ?? 0) - (children ?? 0);
      const total = ownSeconds() - own + theirs;
      const seconds = ((performance.now() - wall) / 1000).toFixed(1).padStart(7);
      const ratio = name === 'gold' ? ratioOf(total, ANCHORS.execution, scale) : null;
      if (name === 'gold') costs.set('execution', { seconds: total, ratio });
      const label = `${name}${plug ? ' plugged' : ''}`.padEnd(16);
      print(
        `${label}${total.toFixed(2).padStart(8)} [${theirs.toFixed(2)}]${seconds}${ratioText(ratio)}  ${shown(verdicts)}`,
      );
    }
  }
}

/** The whole command, start-up included, as its user runs it; three times each. */
function benchCommand({ data, print, costs }: Bench, mode: ExecutionMode, scale: number | null): void {
  const main = resolve('dist/cli/main.js');
  if (!existsSync(main)) return;
  print('the whole command, gold against itself: user CPU s with all processes, start-up included on both sides');
  const gold = join(data, 'spider/dev_gold.sql');
  const files = ['--gold', gold, '--predictions', gold, '--tables', join(data, 'spider/tables.json'), '--json'];
  const databases = ['--databases', join(data, 'spider/database'), '--mode', mode];
  for (const [id, label, anchor, args] of [
    ['exact-spider', 'exact spider', ANCHORS.exact, ['--metrics', 'exact', '--compat', 'spider']],
    ['exact', 'exact', ANCHORS.exact, ['--metrics', 'exact']],
    ['execution', 'execution', ANCHORS.execution, ['--metrics', 'execution', '--jobs', '1', ...databases]],
  ] as const) {
    const times = Array.from({ length: 3 }, () => {
      const before = childSeconds() ?? 0;
      execFileSync(process.execPath, [main, 'evaluate', ...files, ...args], { stdio: ['ignore', 'ignore', 'ignore'] });
      return (childSeconds() ?? 0) - before;
    });
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    const ratio = scale === null ? null : (anchor * scale) / mean;
    costs.set(id, { ...costs.get(id), wholeSeconds: mean, wholeRatio: ratio });
    print(`${label.padEnd(16)}${times.map((time) => time.toFixed(2).padStart(8)).join('')}${ratioText(ratio)}`);
  }
}

function printAgreement(bench: Bench, record: BenchOutput['record']): void {
  const sets = [...predictionSets({ ...bench, sets: bench.sets.filter((set) => set !== 'gold') })];
  const named = sets.map(([name, predictions]) => [name, bench.pairsOf(predictions)] as const);
  const { pairs, classes } = classifyDisagreements(named);
  const total = classes.reduce((sum, { count }) => sum + count, 0);
  record(agreementFigures(named.length, pairs, classes));
  bench.print(`${total} of ${pairs} pairs of ${named.length} models are judged otherwise than by Spider's evaluator`);
  for (const { reason, count, example } of classes) {
    bench.print(`${String(count).padStart(6)}  ${reason}`);
    bench.print(`        ${example.set}: ${example.gold}`);
    bench.print(`        ${' '.repeat(example.set.length)}  ${example.predicted}`);
  }
}

const METRIC_NAMES = [
  ['exact', 'exact set match, default rules'],
  ['exact-spider', 'exact set match, `--compat spider`'],
  ['execution', 'execution'],
] as const;

function costFigures({ costs }: Bench): FigureTable {
  return {
    id: 'metrics',
    title: 'Scoring predictions',
    about:
      "Spider dev's gold against itself, 1,034 pairs: user CPU of judging alone, and of the whole command with its start-up. “Times less” is " +
      'against the published Python evaluators (taoyds/test-suite-sql-eval), scaled to this machine by the same Python loop.',
    columns: {
      metric: { head: 'metric' },
      seconds: { head: 'judging, CPU s', decimals: 3 },
      ratio: { head: 'times less', decimals: 1 },
      wholeSeconds: { head: 'whole command, CPU s', decimals: 2 },
      wholeRatio: { head: 'times less', decimals: 1 },
    },
    rows: Object.fromEntries(METRIC_NAMES.map(([id, metric]) => [id, { metric, ...costs.get(id) }])),
  };
}

function agreementFigures(models: number, pairs: number, classes: readonly DisagreementClass[]): FigureTable {
  const row = (reason: string, says: string, count: number): FigureTable['rows'][string] => ({ reason, says, count });
  const total = classes.reduce((sum, { count }) => sum + count, 0);
  const rows = classes.map(({ reason, count }) => {
    const names = reason.slice(2).split(' & ');
    const says = reason.startsWith('+') ? 'correct' : 'wrong';
    return [names.join('-'), row(names.map((name) => `\`${name}\``).join(' with '), says, count)] as const;
  });
  return {
    id: 'metrics-agreement',
    title: "Where the default rules differ from Spider's script",
    about:
      `Exact set match over the dev predictions of ${models} published models. Each reason is explained in [evaluate.md](evaluate.md#exact); ` +
      '`--compat spider` gives the published verdict on every pair.',
    columns: { reason: { head: 'reason' }, says: { head: 'perturbql says' }, count: { head: 'pairs' } },
    rows: {
      ...Object.fromEntries(rows),
      total: row('all that differ', '', total),
      pairs: row('pairs in all', '', pairs),
    },
  };
}

/** What a process of the runner costs before it runs anything. */
async function runnerStartUp(): Promise<number> {
  const before = childSeconds() ?? 0;
  const runner = new QueryRunner();
  const { signal } = new AbortController();
  await runner.run({ file: null, sql: 'SELECT 1' }, signal);
  await runner.close();
  return (childSeconds() ?? 0) - before;
}

function modeOf(name: string): ExecutionMode {
  const mode = RESULT_MODES.find((one) => one === name);
  if (mode !== undefined) return mode;
  throw new ConfigError(`there is no mode ${name}`, { fix: `Take one of ${RESULT_MODES.join(', ')}.` });
}

/**
 * Judges Spider's dev queries against themselves and the seven published models' predictions, in one process, and
 * prints CPU seconds next to what came out: exact match in both modes, then execution, plain and with values plugged
 * in, then the whole command. With `--agreement`: where exact match says other than Spider's published evaluator, by
 * reason.
 * @throws InputFormatError where Spider's files are absent
 */
export async function runMetricsBench(
  args: readonly string[],
  cwd: string,
  { print, record }: BenchOutput,
): Promise<void> {
  const options = {
    data: { type: 'string', default: '../shared/data' },
    rounds: { type: 'string', default: '3' },
    mode: { type: 'string', default: 'ordered-any-column-order' },
    sets: { type: 'string', default: 'gold,dev_1,dev_2,dev_3,dev_4,dev_5,dev_6,dev_7' },
    agreement: { type: 'boolean', default: false },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const bench = openBench(resolve(cwd, values.data), values.sets.split(','), print);
  const mode = modeOf(values.mode);
  if (values.agreement) {
    printAgreement(bench, record);
    return;
  }
  const calibration = measureScale();
  print(`start-up: ${ownSeconds().toFixed(2)} user CPU s`);
  const scale = calibration?.scale ?? null;
  if (calibration === null) print('no Python 3 to calibrate with: no ratios');
  else print(`the anchors' Python loop: ${calibration.seconds.toFixed(2)} user s here, ${ANCHORS.loop} there`);
  benchExact(bench, Math.max(1, Number(values.rounds)), scale);
  await benchExecution(bench, mode, scale);
  benchCommand(bench, mode, scale);
  record(costFigures(bench));
}
