import type { SqlDialect } from '../../../sql/dialect.js';
import type { SqlValue } from '../../../sql/execution/query-outcome.js';

/** The facts about a column from SQLite's rows of it. */
interface KnownColumn {
  readonly declaredType: string;
  readonly values: readonly SqlValue[];
}

const DATE = /^date$/i;

/**
 * Types that SQLite and the servers mean the same by, with values of them. CHAR pads, moments have more than one text,
 * and a number that is not whole does not come back from one.
 */
const SHARED: readonly (readonly [type: RegExp, isValue: (value: SqlValue) => boolean])[] = [
  [/^(?:(?:tiny|medium|long)?text|n?varchar|character varying)\b/i, (value) => typeof value === 'string'],
  [/^(?:(?:tiny|small|medium|big)?int(?:eger)?|int[248])\b/i, (value) => typeof value === 'bigint'],
  [DATE, (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)],
];

/** Checks whether a column holds dates, which a server has a type for. */
export function isDateType({ declaredType }: Pick<KnownColumn, 'declaredType'>): boolean {
  return DATE.test(declaredType);
}

/**
 * The form under which a server compares texts, by its default collation: MySQL's know no case, accents or spaces
 * behind.
 */
export function comparedText(text: string, dialect: SqlDialect): string {
  return dialect.name === 'mysql' ? dialect.fold(text).trimEnd() : text;
}

/**
 * Checks whether a server has a column as SQLite has it: by a type that both mean the same by, and values that both
 * distinguish.
 */
export function isSameOnServer({ declaredType, values }: KnownColumn, dialect: SqlDialect): boolean {
  if (dialect.name === 'sqlite') return true;
  const isValue = SHARED.find(([type]) => type.test(declaredType))?.[1];
  if (isValue === undefined || !values.every(isValue)) return false;
  // MySQL's collations take other spaces for the usual one, and a backslash of a text begins an escape.
  if (dialect.name === 'mysql' && values.some((value) => /[^\S ]|\\/.test(String(value)))) return false;
  return new Set(values.map((value) => comparedText(String(value), dialect))).size === values.length;
}
