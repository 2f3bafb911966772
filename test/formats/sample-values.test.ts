import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { loadSampleValues, sqlitePath } from '../../src/formats/sample-values.js';
import type { Database, Table } from '../../src/schema/schema.js';
import { fileSha256 } from '../../src/run/sha256.js';
import { createFolder, faultOf } from './format-fixture.js';

const table = (name: string, ...columns: string[]): Table => ({
  name,
  originalName: name,
  columns: columns.map((column) => ({ name: column, originalName: column, type: 'text' })),
});
const town = (...tables: Table[]): Database => ({ id: 'town', tables, primaryKeys: [], foreignKeys: [] });

/** A folder of databases with one file, made by SQL. */
function createDatabase(sql: string): string {
  const folder = createFolder();
  mkdirSync(dirname(sqlitePath(folder, 'town')), { recursive: true });
  const sqlite = new Sqlite(sqlitePath(folder, 'town'));
  sqlite.exec(sql);
  sqlite.close();
  return folder;
}

const SINGERS = `CREATE TABLE singer ("home ""town" TEXT, age INTEGER, photo BLOB, born REAL);
  INSERT INTO singer VALUES ('Paris', 30, x'00', 1.5), (' Paris ', 9007199254740993, x'00', NULL), ('', 31, NULL, 2), ('Rome', 31, NULL, 2),
  ('Oslo', 32, NULL, 3), ('Bern', 33, NULL, 4);`;

describe('loadSampleValues', () => {
  test('gives up to three distinct texts per column, in order, without blobs and blanks', () => {
    const folder = createDatabase(SINGERS);
    const values = loadSampleValues(folder, town(table('singer', 'home "town', 'age', 'photo', 'born')));
    expect(values).toEqual([[['Paris', 'Rome', 'Oslo'], ['30', '9007199254740993', '31'], [], ['1.5', '2', '3']]]);
  });

  test('gives nothing for a table, a column or a file that is absent', () => {
    const folder = createDatabase(SINGERS);
    const database = town(table('Singer', 'AGE', 'height'), table('sqlite_sequence', 'name', 'seq'));
    expect(loadSampleValues(folder, database)).toEqual([
      [['30', '9007199254740993', '31'], []],
      [[], []],
    ]);
    expect(loadSampleValues(createFolder(), database)).toEqual([
      [[], []],
      [[], []],
    ]);
  });

  test('passes over a cell of more than 64 KiB', () => {
    const folder = createDatabase(
      `CREATE TABLE page (title, body);
      INSERT INTO page VALUES ('a', hex(zeroblob(32768))), ('b', hex(zeroblob(32769))), ('c', 'short');`,
    );
    expect(loadSampleValues(folder, town(table('page', 'title', 'body')))).toEqual([
      [
        ['a', 'b', 'c'],
        ['0'.repeat(65_536), 'short'],
      ],
    ]);
  });

  test('reads a view, but not one that never ends', () => {
    const folder = createDatabase(`${SINGERS} CREATE VIEW adult AS SELECT age FROM singer WHERE age > 30;
      CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0;`);
    const values = loadSampleValues(folder, town(table('adult', 'age'), table('endless', 'i'), table('singer', 'age')));
    expect(values).toEqual([[['9007199254740993', '31', '32']], [[]], [['30', '9007199254740993', '31']]]);
  }, 90_000);

  test('does not read a name that is absent as a text of SQL', () => {
    const folder = createDatabase(SINGERS);
    expect(loadSampleValues(folder, town(table('singer', 'nope')))).toEqual([[[]]]);
  });

  test.each(['DELETE', 'WAL'])(
    'leaves a file with journal mode %s as it was, to the byte, and nothing besides it',
    (mode) => {
      const folder = createDatabase(`PRAGMA journal_mode = ${mode}; ${SINGERS}`);
      const file = sqlitePath(folder, 'town');
      const before = fileSha256(file);
      expect(loadSampleValues(folder, town(table('singer', 'age'))).flat(2)).toHaveLength(3);
      expect(fileSha256(file)).toBe(before);
      expect(readdirSync(join(folder, 'town'))).toEqual(['town.sqlite']);
    },
  );

  test('refuses a file that is no database, naming it', () => {
    const folder = createDatabase('SELECT 1');
    const file = sqlitePath(folder, 'town');
    writeFileSync(file, 'version https://git-lfs.github.com/spec/v1\n'.repeat(20));
    const fault = faultOf(() => loadSampleValues(folder, town(table('singer', 'age'))));
    expect(fault.where).toEqual({ file, id: 'town' });
    expect(fault.fix).toMatch(/--databases/);
  });
});
