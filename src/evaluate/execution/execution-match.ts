import type {
  BirdScores,
  CandidateOutcome,
  Comparison,
  ComparisonTask,
  QuerySource,
} from '../../sql/execution/query-protocol.js';
import type { QueryRunner } from '../../sql/execution/query-runner.js';
import type { StageContext } from '../../stage.js';
import type { EvaluationPair, Metric, Verdict } from '../metric.js';
import { PLUG_LIMIT } from '../plug-values.js';
import {
  badGoldReason,
  ExecutableQueries,
  executionBatches,
  type ExecutionMode,
  executionModeName,
  type ExecutionTask,
  executionTasks,
  failedTrial,
  UNDECIDED,
} from './execution-tasks.js';
import { zip } from '../../present.js';

export interface ExecutionMatchOptions {
  /** Runs the queries, with its limits; the caller closes it. */
  readonly runner: QueryRunner;
  /**
   * Returns the source that a pair's queries read: a SQLite file, and setup scripts if it has any, such as TEMP views
   * that perturb an original. Pairs of one schema may have different ones.
   */
  readonly databaseOf: (pair: EvaluationPair) => QuerySource;
  readonly mode: ExecutionMode;
  /**
   * How far apart numbers may be, absolutely or relative to the greater, if one of them is a real; default: ten digits
   * count.
   */
  readonly tolerance?: number | null;
  /**
   * True if predictions get the gold's values (`plugValues`), and in how many ways at most; default: they stay as they
   * are.
   */
  readonly plug?: boolean | { readonly limit: number };
  /** True if DISTINCT is removed from gold and predictions (`dropDistinct`); default: it stays. */
  readonly dropDistinct?: boolean;
  /** How often correct queries are timed, in mode `bird`; default: never. */
  readonly rounds?: number;
  /** As in `ResultEquality`; default: results are read whole. */
  readonly endsEarly?: boolean;
}

export interface ExecutionVerdict extends Verdict {
  /** Rows of the gold's result: where it is 0, an empty result is correct. Null where it has none. */
  readonly goldRows: number | null;
  /** Of `plugValues`, which query decided, from 0; 0 is the prediction as it is. */
  readonly alternative: number;
  /** True if not all ways to plug values were tried. */
  readonly isCut: boolean;
  /** Set where the comparison of the two results grew too large; it counts as wrong. */
  readonly isUndecided?: true;
  /** In mode `bird`, where correct queries are timed: the reward of R-VES. It differs from run to run. */
  readonly reward?: number;
}

/** Batches in work or waiting at a time: enough to keep all processes busy, few enough to hold few queries. */
const SIDE_BY_SIDE = 8;

function verdictOf(
  { reference, candidate }: Comparison,
  { reference: gold, candidates }: ComparisonTask,
  isCut: boolean,
): Omit<ExecutionVerdict, 'id'> {
  if (typeof reference !== 'number') {
    const reason = badGoldReason(failedTrial(reference, gold));
    return { goldRows: null, alternative: 0, isCut: false, outcome: 'bad-gold', reason };
  }
  if (candidate === null) return { goldRows: reference, alternative: 0, isCut: false, outcome: 'empty' };
  const { at, outcome } = candidate;
  const sql = candidates[at] ?? '';
  const common = {
    goldRows: reference,
    alternative: at,
    isCut,
    ...(at > 0 && { plugged: sql }),
    ...birdScores(outcome),
  };
  if (outcome.kind !== 'rows') return { ...common, ...failedTrial(outcome, sql) };
  if (outcome.match === 'undecided') return { ...common, outcome: 'wrong', reason: UNDECIDED, isUndecided: true };
  return { ...common, outcome: outcome.match === 'equal' ? 'correct' : 'wrong' };
}

function birdScores(outcome: CandidateOutcome): BirdScores {
  if (outcome.kind !== 'rows' || outcome.softF1 === undefined) return {};
  const { softF1, reward } = outcome;
  return { softF1, ...(reward !== undefined && { reward }) };
}

/**
 * Execution accuracy: a prediction is correct when its result on the database equals the gold's, in a named mode. SQL
 * is run by a `QueryRunner`: it can't write, and one that does not end costs only itself. Double-quoted strings count
 * as SQLite's command line has them, `! =` as `!=`. Of values plugged in, the first query that is correct or does not
 * end decides: the others would not end, either.
 */
export class ExecutionMatch implements Metric<ExecutionVerdict> {
  readonly id = 'execution';
  readonly fingerprint: string;
  /** The mode, tolerance and values by name, with their version. */
  readonly mode: string;
  readonly #options: ExecutionMatchOptions;
  readonly #queries: ExecutableQueries;

  constructor(options: ExecutionMatchOptions) {
    const { plug = false, mode, tolerance = null, dropDistinct = false } = options;
    const plugLimit = plug === false ? 1 : plug === true ? PLUG_LIMIT : plug.limit;
    this.#options = options;
    this.#queries = new ExecutableQueries({ mode, plugLimit, dropDistinct });
    this.mode = executionModeName(mode, { tolerance, plugLimit, dropDistinct });
    this.fingerprint = `execution-${this.mode}`;
  }

  async judge(pairs: readonly EvaluationPair[], context: StageContext): Promise<readonly ExecutionVerdict[]> {
    const verdicts = new Array<ExecutionVerdict>(pairs.length);
    const running = new Set<Promise<void>>();
    const progress = progressOf(pairs.length, this.id, context);
    const tasks = executionTasks(pairs, this.#options.databaseOf);
    try {
      for (const batch of executionBatches(tasks, this.#queries)) {
        if (running.size >= SIDE_BY_SIDE) await Promise.race(running);
        context.signal.throwIfAborted();
        const work = this.#judgeBatch(batch, context, progress).then((judged) => {
          running.delete(work);
          judged.forEach((verdict, i) => {
            for (const at of batch[i]?.of.pairs ?? []) verdicts[at] = { id: pairs[at]?.id ?? '', ...verdict };
          });
        });
        running.add(work);
      }
      await Promise.all(running);
    } finally {
      await Promise.allSettled(running);
    }
    return verdicts;
  }

  /**
   * The queries to execute for a pair: its gold query, and the prediction with the values that a verdict was found
   * with.
   */
  executedFor(pair: Omit<EvaluationPair, 'id'>, alternative: number): { gold: string; predicted: string | null } {
    const { reference, candidates } = this.#queries.queriesOf(pair);
    return { gold: reference, predicted: candidates[alternative] ?? null };
  }

  async #judgeBatch(
    batch: readonly { readonly of: ExecutionTask; readonly task: ComparisonTask; readonly isCut: boolean }[],
    { signal }: StageContext,
    progress: (pairs: number) => void,
  ): Promise<readonly Omit<ExecutionVerdict, 'id'>[]> {
    const { runner, mode, tolerance = null, rounds = 0, endsEarly = false } = this.#options;
    const tasks = batch.map(({ task }) => task);
    const equality = { mode, tolerance, endsEarly, ...(rounds > 0 && { rounds }) };
    const results = await runner.compare(tasks, equality, signal, {
      progress: (done) => progress(batch[done - 1]?.of.pairs.length ?? 1),
    });
    return zip(batch, results).map(([{ task, isCut }, result]) => verdictOf(result, task, isCut));
  }
}

function progressOf(total: number, stage: string, context: StageContext): (pairs: number) => void {
  let done = 0;
  return (pairs) => context.emit({ kind: 'progress', stage, done: (done += pairs), total });
}
