import Sqlite from 'better-sqlite3';
import type { ColumnType, Database, Table } from '../../../src/schema/schema.js';
import { neighborsOf, type Neighbor } from '../../../src/testsuite/neighbors/neighbors.js';
import { readColumnFacts } from '../../../src/testsuite/neighbors/column-facts.js';
import type { ChangeKind } from '../../../src/testsuite/neighbors/change.js';

const SCHEMA = `
  CREATE TABLE student (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, age INT, height REAL);
  CREATE TABLE grade (student INT, course TEXT NOT NULL, term TEXT NOT NULL, mark INT, code TEXT, PRIMARY KEY (course, term));
  CREATE TABLE note (number INTEGER PRIMARY KEY, author INTEGER NOT NULL REFERENCES student, text TEXT);`;

/** A table whose columns have these types. */
export function table(name: string, columns: Readonly<Record<string, ColumnType>>): Table {
  const named = Object.entries(columns).map(([column, type]) => ({ name: column, originalName: column, type }));
  return { name, originalName: name, columns: named };
}

export const SCHOOL: Database = {
  id: 'school',
  tables: [
    table('student', { id: 'number', name: 'text', city: 'text', age: 'number', height: 'number' }),
    table('grade', { student: 'number', course: 'text', term: 'text', mark: 'number', code: 'text' }),
    table('note', { number: 'number', author: 'number', text: 'text' }),
  ],
  primaryKeys: [
    { table: 0, column: 0 },
    { table: 2, column: 0 },
  ],
  foreignKeys: [
    { from: { table: 1, column: 0 }, to: { table: 0, column: 0 } },
    { from: { table: 2, column: 1 }, to: { table: 0, column: 0 } },
  ],
};

/** The school in memory, without rows. */
export function openSchool(): Sqlite.Database {
  return new Sqlite(':memory:').exec(SCHEMA);
}

/** The neighbors of a query over the school, with all that its declarations say. */
export function schoolNeighbors(sql: string, seed = 1): Neighbor[] {
  const sqlite = openSchool();
  try {
    return neighborsOf(sql, SCHOOL, { seed, facts: readColumnFacts(sqlite, SCHOOL) });
  } finally {
    sqlite.close();
  }
}

/** The texts of the neighbors of one kind. */
export function schoolChanges(kind: ChangeKind, sql: string): string[] {
  return schoolNeighbors(sql).flatMap((neighbor) => (neighbor.kind === kind ? [neighbor.sql] : []));
}
