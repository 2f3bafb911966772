import pLimit from 'p-limit';
import { sha256Of, streamSha256 } from '../../run/sha256.js';
import type { Database } from '../../schema/schema.js';
import type { QueryOutcome, QueryRows } from '../../sql/execution/query-outcome.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';
import type { QueryRunner } from '../../sql/execution/query-runner.js';
import type { StageContext } from '../../stage.js';
import type { EvaluationPair, Metric, Outcome, Verdict } from '../metric.js';
import { PLUG_LIMIT, plugValues } from '../plug-values.js';
import { EXECUTION_VERSION, type ExecutionMode, isOrderMeant, sameResult } from './execution-mode.js';
import { QueryResults } from './query-results.js';

export interface ExecutionMatchOptions {
  /** Runs the queries, with its limits; the caller closes it. */
  readonly runner: QueryRunner;
  /** The SQLite file of a database, and scripts of views over it where it has any. */
  readonly sourceOf: (database: Database) => QuerySource;
  readonly mode: ExecutionMode;
  /** Whether predictions get the gold's values (`plugValues`), and in how many ways at most; default: they stay as they are. */
  readonly plug?: boolean | { readonly limit: number };
}

export interface ExecutionVerdict extends Verdict {
  /** Rows of the gold's result: where it is 0, an empty result is correct. Null where it has none. */
  readonly goldRows: number | null;
  /** Of `plugValues`, which query decided, from 0; 0 is the prediction as it is. */
  readonly alternative: number;
  /** Whether not all ways to plug values were tried. */
  readonly isCut: boolean;
}

/** What a single query came to, against the gold's result. */
interface Trial {
  readonly outcome: Outcome;
  readonly reason?: string;
}

/** Pairs in work at a time: enough to keep all processes busy, few enough to hold few results. */
const SIDE_BY_SIDE = 8;

/** SQLite's words for text that is no SQL. */
const NO_SQL = /syntax error|unrecognized token|incomplete input/i;

/** First words of statements that do something else than read; other texts that are refused are no SQL. */
const STATEMENT =
  /^\s*(?:alter|analyze|attach|begin|commit|create|delete|detach|drop|end|explain|insert|pragma|reindex|release|replace|rollback|savepoint|update|vacuum)\b/i;

function failedTrial(outcome: Exclude<QueryOutcome, QueryRows>, sql: string): Trial {
  switch (outcome.kind) {
    case 'failed':
      return { outcome: NO_SQL.test(outcome.message) ? 'unparsable' : 'failing', reason: outcome.message };
    case 'refused': {
      const isProse = outcome.reason === 'not-a-select' && !STATEMENT.test(sql);
      return { outcome: isProse ? 'unparsable' : 'refused', reason: outcome.reason };
    }
    case 'too-large':
      return { outcome: 'too-large', reason: `more ${outcome.limit} than allowed` };
    case 'timed-out':
      return { outcome: 'timed-out' };
  }
}

async function hashOf({ file, setup = [] }: QuerySource): Promise<string> {
  const scripts = setup.map((script) => (typeof script === 'string' ? sha256Of(script) : streamSha256(script.file)));
  const [own, ...others] = await Promise.all([file === null ? '' : streamSha256(file), ...scripts]);
  return others.length === 0 ? (own ?? '') : sha256Of([own, ...others].join('\n'));
}

/**
 * Execution accuracy: a prediction is correct when its result on the database equals the gold's, in a named mode. SQL
 * is run by a `QueryRunner`: it can't write, and one that does not end costs only itself. Double-quoted strings count
 * as SQLite's command line has them, `! =` as `!=`.
 */
export class ExecutionMatch implements Metric<ExecutionVerdict> {
  readonly id = 'execution';
  readonly fingerprint: string;
  readonly #options: ExecutionMatchOptions;
  readonly #plugLimit: number;
  readonly #results: QueryResults;

  constructor(options: ExecutionMatchOptions) {
    const { plug = false } = options;
    this.#options = options;
    this.#plugLimit = plug === false ? 1 : plug === true ? PLUG_LIMIT : plug.limit;
    this.#results = new QueryResults(options.runner);
    const plugged = this.#plugLimit > 1 ? `-plugged-${this.#plugLimit}` : '';
    this.fingerprint = `execution-${options.mode}${plugged}@${EXECUTION_VERSION}`;
  }

  async judge(pairs: readonly EvaluationPair[], context: StageContext): Promise<readonly ExecutionVerdict[]> {
    const limit = pLimit(SIDE_BY_SIDE);
    let done = 0;
    return Promise.all(
      pairs.map((pair) =>
        limit(async () => {
          const verdict = await this.#judgePair(pair, context.signal);
          context.emit({ kind: 'progress', stage: this.id, done: (done += 1), total: pairs.length });
          return verdict;
        }),
      ),
    );
  }

  /** sha256 of each database's file and scripts, by id in order: what a result is a result of. */
  async databaseHashes(databases: Iterable<Database>): Promise<Readonly<Record<string, string>>> {
    const sorted = [...new Map([...databases].map((database) => [database.id, database])).values()].sort((a, b) =>
      a.id < b.id ? -1 : 1,
    );
    const hashes: Record<string, string> = {};
    for (const database of sorted) hashes[database.id] = await hashOf(this.#options.sourceOf(database));
    return hashes;
  }

  #run({ database }: EvaluationPair, sql: string, signal: AbortSignal): Promise<QueryOutcome> {
    return this.#results.of(sql, database, this.#options.sourceOf(database), signal);
  }

  async #judgePair(pair: EvaluationPair, signal: AbortSignal): Promise<ExecutionVerdict> {
    signal.throwIfAborted();
    const none = { id: pair.id, goldRows: null, alternative: 0, isCut: false };
    const gold = await this.#run(pair, pair.gold, signal);
    if (gold.kind !== 'rows') {
      const { outcome, reason } = failedTrial(gold, pair.gold);
      return { ...none, outcome: 'bad-gold', reason: `${outcome}${reason === undefined ? '' : `: ${reason}`}` };
    }
    if (pair.predicted.trim() === '') return { ...none, goldRows: gold.rows.length, outcome: 'empty' };
    return this.#tryAll(pair, gold, signal);
  }

  /** Stops at the first that is correct, and at the first that does not end: the others would not, either. */
  async #tryAll(pair: EvaluationPair, gold: QueryRows, signal: AbortSignal): Promise<ExecutionVerdict> {
    const { queries, isCut } =
      this.#plugLimit > 1
        ? plugValues(pair.gold, pair.predicted, pair.database, this.#plugLimit)
        : { queries: [pair.predicted], isCut: false };
    let kept: { readonly trial: Trial; readonly at: number } | null = null;
    for (const [at, query] of queries.entries()) {
      const trial = await this.#try(pair, query, gold, signal);
      const isFinal = trial.outcome === 'correct' || trial.outcome === 'timed-out';
      if (isFinal || kept === null || (trial.outcome === 'wrong' && kept.trial.outcome !== 'wrong'))
        kept = { trial, at };
      if (isFinal) break;
    }
    const { trial, at } = kept ?? { trial: { outcome: 'empty' as const }, at: 0 };
    return { id: pair.id, ...trial, goldRows: gold.rows.length, alternative: at, isCut };
  }

  async #try(pair: EvaluationPair, sql: string, gold: QueryRows, signal: AbortSignal): Promise<Trial> {
    const result = await this.#run(pair, sql, signal);
    if (result.kind !== 'rows') return failedTrial(result, sql);
    if (result === gold) return { outcome: 'correct' }; // the same query
    const same = sameResult(gold, result, this.#options.mode, isOrderMeant(pair.gold));
    if (same === 'undecided') return { outcome: 'wrong', reason: 'no correspondence of columns found in time' };
    return { outcome: same === 'equal' ? 'correct' : 'wrong' };
  }
}
