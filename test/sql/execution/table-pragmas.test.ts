import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { countRows, rowCounter } from '../../../src/sql/execution/table-pragmas.js';

describe('rowCounter', () => {
  it('counts the rows of each table again, and those of no view and no TEMP table', () => {
    const sqlite = new Sqlite(':memory:');
    expect(rowCounter(sqlite)()).toEqual([]);
    expect(countRows(sqlite)).toBe(0);
    sqlite.exec('CREATE TABLE b (x); CREATE TABLE "a ""1" (x); CREATE VIEW v AS SELECT 1; CREATE TEMP TABLE b (x)');
    const count = rowCounter(sqlite);
    expect(count()).toEqual([0, 0]);
    sqlite.exec('INSERT INTO "a ""1" VALUES (1), (NULL); INSERT INTO main.b VALUES (1); INSERT INTO temp.b VALUES (2)');
    expect(count()).toEqual([1, 2]);
    expect(countRows(sqlite)).toBe(3);
    sqlite.close();
  });
});
