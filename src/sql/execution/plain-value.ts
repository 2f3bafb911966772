import type { SqlValue } from './query-outcome.js';

/** A value as JSON has it: integers beyond 2^53 as text, bytes in hex, real numbers that JSON lacks as text. */
export type PlainValue = string | number | null | { readonly blob: string };

export interface PlainResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly PlainValue[])[];
  /** Of all rows: `rows` are the first. */
  readonly count: number;
}

/** A value as JSON has it. */
export function plainValue(value: SqlValue): PlainValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return value instanceof Uint8Array ? { blob: Buffer.from(value).toString('hex') } : value;
}

/** A value as it is shown: NULL and bytes as SQL writes them. */
export function shownValue(value: PlainValue): string {
  if (value === null) return 'NULL';
  return typeof value === 'object' ? `X'${value.blob}'` : String(value);
}
