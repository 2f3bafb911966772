import { foldName } from '../../sql/dialect.js';
import type { ColumnSample, TableSample } from './table-sample.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import { affinityOf, type Affinity } from '../../sql/affinity.js';

/** The kinds of a column's values, for the choice of a declared type. */
export type ValueKind = 'integer' | 'real' | 'text' | 'time' | 'boolean';

function affinityIn(declaredType: string, strict: boolean): Affinity {
  return strict && declaredType.toUpperCase() === 'ANY' ? 'BLOB' : affinityOf(declaredType);
}

const SPECIAL = /BOOL|DATE|TIME|YEAR|^BIT|TINYINT\(1\)/iu;

/** Declared types that may hold a kind of values without changing them. */
function fits(type: string, kind: ValueKind, strict: boolean): boolean {
  const affinity = affinityIn(type, strict);
  switch (kind) {
    case 'integer':
      return !SPECIAL.test(type) && (affinity === 'INTEGER' || affinity === 'NUMERIC');
    case 'real':
      return !SPECIAL.test(type) && (affinity === 'REAL' || affinity === 'NUMERIC');
    case 'text':
      return !SPECIAL.test(type) && affinity === 'TEXT';
    default:
      return true;
  }
}

function holds({ cells }: ColumnSample, kind: ValueKind): boolean {
  const filled = cells.filter((cell) => cell !== null);
  if (kind === 'integer') return filled.every((cell) => typeof cell === 'bigint');
  if (kind === 'real')
    return filled.every((cell) => typeof cell !== 'string') && filled.some((c) => typeof c === 'number');
  return filled.every((cell) => typeof cell === 'string');
}

function mostCommon(types: readonly string[]): string | null {
  const count = (type: string): number => types.filter((other) => foldName(other) === foldName(type)).length;
  return types.reduce<string | null>((best, type) => (best === null || count(type) > count(best) ? type : best), null);
}

const DEFAULTS: Readonly<Record<ValueKind, string>> = {
  integer: 'INTEGER',
  real: 'REAL',
  text: 'TEXT',
  time: 'DATE',
  boolean: 'BOOLEAN',
};

function defaultType(kind: ValueKind, { columns, strict }: TableSample, values: readonly SqlValue[]): string {
  const types = columns.map(({ declaredType }) => declaredType);
  if (!strict && types.length > 0 && types.every((type) => type === '')) return '';
  const plain = values.some((value) => typeof value === 'bigint') ? 'INTEGER' : 'TEXT';
  const special = kind === 'time' || kind === 'boolean';
  const type = special && (strict || !types.some((other) => SPECIAL.test(other))) ? plain : DEFAULTS[kind];
  const written = types.filter((other) => /\p{L}/u.test(other));
  return written.length > 0 && written.every((other) => other === other.toLowerCase()) ? type.toLowerCase() : type;
}

/** A declared length that the values go beyond is raised to the next ten. */
function withLength(type: string, values: readonly SqlValue[]): string {
  const longest = values.reduce<number>(
    (most, value) => (typeof value === 'string' ? Math.max(most, value.length) : most),
    0,
  );
  return type.replace(/(?<=char\s*\()\d+(?=\))/iu, (length) =>
    Number(length) >= longest ? length : String(Math.ceil(longest / 10) * 10),
  );
}

/**
 * A declared type in the style of a table's own declarations: `donor`'s where the values took its style, else the most
 * usual one of the columns that hold such values (the target's before others'), else a common one.
 */
export function declaredTypeFor(
  kind: ValueKind,
  values: readonly SqlValue[],
  table: TableSample,
  target: ColumnSample | null,
  donor: ColumnSample | null,
): string {
  if (donor !== null) return withLength(donor.declaredType, values);
  const ordered = target === null ? table.columns : [target, ...table.columns];
  const plain = kind === 'integer' || kind === 'real' || kind === 'text';
  const similar = plain
    ? ordered.filter((column) => fits(column.declaredType, kind, table.strict) && holds(column, kind))
    : [];
  const usual = mostCommon(similar.map(({ declaredType }) => declaredType));
  return withLength(usual ?? defaultType(kind, table, values), values);
}

const NUMERIC_TEXT = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/iu;

function asNumber(value: string | number | bigint): SqlValue {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string' && /^\s*[-+]?\d{1,18}\s*$/u.test(value)) return BigInt(value.trim());
  const number = Number(value);
  return Number.isSafeInteger(number) ? BigInt(number) : number;
}

/** Returns the value that SQLite stores in a column of that declared type. */
export function storedValue(value: SqlValue, declaredType: string, strict: boolean): SqlValue {
  if (value === null || value instanceof Uint8Array) return value;
  const affinity = affinityIn(declaredType, strict);
  if (affinity === 'BLOB') return value;
  if (affinity === 'TEXT') return String(value);
  // SQLite reads a text as a number up to its first NUL.
  const read = typeof value === 'string' ? (value.split('\0', 1)[0] ?? '') : value;
  if (typeof read === 'string' && !NUMERIC_TEXT.test(read)) return value;
  return affinity === 'REAL' ? Number(read) : asNumber(read);
}
