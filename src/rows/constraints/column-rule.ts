import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Rng } from '../../stage.js';
import { timeFormat, type TimeFormat } from '../values/time-values.js';
import type { StorageKind } from './row-constraint.js';

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
export function isNumberText(text: string): boolean {
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
