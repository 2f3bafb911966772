import Sqlite from 'better-sqlite3';
import type { Database } from '../../../src/schema/schema.js';
import { readColumnFacts } from '../../../src/testsuite/neighbors/column-facts.js';
import { neighborsOf, type Neighbor } from '../../../src/testsuite/neighbors/neighbors.js';
import { table } from './school.js';

const SCHEMA = `
  CREATE TABLE pupil (student INTEGER PRIMARY KEY, class INT);
  CREATE TABLE seat (student INT NOT NULL REFERENCES pupil, neighbor INT NOT NULL REFERENCES pupil, line INT,
    PRIMARY KEY (student, neighbor));`;

const CLASSROOM: Database = {
  id: 'classroom',
  tables: [
    table('pupil', { student: 'number', class: 'number' }),
    table('seat', { student: 'number', neighbor: 'number', line: 'number' }),
  ],
  primaryKeys: [{ table: 0, column: 0 }],
  foreignKeys: [
    { from: { table: 1, column: 0 }, to: { table: 0, column: 0 } },
    { from: { table: 1, column: 1 }, to: { table: 0, column: 0 } },
  ],
};

/** A classroom in memory, without rows: two tables whose keys have the same name. */
export function openClass(): Sqlite.Database {
  return new Sqlite(':memory:').exec(SCHEMA);
}

/** The neighbors of a query over the classroom, with all that its declarations say. */
export function classNeighbors(sql: string): Neighbor[] {
  const sqlite = openClass();
  try {
    return neighborsOf(sql, CLASSROOM, { seed: 1, facts: readColumnFacts(sqlite, CLASSROOM) });
  } finally {
    sqlite.close();
  }
}
