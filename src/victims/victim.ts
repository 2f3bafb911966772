import type { AskingContext, ToldPrompt } from '../chat/chat-asker.js';
import type { Segment } from '../compositional/split/segment.js';
import type { DeclaredTypes } from '../sql/create-tables.js';
import { columnAt, type ColumnRef, type Database } from '../schema/schema.js';
import type { SqlDialect } from '../sql/dialect.js';
import type { QuerySource } from '../sql/execution/query-protocol.js';
import type { Stage } from '../stage.js';
import { type CleaningStep, cleanSql } from '../chat/clean-answer.js';
import type { ExecutionCount, SqlExecutions } from './executions/sql-executions.js';
import { saysNoAnswer } from '../formats/no-answer.js';

/** One question to a model: what it is asked, and the possibly perturbed tables that it is asked of. */
export interface VictimQuestion {
  /** Distinct in a run; predictions are joined by it. */
  readonly id: string;
  readonly question: string;
  readonly dbId: string;
  readonly schema: Database;
  readonly dialect: SqlDialect;
  /** The database that the SQL is meant for, for models that look at cells; null where there is none. */
  readonly databaseFile: string | null;
  /** Sample cell values by table and column position, `samples[table][column]`; possibly empty lists. */
  readonly samples?: readonly (readonly (readonly string[])[])[];
  /** Types that the database declares, as `samples`; absent where there is none. */
  readonly types?: DeclaredTypes;
  /** Sub-sentences, which cover the question, where the victim is to go by them (Spider-SS §4). */
  readonly segments?: readonly Segment[];
  /** Returns the source for a query on its tables; null if there are no rows. `*` is one that reads all columns. */
  readonly sourceOf?: (sql: string) => QuerySource | null;
  /** Set where the victim may query its database before it answers. */
  readonly executions?: SqlExecutions;
  /** Where a program may do so, too: `POST {"sql": …}`; answers only until the question is answered. */
  readonly sqlUrl?: string;
}

/** Failures of the machinery: the model had no chance to answer, or its answer was lost on the way. */
const UNSETTLED_FAILURES = [
  /** Calls or tokens were used up. */
  'budget',
  /** No answer in time. */
  'timeout',
  /** The process ended without an answer. */
  'exited',
  /** The answer is not in the protocol's form. */
  'bad-reply',
  /** An answer to what wasn't asked. */
  'wrong-id',
  /** The model's side reports an error. */
  'error-reply',
  'rate-limited',
  'server-error',
  /** Refused, reset or cut connection. */
  'connection',
] as const;

/** Failures that are the model's own answer: asked again it would say the same. */
const SETTLED_FAILURES = [
  /** Question and schema exceed what the model takes. */
  'too-long',
  /** The model or its content filter declined. */
  'refused',
  /** The answer ended at the limit of its length. */
  'cut-off',
  'empty',
  /** Words, but no SQL. */
  'no-sql',
  /** Predictions from elsewhere hold nothing for it. */
  'unanswered',
] as const;

export const VICTIM_FAILURES = [...UNSETTLED_FAILURES, ...SETTLED_FAILURES] as const;
export type VictimFailureKind = (typeof VICTIM_FAILURES)[number];

/** Why there is no SQL. */
interface VictimFailure {
  readonly kind: VictimFailureKind;
  /** For people: what happened, without secrets. */
  readonly message: string;
}

/** The cost of an answer. */
export interface VictimUsage {
  /** Requests made, retries among them; 0 for one from the cache. */
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** True if the answer is an earlier one's. */
  readonly cached: boolean;
}

/**
 * The answer to a question: `sql`, `columns` or a `failure`, one of them. Plain JSON, for a journal.
 */
export interface VictimAnswer {
  readonly id: string;
  /** One statement without a semicolon, not checked: it may be unparsable or hostile. */
  readonly sql: string | null;
  /** The model's words; empty where there are none. */
  readonly raw: string;
  /** The steps that cleaned away text between `raw` and `sql`, in order. */
  readonly cleaned: readonly CleaningStep[];
  /** Statements that followed the first. */
  readonly rest: readonly string[];
  readonly failure: VictimFailure | null;
  readonly usage: VictimUsage | null;
  /** Of a victim that answers with the columns that a question asks for: these, by their places. */
  readonly columns?: readonly ColumnRef[];
  /** The number of its executions; only if it may execute. */
  readonly executions?: ExecutionCount;
}

export type VictimContext = AskingContext;

/** The end of a composed question's id, after that of its base. */
const COMPOSED_END = /~(?:SUB|AND|OR)\(.*$/s;

/** The example that a question's id begins with: its variants tend to fail together, so they count once. */
export function exampleOf({ id }: Pick<VictimQuestion, 'id'>): string {
  const own = id.replace(COMPOSED_END, '');
  // Before the last colon stands the stem of a file, which may hold a ~ of its own.
  const end = own.indexOf('~', own.lastIndexOf(':') + 1);
  return end < 0 ? own : own.slice(0, end);
}

/**
 * A text-to-SQL model under attack. `fingerprint` names what its answers depend on, without secrets. `dispose` must be
 * called where it exists: it ends processes and closes files.
 */
export interface Victim extends Stage {
  /** How many questions it is given at a time, at least 1. */
  readonly concurrency: number;
  /**
   * Asks one question. What goes wrong with it alone is the answer's `failure`.
   * @throws VictimError or ConfigError when no further question can succeed either; the signal's reason when aborted
   */
  answer(question: VictimQuestion, context: VictimContext): Promise<VictimAnswer>;
  /** Returns the text that the model would be told; nothing is asked. Absent or null if it is told no text. */
  tell?(question: VictimQuestion): Promise<ToldPrompt | null>;
}

/** Checks whether an answer is the model's own; the others a resumed run should ask again. */
export function isSettled({ failure }: Pick<VictimAnswer, 'failure'>): boolean {
  return failure === null || isSettledFailure(failure.kind);
}

/** Checks whether a failure is the model's own answer. */
export function isSettledFailure(failure: VictimFailureKind): boolean {
  return SETTLED_FAILURES.some((kind) => kind === failure);
}

/** The answer to a question that failed. */
export function failedAnswer(
  id: string,
  kind: VictimFailureKind,
  message: string,
  rest: Partial<Pick<VictimAnswer, 'raw' | 'usage'>> = {},
): VictimAnswer {
  return { id, sql: null, raw: '', cleaned: [], rest: [], usage: null, ...rest, failure: { kind, message } };
}

/** The answer that a model's words hold: cleaned, or the failure `empty` or `no-sql`. */
export function readAnswer(id: string, raw: string, usage: VictimUsage | null = null): VictimAnswer {
  if (raw.trim() === '') return failedAnswer(id, 'empty', 'the answer is empty', { raw, usage });
  const { sql, steps, rest } = cleanSql(raw);
  const failure = sql === null ? { kind: 'no-sql' as const, message: 'the answer holds no SQL' } : null;
  return { id, sql, raw, cleaned: steps, rest, failure, usage };
}

/** Columns as people read them: `singer.name, singer.age`. */
export function renderColumns(columns: readonly ColumnRef[], schema: Database): string {
  const named = columns.map(
    (ref) => `${schema.tables[ref.table]?.originalName ?? ''}.${columnAt(schema, ref).originalName}`,
  );
  return named.join(', ');
}

/** The answer of a victim that names columns. */
export function columnsAnswer(id: string, columns: readonly ColumnRef[], schema: Database): VictimAnswer {
  const raw = renderColumns(columns, schema);
  return { id, sql: null, raw, cleaned: [], rest: [], failure: null, usage: null, columns };
}

/** A word for no answer as a query of its own: `SELECT NULL`, `SELECT 'unanswerable'`. */
const CONSTANT = /^select\s+['"]?([^'"]*?)['"]?(?:\s+as\s+\w+)?$/i;

/**
 * Checks whether a victim says that a question has no answer on its schema: no SQL at all, where it was asked and
 * answered with nothing, a word for it (`null`, `unanswerable`, `not answerable` …), or a query that returns but that
 * word. A refusal by a service's filter, prose, and an answer that was never given are none.
 */
export function saysUnanswerable({ sql, raw, failure }: VictimAnswer): boolean {
  if (failure !== null && failure.kind !== 'no-sql') return failure.kind === 'empty';
  const text = (sql ?? raw).trim().replace(/[.;]$/, '').trim();
  const constant = CONSTANT.exec(text)?.[1];
  return saysNoAnswer(text) || (constant !== undefined && saysNoAnswer(constant));
}

type Cost = Readonly<Record<'calls' | 'promptTokens' | 'completionTokens', number>>;

/** Returns the cost of answers; those from a cache cost nothing. */
export function costOf(answers: readonly VictimAnswer[]): Cost {
  const sum = (name: keyof Cost): number =>
    answers.reduce((total, { usage }) => total + (usage === null || usage.cached ? 0 : usage[name]), 0);
  return { calls: sum('calls'), promptTokens: sum('promptTokens'), completionTokens: sum('completionTokens') };
}

/** Why answers are missing, with the number of each. */
export function countFailures(answers: readonly Pick<VictimAnswer, 'failure'>[]): Record<string, number> {
  return countBy(answers.flatMap(({ failure }) => failure?.kind ?? []));
}

/** How often each text is there, in the order of their first. */
export function countBy(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
