import { affinityOf, type Affinity } from '../../sql/affinity.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { ColumnAddition } from './database-change.js';

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
