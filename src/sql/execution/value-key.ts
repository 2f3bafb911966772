import type { ResultValue, SqlRow } from './query-outcome.js';

/**
 * When two values count as one. `exact`: same type and same bits, so that 1 is not 1.0. `numeric`: numbers by their
 * value, 1 = 1.0, reals to ten significant digits (0.1 + 0.2 = 0.3); texts and blobs as in `exact`, '1' is not 1.
 * `python`: as `numeric`, but reals in all their digits, so that 0.1 + 0.2 is not 0.3.
 */
export type ValueIdentity = 'exact' | 'numeric' | 'python';

/** Significant digits kept of a real, but all of those before the point; two reals that differ less may still round apart. */
export const DIGITS = 10;
const TOLERANCE = 10 ** -DIGITS;

function bytesKey(kind: string, bytes: Uint8Array): string {
  return `${kind}${bytes.byteLength}:${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')}`;
}

function realKey(value: number): string {
  return `r${Object.is(value, -0) ? '-0' : value}`;
}

function pythonKey(value: number): string {
  return Number.isInteger(value) ? `i${BigInt(value)}` : `r${value}`;
}

function roundedKey(value: number): string {
  const whole = Math.round(value);
  if (Number.isFinite(value) && Math.abs(value - whole) <= TOLERANCE * Math.abs(value)) return `i${BigInt(whole)}`;
  return `r${value.toPrecision(DIGITS)}`;
}

const REAL_KEYS: Readonly<Record<ValueIdentity, (value: number) => string>> = {
  exact: realKey,
  numeric: roundedKey,
  python: pythonKey,
};

/** A text that two values share exactly when they count as one; no key is the beginning of another kind's. */
export function valueKey(value: ResultValue, identity: ValueIdentity): string {
  if (value === null) return 'n';
  if (typeof value === 'bigint') return `i${value}`;
  if (typeof value === 'number') return REAL_KEYS[identity](value);
  if (typeof value === 'string') return `t${value.length}:${value}`;
  return value instanceof Uint8Array ? bytesKey('b', value) : bytesKey('x', value.text);
}

/** The keys of a row's values in column order; equal for two rows exactly when all their values count as one. */
export function rowKey(row: SqlRow, identity: ValueIdentity): string {
  let key = '';
  for (const value of row) key += `${valueKey(value, identity)},`;
  return key;
}
