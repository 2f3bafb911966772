import type { ResultValue, SqlValue } from './query-outcome.js';

/** A value as JSON has it: integers beyond 2^53 as text, bytes in hex, real numbers that JSON lacks as text. */
export type PlainValue = string | number | null | { readonly blob: string };

export interface PlainResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly PlainValue[])[];
  /** Of all rows: `rows` are the first. */
  readonly count: number;
}

/** A value as JSON has it. */
function plainValue(value: SqlValue): PlainValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return value instanceof Uint8Array ? { blob: Buffer.from(value).toString('hex') } : value;
}

/** The first rows of a result as JSON has them, or all, and how many there are; text that is not UTF-8 as SQLite shows it. */
export function plainResult(
  { columns, rows }: { readonly columns: readonly string[]; readonly rows: readonly (readonly ResultValue[])[] },
  most = Infinity,
): PlainResult {
  const plain = (value: ResultValue): PlainValue =>
    plainValue(typeof value === 'object' && value !== null && 'text' in value ? value.text : value);
  return { columns, rows: rows.slice(0, most).map((row) => row.map(plain)), count: rows.length };
}

/** A value as it is shown: NULL and bytes as SQL writes them. */
export function shownValue(value: PlainValue): string {
  if (value === null) return 'NULL';
  return typeof value === 'object' ? `X'${value.blob}'` : String(value);
}

/** A value as a cell of a table on a page: bytes as SQL writes them. */
export function cellOf(value: PlainValue): string | number | null {
  return typeof value === 'object' && value !== null ? shownValue(value) : value;
}
