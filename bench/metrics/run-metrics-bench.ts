import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, InputFormatError } from '../../src/errors.js';
import { ExactMatch } from '../../src/evaluate/exact/exact-match.js';
import { ExecutionMatch } from '../../src/evaluate/execution/execution-match.js';
import { EXECUTION_MODES, type ExecutionMode } from '../../src/evaluate/execution/execution-mode.js';
import { loadNeededSchemas, pairUp } from '../../src/evaluate/inputs/evaluation-pairs.js';
import { type GoldQuery, readGoldQueries } from '../../src/evaluate/inputs/gold-queries.js';
import { readPredictions } from '../../src/evaluate/inputs/predictions.js';
import type { EvaluationPair, Verdict } from '../../src/evaluate/metric.js';
import { summarizeOutcomes } from '../../src/evaluate/summary/outcome-summary.js';
import { createStageContext, SILENT_HOST } from '../../src/run/run-host.js';
import type { Database } from '../../src/schema/schema.js';
import type { QuerySource } from '../../src/sql/execution/query-protocol.js';
// Compiled because of this: the runner starts it as a process.
import type {} from '../../src/sql/execution/query-child.js';
import type {} from '../../src/sql/execution/query-watchdog.js';
import { QueryRunner } from '../../src/sql/execution/query-runner.js';
import { childSeconds, ownSeconds } from './cpu-time.js';

type Print = (text: string) => void;

/** Limit of one query; a prediction that does not end costs this. */
const TIMEOUT_MS = 2000;

interface Bench {
  readonly data: string;
  readonly gold: readonly GoldQuery[];
  /** Names of the sets that are judged. */
  readonly sets: readonly string[];
  readonly pairsOf: (predictions: readonly string[]) => readonly EvaluationPair[];
  readonly print: Print;
}

function openBench(data: string, sets: readonly string[], print: Print): Bench {
  const file = join(data, 'spider/dev_gold.sql');
  if (!existsSync(file)) {
    throw new InputFormatError("Spider's dev_gold.sql is not there", {
      fix: 'Give the folder that holds spider/ and test-suite/ with --data.',
      where: { file },
    });
  }
  const gold = readGoldQueries(file);
  const databases = loadNeededSchemas(join(data, 'spider/tables.json'), gold);
  return { data, gold, sets, pairsOf: (predictions) => pairUp(gold, predictions, databases), print };
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
    else if (existsSync(file)) yield [set, readPredictions(file, gold)];
  }
}

const shown = (verdicts: readonly Verdict[]): string => {
  const { outcomes, accuracy } = summarizeOutcomes(verdicts);
  const counts = Object.entries(outcomes).filter(([, count]) => count > 0);
  return `${(accuracy ?? 0).toFixed(3)}  ${counts.map(([outcome, count]) => `${outcome} ${count}`).join(', ')}`;
};

function benchExact(bench: Bench, rounds: number): void {
  const { print } = bench;
  print('exact match, user CPU s of 1,034 pairs: first pass, then the mean of the others; pairs/s by the latter');
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
      const rate = Math.round(pairs.length / mean);
      const last = new ExactMatch({ compat });
      const verdicts = pairs.map((pair) => last.judgePair(pair));
      const label = `${compat ?? 'default'} ${name}`.padEnd(16);
      print(
        `${label}${first.toFixed(3).padStart(8)}${mean.toFixed(3).padStart(8)}${String(rate).padStart(8)}  ${shown(verdicts)}`,
      );
    }
  }
}

async function benchExecution(bench: Bench, mode: ExecutionMode): Promise<void> {
  const { data, print } = bench;
  const sourceOf = ({ id }: Database): QuerySource => ({ file: join(data, 'spider/database', id, `${id}.sqlite`) });
  print(
    `execution in mode ${mode}, ${TIMEOUT_MS} ms a query; user CPU s with all processes, theirs in brackets; wall s`,
  );
  print(`start-up of the processes, part of each: ${(await runnerStartUp()).toFixed(2)}`);
  for (const [name, predictions] of predictionSets(bench)) {
    for (const plug of name === 'gold' ? [false] : [false, true]) {
      const [own, children, wall] = [ownSeconds(), childSeconds(), performance.now()];
      const runner = new QueryRunner({ limits: { timeoutMs: TIMEOUT_MS } });
      const metric = new ExecutionMatch({ runner, sourceOf, mode, plug });
      const verdicts = await metric.judge(bench.pairsOf(predictions), createStageContext(0, SILENT_HOST));
      await runner.close();
      const theirs = (childSeconds() ?? 0) - (children ?? 0);
      const total = (ownSeconds() - own + theirs).toFixed(2).padStart(8);
      const seconds = ((performance.now() - wall) / 1000).toFixed(1).padStart(7);
      print(
        `${`${name}${plug ? ' plugged' : ''}`.padEnd(16)}${total} [${theirs.toFixed(2)}]${seconds}  ${shown(verdicts)}`,
      );
    }
  }
}

/** What the runner's processes cost before they run anything. */
async function runnerStartUp(): Promise<number> {
  const before = childSeconds() ?? 0;
  const runner = new QueryRunner();
  const { signal } = new AbortController();
  const seats = Array.from({ length: availableParallelism() }, () =>
    runner.run({ file: null, sql: 'SELECT 1' }, signal),
  );
  await Promise.all(seats);
  await runner.close();
  return (childSeconds() ?? 0) - before;
}

function modeOf(name: string): ExecutionMode {
  const mode = EXECUTION_MODES.find((one) => one === name);
  if (mode !== undefined) return mode;
  throw new ConfigError(`there is no mode ${name}`, { fix: `Take one of ${EXECUTION_MODES.join(', ')}.` });
}

/**
 * Judges Spider's dev queries against themselves and the seven published models' predictions, in one process, and prints
 * CPU seconds beside what came out: exact match in both modes, then execution, plain and with values plugged in.
 * @throws InputFormatError where Spider's files are absent
 */
export async function runMetricsBench(args: readonly string[], cwd: string, print: Print): Promise<void> {
  const options = {
    data: { type: 'string', default: '../shared/data' },
    rounds: { type: 'string', default: '3' },
    mode: { type: 'string', default: 'ordered-any-column-order' },
    sets: { type: 'string', default: 'gold,dev_1,dev_2,dev_3,dev_4,dev_5,dev_6,dev_7' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const bench = openBench(resolve(cwd, values.data), values.sets.split(','), print);
  const mode = modeOf(values.mode);
  print(`start-up: ${ownSeconds().toFixed(2)} user CPU s`);
  benchExact(bench, Math.max(1, Number(values.rounds)));
  await benchExecution(bench, mode);
}
