import SqliteDatabase from 'better-sqlite3';
import type { Database } from '../../src/schema/schema.js';
import { quoteIdentifier } from '../../src/sql/dialect.js';

/** A small schema with shared column names, a self reference and odd identifiers, for all tests of the SQL room. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  person: ['id', 'name', 'age', 'city_id', 'boss'],
  city: ['id', 'name', 'country', 'population'],
  visit: ['person_id', 'city_id', 'year', 'cost'],
  'Odd Table': ['first name', 'order', 'id'],
};

/** A schema without keys, all of its columns texts. */
export function createTextDatabase(id: string, tables: Readonly<Record<string, readonly string[]>>): Database {
  return {
    id,
    tables: Object.entries(tables).map(([table, columns]) => ({
      name: table,
      originalName: table,
      columns: columns.map((column) => ({ name: column, originalName: column, type: 'text' })),
    })),
    primaryKeys: [],
    foreignKeys: [],
  };
}

export const TOWN = createTextDatabase('town', TABLES);

const ROWS = `
  INSERT INTO person VALUES (1,'Ann',30,1,NULL),(2,'Bob',25,2,1),(3,'Cid',41,1,1),(4,'Dan',NULL,3,2),(5,'Eve',30,NULL,2);
  INSERT INTO city VALUES (1,'Rome','Italy',2800),(2,'Oslo','Norway',700),(3,'Bari','Italy',320),(4,'Ann','Chad',5);
  INSERT INTO visit VALUES (1,1,2001,10.5),(1,2,2002,20),(2,1,2001,5),(3,3,2003,NULL),(3,1,2003,7),(9,9,1999,1);
  INSERT INTO "Odd Table" VALUES ('Ann',1,1),('Zoe',2,2),('Bob',3,9);`;

/** The town in memory, its columns named as in the given schema. */
export function openTown(schema: Database = TOWN): SqliteDatabase.Database {
  const sqlite = new SqliteDatabase(':memory:');
  for (const { originalName, columns } of schema.tables) {
    const count = TABLES[originalName]?.length ?? 0;
    const names = columns.slice(0, count).map((column) => quoteIdentifier(column.originalName));
    sqlite.exec(`CREATE TABLE ${quoteIdentifier(originalName)} (${names.join(', ')})`);
  }
  sqlite.exec(ROWS);
  for (const { originalName, columns } of schema.tables) {
    for (const { originalName: name } of columns.slice(TABLES[originalName]?.length ?? 0)) {
      sqlite.exec(`ALTER TABLE ${quoteIdentifier(originalName)} ADD COLUMN ${quoteIdentifier(name)} DEFAULT 'added'`);
    }
  }
  return sqlite;
}

/** The rows of a query as JSON. */
export function rowsOf(sqlite: SqliteDatabase.Database, sql: string): string {
  return JSON.stringify(sqlite.prepare(sql).raw().all());
}
