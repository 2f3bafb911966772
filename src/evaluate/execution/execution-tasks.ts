import { whereReadable } from '../../sql/sql-fault.js';
import { compareText } from '../../present.js';
import { isTrivia, type Token, tokenize } from '../../sql/tokenizer.js';
import { memoize, memoizeObject } from '../../schema/memoize.js';
import type { Database } from '../../schema/schema.js';
import { executableSql } from '../../sql/executable-sql.js';
import type { ComparisonTask, FailedOutcome, QuerySource } from '../../sql/execution/query-protocol.js';
import type { EvaluationPair, Outcome } from '../metric.js';
import { type PluggedQueries, plugValues } from '../plug-values.js';
import { isOrderMeantIn, type PublishedMode, type ResultMode } from '../../sql/execution/result-mode.js';

/** When two results are equal, with the gold as the reference: `RESULT_MODES`, and as published evaluators say it. */
export type ExecutionMode = ResultMode | PublishedMode;

/** Versions of the modes: a change of what counts as equal is another one. */
const EXECUTION_VERSION = 2;
const BIRD_VERSION = 3;

/** Changes to queries before they are executed, and the tolerance between numbers. */
export interface ExecutionSettings {
  readonly tolerance: number | null;
  /** Queries that a prediction becomes with the gold's values at most; 1 leaves it as it is. */
  readonly plugLimit: number;
  readonly dropDistinct: boolean;
}

/** The name of a way to compare, with its version: `ordered@2`, `bag-tolerance-0.001@2`. */
export function executionModeName(
  mode: ExecutionMode,
  { tolerance, plugLimit, dropDistinct }: ExecutionSettings,
): string {
  const tolerant = tolerance === null ? '' : `-tolerance-${tolerance}`;
  const plugged = plugLimit > 1 ? `-plugged-${plugLimit}` : '';
  return `${mode}${tolerant}${plugged}${dropDistinct ? '-no-distinct' : ''}@${mode === 'bird' ? BIRD_VERSION : EXECUTION_VERSION}`;
}

/** The outcome of a single query without a result. */
export interface FailedTrial {
  readonly outcome: Outcome;
  readonly reason?: string;
}

/** Reason of a verdict where the comparison grew too large. */
export const UNDECIDED = 'undecided: no correspondence of rows or columns found in time; it counts as wrong';

/** SQLite's words for text that is no SQL. */
const NO_SQL = /syntax error|unrecognized token|incomplete input/i;

/** First words of statements; other texts that are refused as none that reads are no SQL. */
const STATEMENT =
  /^\s*(?:alter|analyze|attach|begin|commit|create|delete|detach|drop|end|explain|insert|pragma|reindex|release|replace|rollback|savepoint|select|update|vacuum|values|with)\b/i;

/** The outcome of a query that was to be executed and has no result. */
export function failedTrial(outcome: FailedOutcome, sql: string): FailedTrial {
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

/** Describes a gold query without a result. */
export function badGoldReason({ outcome, reason }: FailedTrial): string {
  return `${outcome}${reason === undefined ? '' : `: ${reason}`}`;
}

/** Checks whether DISTINCT comes after SELECT, or first in a call: `IS DISTINCT FROM` is an operator. */
function isDropped(token: Token, before: Token | undefined): boolean {
  if (token.kind !== 'word' || token.text.toUpperCase() !== 'DISTINCT') return false;
  return before?.text === '(' || (before?.kind === 'word' && before.text.toUpperCase() === 'SELECT');
}

/**
 * The query without DISTINCT, in SELECT and in calls such as count(), subqueries included, as the published test-suite
 * evaluator compares by default; the query as it is where it has no tokens of SQL.
 */
export function dropDistinct(sql: string): string {
  if (!/distinct/i.test(sql)) return sql;
  const tokens = whereReadable(() => tokenize(sql), null);
  if (tokens === null) return sql;
  let before: Token | undefined;
  let isAfter = false;
  const kept = tokens.filter((token) => {
    const isGone = isDropped(token, before) || (isAfter && token.kind === 'space');
    isAfter = isGone && token.kind !== 'space';
    if (!isTrivia(token)) before = token;
    return !isGone;
  });
  return kept.map(({ text }) => text).join('');
}

/** A pair, or several that are alike, with what is executed for them. */
export interface ExecutionTask {
  /** Places of its pairs in the list that is judged. */
  readonly pairs: number[];
  readonly pair: EvaluationPair;
  readonly source: QuerySource;
}

/** Queries whose executable form is kept for each database. */
const CACHE_SIZE = 1024;

/** Tasks and queries of one batch at most: some for each process, and none that holds much text. */
const BATCH_TASKS = 128;
const BATCH_QUERIES = 2000;

/** MySQL's word for the year at hand, which SQLite lacks; the published test-suite evaluator lets it be 2020. */
const THIS_YEAR = /year\s*\(\s*curdate\s*\(\s*\)\s*\)\s*/gi;

/** The text that the same evaluator takes for 1 in predictions, in strings too: `= ' value '` becomes `= ' 1 '`. */
const PLACEHOLDER = ' value ';

/**
 * Lists the queries to execute for pairs: each once if they are alike, those of one database together, and those of one
 * gold query one after another.
 */
export function executionTasks(
  pairs: readonly EvaluationPair[],
  databaseOf: (pair: EvaluationPair) => QuerySource,
): readonly ExecutionTask[] {
  const sources = new Map<string, QuerySource>();
  const tasks = new Map<string, ExecutionTask & { readonly order: string }>();
  for (const [i, pair] of pairs.entries()) {
    const given = databaseOf(pair);
    const name = JSON.stringify(given);
    const source = sources.get(name) ?? given;
    sources.set(name, source);
    const key = JSON.stringify([name, pair.gold, pair.predicted, pair.database.id]);
    const task = tasks.get(key);
    if (task === undefined) tasks.set(key, { pairs: [i], pair, source, order: `${name}\n${pair.gold}` });
    else task.pairs.push(i);
  }
  return [...tasks.values()].sort((a, b) => compareText(a.order, b.order));
}

/** The queries executed for a pair. */
export interface ExecutedQueries extends Pick<ComparisonTask, 'reference' | 'candidates' | 'isOrdered'> {
  /** True if not all ways to plug values are among the candidates. */
  readonly isCut: boolean;
}

/** The settings that determine how queries are written. */
type ExecutableSettings = Omit<ExecutionSettings, 'tolerance'> & { readonly mode: ExecutionMode };

/** Writes queries so that they can be executed: strings in single quotes, comparisons in one piece. */
export class ExecutableQueries {
  readonly #settings: ExecutableSettings;
  readonly #writerFor = memoizeObject((database: Database) => memoize((sql) => this.#write(sql, database), CACHE_SIZE));

  constructor(settings: ExecutableSettings) {
    this.#settings = settings;
  }

  /** Returns the queries to execute for a gold query and a prediction. */
  queriesOf({ gold, predicted, database }: Pick<EvaluationPair, 'gold' | 'predicted' | 'database'>): ExecutedQueries {
    const { mode } = this.#settings;
    const reference = this.#writerFor(database)(gold);
    const given = mode === 'test-suite' ? predicted.replaceAll(PLACEHOLDER, ' 1 ') : predicted;
    const plugged = this.#candidates(reference, given, database);
    const isOrdered = isOrderMeantIn(mode, gold);
    return { reference, candidates: plugged.queries, isOrdered, isCut: plugged.isCut };
  }

  #candidates(reference: string, predicted: string, database: Database): PluggedQueries {
    // Python's sqlite3, which BIRD's script asks, runs a text without a statement: the result is empty.
    if (predicted.trim() === '' && this.#settings.mode !== 'bird') return { queries: [], isCut: false };
    const query = this.#writerFor(database)(predicted);
    const { plugLimit } = this.#settings;
    if (plugLimit <= 1 || query === reference) return { queries: [query], isCut: false };
    return plugValues(reference, query, database, plugLimit);
  }

  #write(sql: string, database: Database): string {
    const { mode, dropDistinct: drops } = this.#settings;
    const dated = mode === 'test-suite' ? sql.replace(THIS_YEAR, '2020') : sql;
    return executableSql(drops ? dropDistinct(dated) : dated, database);
  }
}

/** Cuts tasks into batches; the queries of a batch are made when it is asked for. */
export function* executionBatches(
  tasks: readonly ExecutionTask[],
  queries: ExecutableQueries,
): Generator<readonly { readonly of: ExecutionTask; readonly task: ComparisonTask; readonly isCut: boolean }[]> {
  let batch: { of: ExecutionTask; task: ComparisonTask; isCut: boolean }[] = [];
  let count = 0;
  for (const of of tasks) {
    const { isCut, ...texts } = queries.queriesOf(of.pair);
    const made = { of, task: { source: of.source, ...texts }, isCut };
    batch.push(made);
    count += 1 + made.task.candidates.length;
    if (batch.length < BATCH_TASKS && count < BATCH_QUERIES) continue;
    yield batch;
    [batch, count] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
