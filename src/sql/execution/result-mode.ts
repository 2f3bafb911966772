import { type ColumnMatch, matchColumns, matchOrderedColumns } from './column-matching.js';
import type { QueryRows, ResultValue } from './query-outcome.js';
import { compareResults, type ComparisonMode } from './result-comparison.js';
import { type Closeness, isClose, isNumberFrom, matchTolerantly } from './tolerant-matching.js';
import { DIGITS, type ValueIdentity, valueKey } from './value-key.js';
import { whereReadable } from '../sql-fault.js';
import { meaningfulTokens, type Token } from '../tokenizer.js';

/**
 * When two results are equal, whatever their columns are called. `bag`: the same rows, each as often; `set`: the same
 * rows; `ordered`: as `bag`, and in the same sequence where the reference query has an ORDER BY of its own (which is how
 * Spider's and BIRD's successors ask); `bag-any-column-order` and `ordered-any-column-order` allow the columns in
 * another order, as the public test-suite evaluator does.
 */
export const RESULT_MODES = ['bag', 'set', 'ordered', 'bag-any-column-order', 'ordered-any-column-order'] as const;
export type ResultMode = (typeof RESULT_MODES)[number];

/**
 * When published evaluators call two results equal, faults and all. `test-suite` (Zhong et al. 2020): as
 * `ordered-any-column-order`; `bird` (Li et al. 2023): as `set`. For both any two empty results are equal, however many
 * columns they have, and numbers count as Python compares them: 1 = 1.0, but 0.1 + 0.2 is not 0.3.
 */
export const PUBLISHED_MODES = ['test-suite', 'bird'] as const;
export type PublishedMode = (typeof PUBLISHED_MODES)[number];

/** Numbers count by value and to ten significant digits, 1 = 1.0 and 0.1 + 0.2 = 0.3; texts are never numbers. */
export const RESULT_IDENTITY: ValueIdentity = 'numeric';

/** How two results are compared. */
export interface ResultEquality {
  readonly mode: ResultMode | PublishedMode;
  /** `matchTolerantly`: how far apart two numbers may be of which one is a real; null: the same to ten digits. */
  readonly tolerance: number | null;
  /** How often queries that are correct are timed against the reference, in mode `bird`; default: never. */
  readonly rounds?: number;
  /**
   * True if reading ends where a result can't be equal any more: it is `different` then, though it might have grown too
   * large, or not have ended, later. Not in mode `bird`.
   */
  readonly endsEarly?: boolean;
}

/**
 * From here on a key takes every real for the nearest whole number and compares that to the last digit, so to too many.
 */
const TEN_DIGITS: Closeness = { tolerance: 10 ** -DIGITS, from: 10 ** DIGITS };

const hasReals = ({ rows }: QueryRows, from: number): boolean =>
  rows.some((row) => row.some((value) => typeof value === 'number' && isNumberFrom(value, from)));

/** The ways in which numbers may differ, one after the other. */
const closenesses = (tolerance: number | null): readonly Closeness[] =>
  tolerance === null ? [TEN_DIGITS] : [TEN_DIGITS, { tolerance, from: 0 }];

/** Checks whether a value equals no others than those that share its key. */
export function hasOneKey(value: ResultValue, tolerance: number | null): boolean {
  return !closenesses(tolerance).some(({ from }) => isNumberFrom(value, from));
}

/** Checks whether two values are equal where `sameResult` compares results. */
export function sameValue(left: ResultValue, right: ResultValue, tolerance: number | null): boolean {
  return (
    valueKey(left, RESULT_IDENTITY) === valueKey(right, RESULT_IDENTITY) ||
    closenesses(tolerance).some((closeness) => isClose(left, right, closeness))
  );
}

/**
 * Checks whether a result holds reals that may be equal to others though their keys differ: `sameResult` compares them.
 */
export const hasLargeReals = (result: QueryRows): boolean => hasReals(result, TEN_DIGITS.from);

/**
 * Checks whether two results are equal; `isOrdered` is whether the reference orders its rows. A tolerance only adds to
 * what is equal without it.
 */
export function sameResult(
  reference: QueryRows,
  other: QueryRows,
  { mode, tolerance }: ResultEquality,
  isOrdered: boolean,
): ColumnMatch {
  if (isPublished(mode)) return sameAsPublished(reference, other, mode, isOrdered);
  if (reference.columns.length !== other.columns.length) return 'different';
  if (mode !== 'set' && reference.rows.length !== other.rows.length) return 'different';
  const isInOrder = isOrdered && mode.startsWith('ordered');
  const isAnyColumn = mode.endsWith('-any-column-order');
  const rows = isInOrder ? 'ordered' : mode === 'set' ? 'set' : 'bag';
  let match = matchExactly(reference, other, { rows, isAnyColumn, identity: RESULT_IDENTITY });
  for (const closeness of closenesses(tolerance)) {
    const mayDiffer = [reference, other].some((result) => hasReals(result, closeness.from));
    if (match !== 'equal' && mayDiffer) match = matchTolerantly(reference, other, { rows, isAnyColumn, ...closeness });
  }
  return match;
}

const isPublished = (mode: ResultMode | PublishedMode): mode is PublishedMode =>
  PUBLISHED_MODES.some((published) => published === mode);

function sameAsPublished(reference: QueryRows, other: QueryRows, mode: PublishedMode, isOrdered: boolean): ColumnMatch {
  if (reference.rows.length === 0 && other.rows.length === 0) return 'equal';
  if (reference.columns.length !== other.columns.length) return 'different';
  if (mode === 'bird') return matchExactly(reference, other, { rows: 'set', isAnyColumn: false, identity: 'python' });
  if (reference.rows.length !== other.rows.length) return 'different';
  const rows = isOrdered ? 'ordered' : 'bag';
  return matchExactly(reference, other, { rows, isAnyColumn: true, identity: 'python' });
}

interface ExactMatching {
  readonly rows: ComparisonMode;
  readonly isAnyColumn: boolean;
  readonly identity: ValueIdentity;
}

function matchExactly(
  reference: QueryRows,
  other: QueryRows,
  { rows, isAnyColumn, identity }: ExactMatching,
): ColumnMatch {
  if (!isAnyColumn) return compareResults(reference, other, rows, identity) === null ? 'equal' : 'different';
  if (rows === 'ordered') return matchOrderedColumns(reference, other, identity) ? 'equal' : 'different';
  return matchColumns(reference, other, identity);
}

/** For each token the number of parentheses it is in; a parenthesis itself counts as outside of its pair. */
function depthsOf(tokens: readonly Token[]): number[] {
  let depth = 0;
  return tokens.map(({ text }) => {
    if (text === ')') depth -= 1;
    const own = depth;
    if (text === '(') depth += 1;
    return own;
  });
}

/** The tokens of a query without parentheses around the whole of it. */
function unwrap(tokens: readonly Token[]): readonly Token[] {
  const depths = depthsOf(tokens);
  const isWrapped =
    tokens[0]?.text === '(' && tokens.at(-1)?.text === ')' && depths.slice(1, -1).every((depth) => depth > 0);
  return isWrapped ? unwrap(tokens.slice(1, -1)) : tokens;
}

const isWord = (token: Token | undefined, word: string): boolean =>
  token?.kind === 'word' && token.text.toUpperCase() === word;

/**
 * Checks whether the order of a query's rows is the query's own: whether its outermost SELECT, or the whole compound,
 * has an ORDER BY. One in a subquery, a common table, a window or an aggregate orders no rows of the result. Decided by
 * the tokens, so that it can also be told of SQL that is not SQLite's.
 * @throws SqlRewriteError where the text does not consist of SQL tokens
 */
export function ordersResult(sql: string): boolean {
  const tokens = meaningfulTokens(sql).filter((token) => token.text !== ';');
  const query = unwrap(tokens);
  const depths = depthsOf(query);
  return query.some((token, i) => depths[i] === 0 && isWord(token, 'ORDER') && isWord(query[i + 1], 'BY'));
}

/**
 * Checks whether the sequence of rows counts: the gold orders them itself. What can't be cut in tokens orders nothing.
 */
export function isOrderMeant(gold: string): boolean {
  if (!/\border\b/i.test(gold)) return false;
  return whereReadable(() => ordersResult(gold), false);
}

/**
 * Checks whether the sequence of rows counts when results are compared with the gold's in a mode that heeds it; for the
 * published test-suite evaluator it does where the gold has `order by` anywhere, in a subquery or a string, too.
 */
export function isOrderMeantIn(mode: ResultMode | PublishedMode, gold: string): boolean {
  return mode === 'test-suite' ? gold.toLowerCase().includes('order by') : isOrderMeant(gold);
}
