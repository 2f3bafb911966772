import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { readSqliteSchema } from '../../src/formats/read-sqlite-schema.js';
import { columnKey } from '../../src/schema/schema.js';
import { renameColumns, rewriteForAdded } from '../../src/sql/rename-columns.js';

const sqlite = new Sqlite(':memory:');
sqlite.exec(`CREATE TABLE job (job_id INTEGER PRIMARY KEY, pay INTEGER);
  CREATE VIRTUAL TABLE notes USING fts5 (body);`);
const SCHEMA = readSqliteSchema(sqlite, 'jobs');
sqlite.close();

const renamed = (sql: string): string =>
  renameColumns(sql, SCHEMA, new Map([[columnKey({ table: 0, column: 1 }), 'wage']])).sql;
const added = (sql: string): string => rewriteForAdded(sql, SCHEMA, new Map([[0, ['rank']]])).sql;

describe('hidden columns of a virtual table', () => {
  it.each([
    ["SELECT pay FROM job, notes WHERE notes MATCH 'x'", "SELECT wage FROM job, notes WHERE notes MATCH 'x'"],
    [
      'SELECT pay FROM job JOIN notes n ON n.rowid = job_id ORDER BY n.rank, bm25(notes)',
      'SELECT wage FROM job JOIN notes n ON n.rowid = job_id ORDER BY n.rank, bm25(notes)',
    ],
  ])('are no columns to rename: %s', (sql, expected) => {
    expect(renamed(sql)).toBe(expected);
  });

  it('are not hidden by an added column of their name', () => {
    expect(added("SELECT pay FROM job, notes WHERE notes MATCH 'x' ORDER BY rank")).toBe(
      "SELECT pay FROM job, notes WHERE notes MATCH 'x' ORDER BY notes.rank",
    );
  });

  it('are not in a star', () => {
    expect(added('SELECT * FROM job, notes')).toBe('SELECT job.job_id, job.pay, notes.body FROM job, notes');
  });
});
