import { itemAt } from '../../../present.js';
import type { Database } from '../../../schema/schema.js';
import type { NameBinding } from '../../../sql/bound-query.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import type { ScopeSource } from '../../../sql/scope.js';

/** A column of a table of a FROM clause in words, the same before and after a rewrite: "t1 singer.name". */
export function columnMeaning(source: ScopeSource, table: string, column: string, dialect: SqlDialect): string {
  return `${dialect.fold(source.label ?? '')} ${dialect.fold(table)}.${dialect.fold(column)}`;
}

/** Returns a name's reference, in words that do not depend on positions in the text or the schema. */
export function nameMeaning({ token, found }: NameBinding, database: Database, dialect: SqlDialect): string {
  if (found === null) return `literal ${token.name}`;
  const { target } = found;
  if (target.kind !== 'column') return target.kind;
  const { source, column } = target;
  const table = source.relation.table;
  if (table === null) return `${dialect.fold(source.label ?? '')} #${column.index}`;
  const { originalName, columns } = itemAt(database.tables, table);
  return columnMeaning(source, originalName, itemAt(columns, column.index).originalName, dialect);
}
