import { itemAt } from '../present.js';
import { columnAt, type ColumnRef, type ColumnType, type Database, placedColumn } from '../schema/schema.js';
import { renderIdentifier, type SqlDialect, SQLITE } from './dialect.js';

const TYPE_NAMES: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  number: 'NUMERIC',
  time: 'DATETIME',
  boolean: 'BOOLEAN',
  others: 'BLOB',
};

/** Declared types by table and column position; null where none is known, empty where the column has none. */
export type DeclaredTypes = readonly (readonly (string | null)[])[];

/** A table as a CREATE TABLE statement without its semicolon, as `renderCreateTables`. */
export function renderCreateTable(
  database: Database,
  t: number,
  types: DeclaredTypes = [],
  dialect: SqlDialect = SQLITE,
): string {
  const render = (name: string): string => renderIdentifier(name, dialect);
  const table = itemAt(database.tables, t);
  const columns = table.columns.map(({ originalName, type }, c) =>
    `${render(originalName)} ${types[t]?.[c] ?? TYPE_NAMES[type]}`.trimEnd(),
  );
  const nameOf = (ref: ColumnRef): string => render(columnAt(database, ref).originalName);
  const keys = database.primaryKeys.filter((ref) => ref.table === t).map(nameOf);
  const primary = keys.length === 0 ? [] : [`PRIMARY KEY (${keys.join(', ')})`];
  const foreign = database.foreignKeys
    .filter(({ from }) => from.table === t)
    .map(({ from, to }) => {
      const parent = render(placedColumn(database, to).table.originalName);
      return `FOREIGN KEY (${nameOf(from)}) REFERENCES ${parent} (${nameOf(to)})`;
    });
  const lines = [...columns, ...primary, ...foreign].map((line) => `  ${line}`);
  const kind = table.isView === true ? 'VIEW' : 'TABLE';
  return `CREATE ${kind} ${render(table.originalName)} (\n${lines.join(',\n')}\n)`;
}

/**
 * A schema as CREATE TABLE statements for people and language models: identifiers, in quotes where a query needs them,
 * too; types and keys. Those of tables can be executed in SQLite, those of views can't: they have no query. A column
 * whose declared type isn't known has the one nearest to its own: NUMERIC of a number.
 */
export function renderCreateTables(
  database: Database,
  types: DeclaredTypes = [],
  dialect: SqlDialect = SQLITE,
): string {
  return database.tables.map((_, t) => `${renderCreateTable(database, t, types, dialect)};`).join('\n');
}
