import type Sqlite from 'better-sqlite3';
import type { ColumnType } from '../../schema/schema.js';
import { affinityOf } from '../../sql/affinity.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import { detectTimes } from '../values/time-values.js';
import { isNumberText, type ColumnRule } from './column-rule.js';
import type { ConstraintEvidence, StorageKind } from './row-constraint.js';

/** Distinct texts of a column that are looked at; more are none that repeat in another letter case. */
const MOST_TEXTS = 5_000;
/** As many distinct whole numbers in a column of real ones, and no fraction, are no accident. */
const LEAST_WHOLE = 5;
/** The range of a column that holds one number reaches so far on either side. */
const LEAST_SPAN = 10;
/** The same of times, in milliseconds: a year, so that a month is not that of one year alone. */
const LEAST_TIME_SPAN = 366 * 86_400_000;

/** A column whose values are to be known. */
export interface MinedColumn {
  /** The table to select from. */
  readonly from: string;
  readonly name: string;
  readonly declaredType: string;
  /** Of the data set's schema; null where it lacks the column. */
  readonly type: ColumnType | null;
  /** 0: only the declaration is to be looked at. */
  readonly rows: number;
  /** The constants that gold queries compare it with. */
  readonly constants: readonly SqlValue[];
  /** True if it is, or refers to, a key: then numbers are names, and have no range. */
  readonly isKey: boolean;
}

interface Found {
  readonly kinds: ReadonlySet<string>;
  readonly texts: readonly string[];
  readonly least: number | null;
  readonly most: number | null;
  /**
   * True if real numbers are all whole, and enough of them; then fractions would be values that the column never has.
   */
  readonly areWhole: boolean;
}

const NOTHING = {
  storage: null,
  isWhole: false,
  least: null,
  most: null,
  format: null,
  spellings: null,
  known: new Set<string>(),
} as const;

function readColumn(sqlite: Sqlite.Database, { from, name }: MinedColumn): Found {
  const column = quoteIdentifier(name);
  const kinds = sqlite
    .prepare(`SELECT DISTINCT typeof(${column}) FROM ${from} WHERE ${column} IS NOT NULL`)
    .pluck()
    .all() as string[];
  const texts = sqlite
    .prepare(`SELECT DISTINCT ${column} FROM ${from} WHERE typeof(${column}) = 'text' LIMIT ${MOST_TEXTS}`)
    .pluck()
    .all() as string[];
  const ends = sqlite
    .prepare(`SELECT min(${column}), max(${column}) FROM ${from} WHERE typeof(${column}) IN ('integer', 'real')`)
    .raw()
    .get() as (number | null)[];
  const areWhole = kinds.includes('real') && hasWholeReals(sqlite, column, from);
  return { kinds: new Set(kinds), texts, least: ends[0] ?? null, most: ends[1] ?? null, areWhole };
}

function hasWholeReals(sqlite: Sqlite.Database, column: string, from: string): boolean {
  const fractions = sqlite.prepare(
    `SELECT 1 FROM ${from} WHERE typeof(${column}) = 'real' AND ${column} <> CAST(${column} AS INTEGER) LIMIT 1`,
  );
  if (fractions.get() !== undefined) return false;
  const distinct = sqlite.prepare(
    `SELECT count(*) FROM (SELECT DISTINCT ${column} FROM ${from} WHERE ${column} IS NOT NULL LIMIT ${LEAST_WHOLE})`,
  );
  return distinct.pluck().get() === LEAST_WHOLE;
}

const numbersIn = (values: readonly SqlValue[]): readonly number[] =>
  values.flatMap((value) => {
    if (typeof value === 'string') return isNumberText(value) ? [Number(value)] : [];
    return typeof value === 'bigint' || typeof value === 'number' ? [Number(value)] : [];
  });

/**
 * The range around what was seen, as far again on either side, and around what gold queries ask for; never below 0
 * where nothing was.
 */
function rangeOf(
  seen: readonly [number, number],
  { constants, isKey }: MinedColumn,
): Pick<ColumnRule, 'least' | 'most'> {
  const [low, high] = seen;
  const isPositive = low >= 0;
  if (isKey) return { least: isPositive ? 0 : null, most: null };
  const span = Math.max(high - low, LEAST_SPAN);
  const asked = numbersIn(constants);
  const pad = (number: number): number => Math.max(2, span / 2, Math.abs(number) / 10);
  const least = Math.min(low - span, ...asked.map((number) => number - pad(number)));
  const most = Math.max(high + span, ...asked.map((number) => number + pad(number)));
  return { least: Math.floor(isPositive ? Math.max(0, least) : least), most: Math.ceil(most) };
}

/** By a text in lower case, how it is written; null where two texts differ in letter case alone. */
function spellingsOf(texts: readonly string[], constants: readonly SqlValue[]): ColumnRule['spellings'] {
  const spellings = new Map(texts.map((text) => [text.toLowerCase(), new Set([text])]));
  if (spellings.size < texts.length) return null;
  for (const constant of constants) {
    if (typeof constant !== 'string') continue;
    const known = spellings.get(constant.toLowerCase());
    if (known === undefined) spellings.set(constant.toLowerCase(), new Set([constant]));
    else known.add(constant);
  }
  return spellings;
}

const textsIn = (values: readonly SqlValue[]): readonly string[] =>
  values.filter((value): value is string => typeof value === 'string');

function textRule({ texts }: Found, column: MinedColumn): ColumnRule {
  const { constants } = column;
  if (texts.every(isNumberText)) {
    const numbers = texts.map(Number);
    const seen = [Math.min(...numbers), Math.max(...numbers)] as const;
    return { ...NOTHING, storage: 'numeric-text', ...rangeOf(seen, column), known: new Set(texts) };
  }
  const known = new Set([...texts, ...textsIn(constants)]);
  const style = detectTimes(texts);
  if (style !== null && !style.format.isYear) {
    const span = Math.max(style.high - style.low, LEAST_TIME_SPAN);
    const range = { least: style.low - span, most: style.high + span };
    return { ...NOTHING, storage: 'time', ...range, format: style.format, known };
  }
  return { ...NOTHING, storage: 'text', spellings: spellingsOf(texts, constants), known };
}

function observedRule(found: Found, column: MinedColumn): ColumnRule | null {
  const { kinds, least, most } = found;
  if (kinds.size === 1 && kinds.has('text')) return textRule(found, column);
  if (![...kinds].every((kind) => kind === 'integer' || kind === 'real')) return null;
  const isWhole = found.areWhole && numbersIn(column.constants).every(Number.isInteger);
  const storage: StorageKind = kinds.has('real') ? 'number' : 'integer';
  return { ...NOTHING, storage, isWhole, ...rangeOf([least ?? 0, most ?? 0], column) };
}

/** Only what is no number by its declaration and in the data set's schema may hold text. */
function declaredRule({ declaredType, type, constants }: MinedColumn): ColumnRule | null {
  const affinity = affinityOf(declaredType);
  if (affinity === 'INTEGER' || affinity === 'REAL') return { ...NOTHING, storage: 'number' };
  if (affinity === 'TEXT' && type === 'text')
    return { ...NOTHING, storage: 'text', known: new Set(textsIn(constants)) };
  return affinity === 'NUMERIC' && type === 'number' ? { ...NOTHING, storage: 'number' } : null;
}

/** Mines the rule that a column's values satisfy, with the evidence; null if nothing is known. */
export function mineColumn(
  sqlite: Sqlite.Database,
  column: MinedColumn,
): { readonly rule: ColumnRule; readonly evidence: ConstraintEvidence } | null {
  const found = column.rows === 0 ? null : readColumn(sqlite, column);
  const rule = found === null || found.kinds.size === 0 ? declaredRule(column) : observedRule(found, column);
  const evidence = found === null || found.kinds.size === 0 ? 'declared' : 'observed';
  return rule === null ? null : { rule, evidence };
}
