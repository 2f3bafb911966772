import type { ColumnAddition } from '../database-change.js';
import type { SqlValue } from '../../../sql/execution/query-outcome.js';

/** SQLite's column affinities, https://sqlite.org/datatype3.html §3.1; BLOB is that of a column without a type. */
export type Affinity = 'INTEGER' | 'TEXT' | 'BLOB' | 'REAL' | 'NUMERIC';

const RULES: readonly (readonly [pattern: RegExp, affinity: Affinity])[] = [
  [/INT/i, 'INTEGER'],
  [/CHAR|CLOB|TEXT/i, 'TEXT'],
  [/BLOB|^$/i, 'BLOB'],
  [/REAL|FLOA|DOUB/i, 'REAL'],
];

/** The affinity of a declared type, by SQLite's rules in their order. */
export function affinityOf(declaredType: string): Affinity {
  return RULES.find(([pattern]) => pattern.test(declaredType))?.[1] ?? 'NUMERIC';
}

function fits(value: SqlValue, affinity: Affinity): boolean {
  if (value === null) return true;
  if (affinity === 'INTEGER') return typeof value === 'bigint';
  if (affinity === 'REAL') return typeof value === 'bigint' || typeof value === 'number';
  return affinity === 'TEXT' ? typeof value === 'string' : value instanceof Uint8Array;
}

/**
 * The type that an added column is declared with. A STRICT table only takes types of its own and values that fit them:
 * there it is the one of the same affinity, else ANY.
 */
export function declaredTypeOf({ declaredType, values }: ColumnAddition, strict: boolean): string {
  if (!strict) return declaredType;
  const affinity = affinityOf(declaredType);
  return affinity !== 'NUMERIC' && values.every((value) => fits(value, affinity)) ? affinity : 'ANY';
}
