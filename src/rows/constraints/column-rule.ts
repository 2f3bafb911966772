import type Sqlite from 'better-sqlite3';
import { getOrMake } from '../../present.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Rng } from '../../stage.js';
import { detectTimes, timeFormat, type TimeFormat } from '../values/time-values.js';
import type { ConstraintEvidence, StorageKind } from './row-constraint.js';
import type { ColumnType } from '../../schema/schema.js';
import { affinityOf } from '../../sql/affinity.js';
import { quoteIdentifier } from '../../sql/dialect.js';

/** The rule that the values of one column satisfy; NULL is no value. */
export interface ColumnRule {
  /** Null: of several kinds. */
  readonly storage: StorageKind | null;
  /** True if numbers that are stored as real are whole: years, amounts without cents. */
  readonly isWhole: boolean;
  /** Of numbers, and of times in milliseconds since 1970 (UTC); null: no bound. */
  readonly least: number | null;
  readonly most: number | null;
  readonly format: TimeFormat | null;
  /** By a text in lower case, the ways in which it may be written; null where letter case is free. */
  readonly spellings: ReadonlyMap<string, ReadonlySet<string>> | null;
  /** Texts that are taken as they are: the original's own, and what gold queries ask for. */
  readonly known: ReadonlySet<string>;
}

const NUMBER_TEXT = /^-?\d+(?:\.\d+)?$/u;

/** Checks whether a text is a plain number, as `numeric-text` columns hold. */
function isNumberText(text: string): boolean {
  return NUMBER_TEXT.test(text);
}

function isWithin({ least, most }: ColumnRule, number: number): boolean {
  return (least === null || number >= least) && (most === null || number <= most);
}

function acceptsText(rule: ColumnRule, text: string): boolean {
  const spelled = rule.spellings?.get(text.toLowerCase());
  if (spelled !== undefined && !spelled.has(text)) return false;
  if (rule.known.has(text)) return true;
  if (rule.storage === 'numeric-text') return isNumberText(text) && isWithin(rule, Number(text));
  return rule.storage !== 'time' || rule.format?.parse(text) != null;
}

/** Checks whether a stored value keeps to a rule. */
export function keepsRule(rule: ColumnRule, value: SqlValue): boolean {
  if (value === null) return true;
  const { storage } = rule;
  if (typeof value === 'string') return storage !== 'integer' && storage !== 'number' && acceptsText(rule, value);
  if (storage === null) return true;
  if (typeof value === 'bigint')
    return (storage === 'integer' || storage === 'number') && isWithin(rule, Number(value));
  const isKind = storage === 'number' && (!rule.isWhole || Number.isInteger(value));
  return typeof value === 'number' && isKind && isWithin(rule, value);
}

/** Checks whether all values that keep to one rule keep to another, as far as storage and bounds tell. */
export function impliesRule(rule: ColumnRule, other: ColumnRule): boolean {
  if (other.spellings !== null && rule.spellings === null) return false;
  if (other.storage === null) return true;
  if (other.isWhole && !rule.isWhole && rule.storage !== 'integer') return false;
  const isKind = rule.storage === other.storage || (rule.storage === 'integer' && other.storage === 'number');
  const isAbove = other.least === null || (rule.least !== null && rule.least >= other.least);
  return isKind && isAbove && (other.most === null || (rule.most !== null && rule.most <= other.most));
}

/** From where random numbers without a bound begin, and how far they reach. */
const FROM = 1;
const REACH = 2 ** 31;
const DAY = 86_400_000;

/**
 * A value that a rule of numbers or times asks for; undefined where it asks for neither. It is one of `reach`
 * neighboring numbers or days, at `offset`, a share in [0, 1] of the range; a `reach` of 1 is the place itself.
 */
export function ruledValue(rule: ColumnRule, offset: number, reach: number, rng: Rng): SqlValue | undefined {
  const { storage } = rule;
  if (storage === 'time') {
    const [low, high] = [rule.least ?? 0, rule.most ?? Date.UTC(2024, 11, 31)];
    const width = Math.min(high - low, (reach - 1) * DAY);
    const time = low + Math.floor(offset * (high - low - width)) + Math.floor(rng.next() * width);
    return (rule.format ?? timeFormat('YYYY-MM-DD')).render(time);
  }
  if (storage === null || storage === 'text') return undefined;
  const from = Math.ceil(rule.least ?? Math.min(FROM, rule.most ?? FROM));
  const width = Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, Math.floor(rule.most ?? from + REACH) - from + 1));
  const size = Math.min(reach, width);
  const whole = from + Math.min(width - size, Math.floor(offset * (width - size + 1))) + rng.int(size);
  if (storage === 'numeric-text') return String(whole);
  const part = storage === 'number' && rng.int(2) === 0 ? Math.round(rng.next() * 100) / 100 : 0;
  if (part > 0 && !rule.isWhole && isWithin(rule, whole + part)) return whole + part;
  return storage === 'number' && !Number.isSafeInteger(whole) ? whole : BigInt(whole);
}

/** Distinct texts of a column that are looked at; more are none that repeat in another letter case. */
const MOST_TEXTS = 5_000;
/** As many distinct whole numbers in a column of real ones, and no fraction, are no accident. */
const LEAST_WHOLE = 5;
/** The range of a column that holds one number reaches so far on either side. */
const LEAST_SPAN = 10;
/** The same of times, in milliseconds: a year, so that a month is not that of one year alone. */
const LEAST_TIME_SPAN = 366 * 86_400_000;

/** A column whose values are to be known. */
interface MinedColumn {
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
    getOrMake(spellings, constant.toLowerCase(), () => new Set()).add(constant);
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
