import { columnNamingStyle, styledIdentifier } from '../../../schema/naming-style.js';
import type { Database, Table } from '../../../schema/schema.js';
import { foldName } from '../../../sql/dialect.js';
import { isOfLength } from '../schema/identifiers.js';
import type { NotApplicable } from '../relation.js';
import type { GoldUse } from '../schema/gold-use.js';
import type { SchemaDraft } from '../schema/schema-draft.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { rewriteGold } from './gold-rewriter.js';
import { renamedTable } from './source-reading.js';

/** A table's name in words and as an identifier. */
export type TableName = Pick<Table, 'name' | 'originalName' | 'reading'>;

const FIRST = { table: 0, column: 0 };

/** Natural words as an identifier in the manner of a table's own. */
export function tableIdentifier(words: string, table: TableName): string {
  const style = columnNamingStyle({ tables: [{ ...table, columns: [{ ...table, type: 'text' }] }] }, FIRST);
  return styledIdentifier(words, style, table.originalName);
}

/** Checks whether names of tables differ from one another, and are not too long for their schema. */
export function areUsable(database: Database, names: ReadonlyMap<number, TableName>): boolean {
  const all = database.tables.map((table, t) => foldName((names.get(t) ?? table).originalName));
  const isShort = ({ originalName }: TableName): boolean => originalName !== '' && isOfLength(originalName, database);
  return new Set(all).size === all.length && [...names.values()].every(isShort);
}

/** The draft with tables under other names. */
export function withTableNames(draft: SchemaDraft, names: ReadonlyMap<number, TableName>): SchemaDraft {
  return {
    ...draft,
    tables: draft.tables.map((own, t) => ({ ...own, table: names.get(t) ?? own.table })),
  };
}

/** A gold on a schema whose tables have other names. */
export function followTableNames(
  gold: GoldUse,
  schemas: { readonly database: Database; readonly changed: Database },
  names: ReadonlyMap<number, TableName>,
  dialect: SqlDialect,
): string | NotApplicable {
  return rewriteGold({
    ...schemas,
    gold,
    dialect,
    keepsColumns: true,
    tables: new Set(names.keys()),
    read: ({ source: { relation } }) => {
      const name = names.get(relation.table ?? -1);
      return name === undefined ? null : renamedTable(name.originalName);
    },
  });
}
