import { statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { columnCollations } from './column-collations.js';
import { quoteIdentifier } from '../dialect.js';
import { listTables } from './table-pragmas.js';

/** Larger files are not copied into memory. */
const MAX_COPIED_BYTES = 128 * 1024 * 1024;

interface SchemaObject {
  readonly type: 'table' | 'view';
  readonly name: string;
  readonly sql: string;
}

/** The ORDER BY clause by which a table's rows are copied, with a leading blank; empty: as they are stored. */
type RowOrder = (table: string) => string;

const AS_STORED: RowOrder = () => '';

/** `CREATE TABLE … AS` keeps names and affinities, but no collation. */
function createCopy(sqlite: Sqlite.Database, { name, sql }: SchemaObject, orderOf: RowOrder): void {
  const source = `SELECT * FROM main.${quoteIdentifier(name)}${orderOf(name)}`;
  const collations = columnCollations(sql);
  if (collations.length === 0) {
    sqlite.exec(`CREATE TEMP TABLE ${quoteIdentifier(name)} AS ${source}`);
    return;
  }
  sqlite.exec(`CREATE TEMP TABLE ${quoteIdentifier(name)} AS ${source} LIMIT 0`);
  const columns = sqlite.pragma(`temp.table_xinfo(${quoteIdentifier(name)})`) as { name: string; type: string }[];
  const definitions = columns.map(
    (column, i) =>
      `${quoteIdentifier(column.name)} ${column.type} COLLATE ${quoteIdentifier(collations[i] ?? 'BINARY')}`,
  );
  sqlite.exec(
    `DROP TABLE temp.${quoteIdentifier(name)}; CREATE TEMP TABLE ${quoteIdentifier(name)} (${definitions.join(', ')})`,
  );
  sqlite.exec(`INSERT INTO temp.${quoteIdentifier(name)} ${source}`);
}

/** The tables of a virtual table are its own: SQLite lets nobody else make one of such a name. */
function schemaObjects(sqlite: Sqlite.Database): readonly SchemaObject[] {
  const shadows = new Set(listTables(sqlite).flatMap(({ name, type }) => (type === 'shadow' ? [name] : [])));
  const objects = sqlite
    .prepare(
      `SELECT type, name, sql FROM main.sqlite_schema
       WHERE (type = 'view' OR type = 'table' AND rootpage > 0) AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all() as SchemaObject[];
  return objects.filter(({ name }) => !shadows.has(name));
}

/**
 * Shadows the tables of `main` by TEMP copies without indexes, stored in the same or the reversed order or that of an
 * ORDER BY, and its views by TEMP views. What SQL determines stays; what depends on the order of rows may change: ties
 * before a LIMIT, bare columns and group_concat under GROUP BY. Reversed rows alone would not do, as an index read
 * backwards gives ties in reverse; nor would `PRAGMA reverse_unordered_selects`, which no sorted or grouped query
 * heeds.
 */
export function copyTables(sqlite: Sqlite.Database, order: 'copied' | 'reversed', orderOf: RowOrder = AS_STORED): void {
  sqlite.pragma(`reverse_unordered_selects = ${order === 'reversed' ? 'ON' : 'OFF'}`); // how the copies are read
  for (const object of schemaObjects(sqlite)) {
    if (object.type === 'table') createCopy(sqlite, object, orderOf);
    // SQLite stores every view as `CREATE VIEW …`, whatever the case and spacing of the original.
    else sqlite.exec(object.sql.replace(/^CREATE VIEW/, 'CREATE TEMP VIEW'));
  }
  sqlite.pragma('reverse_unordered_selects = OFF');
}

/** Checks whether a file is small enough for `copyTables`. */
export function canCopy(file: string): boolean {
  return statSync(file).size <= MAX_COPIED_BYTES;
}
