import type { Binary, Expression, Select } from '../../../sql/ast.js';
import type { BoundQuery } from '../../../sql/bound-query.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import type { Span } from '../../../sql/tokenizer.js';
import { isExtreme } from '../../../sql/aggregates.js';
import { nodesOf, unparenthesized } from '../../../sql/ast-walk.js';
import { isComparison } from '../../../sql/operators.js';
import type { MutationCase, NotApplicable, Relation } from '../relation.js';
import { goldUse, type GoldUse } from '../schema/gold-use.js';
import { type Rewording, utteranceRelation } from '../utterance/utterance-relation.js';
import type { SqlValue } from '../../../sql/execution/query-outcome.js';
import type { RowReader } from '../../databases/row-reader.js';
import { type ColumnRef, placedColumn } from '../../../schema/schema.js';
import { isOrdinary } from '../schema/usable-columns.js';
import { rowsOfColumn } from '../schema/schema-draft.js';
import { originOf } from '../schema/schema-relation.js';

/** The input of a relation that changes the query. */
export interface QueryCase extends Pick<MutationCase, 'database' | 'mutated'> {
  readonly question: string;
  readonly gold: GoldUse;
}

/** The parts of a relation that changes gold query and question together. */
interface QueryRelationSpec {
  readonly id: string;
  /** Raised when others come out. */
  readonly version: number;
  readonly dialect: SqlDialect;
  readonly readsGoldFor: string;
  /** Every change of a case, with its query, in a fixed order, or why there is none. */
  readonly change: (one: QueryCase) => readonly Rewording[] | NotApplicable;
}

/** A relation that changes the gold in one place, and the words of the question for it; the schema stays. */
export function queryRelation({ id, version, dialect, readsGoldFor, change }: QueryRelationSpec): Relation {
  return utteranceRelation({
    id,
    version,
    readsGoldFor,
    reword: ({ example: { question, query }, database, mutated }) => {
      const gold = query === null ? null : goldUse(query, database, dialect);
      return gold === null ? { reason: 'gold-unreadable' } : change({ question, gold, database, mutated });
    },
  });
}

/** Checks whether a minimum or maximum is called anywhere in a tree. */
export function callsExtreme(tree: Select | Expression): boolean {
  return nodesOf(tree).some((node) => isExtreme(node as Expression));
}

/** Checks whether an expression is a number of rows. */
export function countsRows(expression: Expression): boolean {
  return expression.kind === 'function' && expression.name.name.toLowerCase() === 'count';
}

/**
 * Checks whether the SELECT that an expression is in reads several tables: what has no row in one of them is not in its
 * groups.
 */
export function readsSeveralTables({ cores }: BoundQuery, { span }: { readonly span: Span }): boolean {
  const around = cores.filter(({ node }) => node.span.start <= span.start && node.span.end >= span.end);
  return around.some(({ sources }) => sources.length > 1);
}

/** Distinct values of a column that another is drawn from. */
const LOOKED_AT = 500;

/** A constant that a column is compared with, and what else the column holds. */
export interface ComparedValue {
  readonly constant: Expression;
  readonly operator: string;
  /** Distinct values of the column, in their order. */
  readonly values: readonly SqlValue[];
}

/** The column of a table in FROM that an expression names; null where it names none. */
export function namedColumn({ bound }: GoldUse, expression: Expression): ColumnRef | null {
  if (expression.kind !== 'column') return null;
  const target = bound.names.find(({ token }) => token === expression.column)?.found?.target;
  if (target?.kind !== 'column' || target.source.relation.table === null) return null;
  return { table: target.source.relation.table, column: target.column.index };
}

function valuesOf(rows: RowReader, one: QueryCase, column: Expression): readonly SqlValue[] | null {
  const ref = namedColumn(one.gold, column);
  if (ref === null || !isOrdinary(placedColumn(one.database, ref).table)) return [];
  const { sql, from } = rowsOfColumn(one, ref);
  const query = `SELECT DISTINCT ${sql} AS v FROM ${from} WHERE ${sql} IS NOT NULL AND octet_length(${sql}) <= 60 ORDER BY 1 LIMIT ${LOOKED_AT}`;
  return rows.rowsOf(originOf(one), query)?.map(([value = null]) => value) ?? null;
}

/** The changes of constants that are compared with columns, to others of the columns' values; or why there is none. */
export function changeCompared(
  rows: RowReader,
  one: QueryCase,
  changesOf: (compared: ComparedValue) => readonly Rewording[],
  without: string,
): readonly Rewording[] | NotApplicable {
  const compared: ComparedValue[] = [];
  for (const node of nodesOf(one.gold.bound.select)) {
    const { kind, operator, left, right } = node as Binary;
    if (kind !== 'binary' || !isComparison(operator)) continue;
    const values = valuesOf(rows, one, unparenthesized(left));
    if (values === null) return { reason: 'no-rows-to-read' };
    if (values.length > 0) compared.push({ constant: unparenthesized(right), operator, values });
  }
  const found = compared.flatMap(changesOf);
  return found.length > 0 ? found : { reason: without };
}
