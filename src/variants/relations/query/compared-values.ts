import type { Binary, Expression } from '../../../sql/ast.js';
import { unparenthesized } from '../../../sql/ast-walk.js';
import type { SqlValue } from '../../../sql/execution/query-outcome.js';
import type { RowReader } from '../../databases/row-reader.js';
import { placedColumn } from '../../../schema/schema.js';
import { isOrdinary } from '../schema/usable-columns.js';
import { rowsOfColumn } from '../schema/schema-draft.js';
import { originOf } from '../schema/schema-relation.js';
import { nodesOf, type QueryCase } from './query-relation.js';

/** Distinct values of a column that another is drawn from. */
const LOOKED_AT = 500;

/** A constant that a column is compared with, and what else the column holds. */
export interface ComparedValue {
  readonly constant: Expression;
  readonly operator: string;
  /** Distinct values of the column, in their order. */
  readonly values: readonly SqlValue[];
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '==', '<>', '!=', '<', '>', '<=', '>=']);

function valuesOf(rows: RowReader, one: QueryCase, column: Expression): readonly SqlValue[] | null {
  if (column.kind !== 'column') return [];
  const target = one.gold.bound.names.find(({ token }) => token === column.column)?.found?.target;
  if (target?.kind !== 'column' || target.source.relation.table === null) return [];
  const ref = { table: target.source.relation.table, column: target.column.index };
  if (!isOrdinary(placedColumn(one.database, ref).table)) return [];
  const { sql, from } = rowsOfColumn(one, ref);
  const query = `SELECT DISTINCT ${sql} AS v FROM ${from} WHERE ${sql} IS NOT NULL AND octet_length(${sql}) <= 60 ORDER BY 1 LIMIT ${LOOKED_AT}`;
  return rows.rowsOf(originOf(one), query)?.map(([value = null]) => value) ?? null;
}

/** Constants that are compared with columns, with the columns' values; null where there are no rows to read. */
export function comparedValues(rows: RowReader, one: QueryCase): readonly ComparedValue[] | null {
  const found: ComparedValue[] = [];
  for (const node of nodesOf(one.gold.bound.select)) {
    const { kind, operator, left, right } = node as unknown as Binary;
    if (kind !== 'binary' || !COMPARISONS.has(operator)) continue;
    const values = valuesOf(rows, one, unparenthesized(left));
    if (values === null) return null;
    if (values.length > 0) found.push({ constant: unparenthesized(right), operator, values });
  }
  return found;
}
