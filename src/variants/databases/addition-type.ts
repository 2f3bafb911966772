import { formatCount } from '../../counts.js';
import { InputFormatError } from '../../errors.js';
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

/** @throws InputFormatError when a table has another number of rows than an added column has values */
export function checkCounts(table: string, additions: readonly ColumnAddition[], rows: number): void {
  const wrong = additions.find(({ values }) => values.length !== rows);
  if (wrong === undefined) return;
  throw new InputFormatError(
    `the table has ${formatCount(rows)} rows, but ${wrong.name} comes with ${formatCount(wrong.values.length)} values`,
    { where: { id: table }, fix: 'Check that the database has not changed since the run began.' },
  );
}
