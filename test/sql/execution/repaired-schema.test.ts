import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { copyTables } from '../../../src/sql/execution/copied-tables.js';
import { repairSchema } from '../../../src/sql/execution/repaired-schema.js';
import { openUntouched, readUntouched, schemaNotesOf } from '../../../src/sql/execution/open-untouched.js';
import { makeTempFolder } from '../../e2e/run-cli.js';
import { replaceInSchema } from './stored-schema.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());

type Replacements = Parameters<typeof replaceInSchema>[1];

/** A file whose schema another build of SQLite, or an application, has written. */
function fileOf(script: string, replacements: Replacements): string {
  const file = join(temp.path, 'stored.sqlite');
  rmSync(file, { force: true });
  const sqlite = new Sqlite(file);
  sqlite.exec(script);
  replaceInSchema(sqlite, replacements);
  sqlite.close();
  return file;
}

const rowsOf = (file: string, sql: string): unknown[] =>
  readUntouched(file, (sqlite) => sqlite.prepare(sql).raw().all());

/** The schema when all that can be is repaired, played once more in an empty database. */
function replayed(file: string): Sqlite.Database {
  const sqlite = new Sqlite(readFileSync(file));
  repairSchema(sqlite);
  sqlite.exec('VACUUM');
  const again = new Sqlite(':memory:');
  const texts = sqlite.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').pluck().all();
  for (const text of texts as string[]) again.exec(text);
  sqlite.close();
  return again;
}

describe('a view with a double-quoted text', () => {
  it('is read, with names in double quotes as names, and views of it', () => {
    const file = fileOf(
      `CREATE TABLE log (city TEXT, kind TEXT, "of person" TEXT);
       CREATE VIEW outer_one AS SELECT city FROM inner_one WHERE city <> 'NOWHERE';
       CREATE VIEW inner_one AS SELECT city, "of person", 'it''s' AS "x" FROM log WHERE kind = 'PERSON';
       INSERT INTO log VALUES ('Oslo', 'PERSON', 'a'), ('Lima', 'FIRM', 'b')`,
      [
        [`'PERSON'`, '"PERSON"'],
        [`'NOWHERE'`, '"NOWHERE"'],
        [`'it''s'`, `"it's"`],
      ],
    );
    expect(rowsOf(file, 'SELECT * FROM outer_one')).toEqual([['Oslo']]);
    expect(rowsOf(file, 'SELECT * FROM main.inner_one')).toEqual([['Oslo', 'a', "it's"]]);
    expect(schemaNotesOf(file)).toEqual([]);
  });

  it('is read where its query is beyond our own parser', () => {
    const file = fileOf(
      `CREATE TABLE log (city TEXT, kind TEXT);
       CREATE VIEW v AS SELECT city FROM log WHERE (city, kind) > ('A', 'B') AND kind IS NOT DISTINCT FROM 'PERSON';
       INSERT INTO log VALUES ('Oslo', 'PERSON')`,
      [[`'PERSON'`, '"PERSON"']],
    );
    expect(rowsOf(file, 'SELECT * FROM v')).toEqual([['Oslo']]);
  });

  it('leaves the file as it is', () => {
    const file = fileOf(`CREATE TABLE t (a); CREATE VIEW v AS SELECT 'p' AS x FROM t`, [[`'p'`, '"p"']]);
    const before = readFileSync(file);
    openUntouched(file).close();
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('a collation of the application’s own', () => {
  it('is BINARY, in order, keys and views', () => {
    const file = fileOf(
      `CREATE TABLE author (name TEXT COLLATE NOCASE UNIQUE, born INT);
       CREATE TABLE place (name TEXT COLLATE NOCASE PRIMARY KEY, size INT) WITHOUT ROWID;
       CREATE INDEX by_name ON author (born, name COLLATE NOCASE);
       CREATE INDEX by_mark ON author (upper(name));
       CREATE VIEW sorted AS SELECT name FROM author ORDER BY name COLLATE NOCASE;
       INSERT INTO author VALUES ('ann', 1), ('Bob', 2), ('Zoe', 3);
       INSERT INTO place VALUES ('ann', 1), ('Bob', 2), ('Zoe', 3)`,
      [
        ['COLLATE NOCASE', 'COLLATE unicase'],
        ['upper(', 'shelf_mark('],
      ],
    );
    expect(rowsOf(file, 'SELECT name FROM author ORDER BY name')).toEqual([['Bob'], ['Zoe'], ['ann']]);
    expect(rowsOf(file, `SELECT size FROM place WHERE name >= 'Z'`)).toEqual([[3], [1]]);
    expect(rowsOf(file, 'SELECT name FROM sorted')).toEqual([['Bob'], ['Zoe'], ['ann']]);
    expect(rowsOf(file, 'PRAGMA integrity_check')).toEqual([['ok']]);
    expect(schemaNotesOf(file)).toEqual(
      ['author', 'place'].map((object) => ({ object, reason: 'no such collation: unicase; it is read under BINARY' })),
    );
  });
});

describe('a function of the application’s own', () => {
  const REPLACED: Replacements = [['upper(', 'shelf_mark(']];

  it('costs the column that is generated when it is read; a stored one keeps its values', () => {
    const file = fileOf(
      `CREATE TABLE first (mark AS (upper(a)) CHECK (upper(a) > ''), a TEXT, b);
       CREATE TABLE book (a TEXT, "the, mark" TEXT GENERATED ALWAYS AS (upper(a)), s TEXT AS (upper(a)) STORED NOT NULL, b,
         CHECK (upper(a) <> 'x'));
       CREATE INDEX marks ON book ("the, mark");
       CREATE VIEW marked AS SELECT "the, mark" FROM book;
       INSERT INTO book (a, b) VALUES ('dune', 1); INSERT INTO first (a, b) VALUES ('x', 2)`,
      REPLACED,
    );
    expect(rowsOf(file, 'SELECT * FROM book')).toEqual([['dune', 'DUNE', 1]]);
    expect(rowsOf(file, 'SELECT * FROM first')).toEqual([['x', 2]]);
    const reason = 'left out: no such function: shelf_mark';
    expect(schemaNotesOf(file)).toMatchObject([
      { object: 'first.mark', reason: expect.stringContaining(reason) as string },
      { object: 'book.the, mark', reason: expect.stringContaining(reason) as string },
      { object: 'marked' },
    ]);
  });

  it('costs the view that calls it, by name and with the reason, and nothing else', () => {
    const file = fileOf(
      `CREATE TABLE book (a TEXT); CREATE VIEW marked AS SELECT upper(a) FROM book; CREATE VIEW plain AS SELECT a FROM book;
       INSERT INTO book VALUES ('dune')`,
      REPLACED,
    );
    expect(rowsOf(file, 'SELECT * FROM plain')).toEqual([['dune']]);
    expect(schemaNotesOf(file)).toEqual([{ object: 'marked', reason: 'left out: no such function: shelf_mark' }]);
  });
});

describe('a repaired schema', () => {
  it('can be made again: CHECKs, partial and expression indexes, generated columns', () => {
    const file = fileOf(
      `CREATE TABLE visitor (kind TEXT CONSTRAINT "person" CHECK (kind IN ('person', 'firm')), nights INT CHECK (upper(nights) > ''),
         size TEXT AS (CASE WHEN nights > 3 THEN 'long' ELSE 'short' END) STORED);
       CREATE INDEX persons ON visitor (nights) WHERE kind = 'person';
       CREATE INDEX labels ON visitor (kind || ' town');
       CREATE INDEX marks ON visitor (upper(kind));
       INSERT INTO visitor VALUES ('person', 2)`,
      [
        ...['person', 'firm', 'long', 'short', ' town'].map((word): [string, string] => [`'${word}'`, `"${word}"`]),
        ['upper(', 'shelf_mark('],
      ],
    );
    const again = replayed(file);
    again.exec(`INSERT INTO visitor VALUES ('firm', 5)`);
    expect(again.prepare('SELECT size FROM visitor').pluck().all()).toEqual(['long']);
    expect(() => again.exec(`INSERT INTO visitor VALUES ('dog', 5)`)).toThrow(/CHECK constraint failed: person/);
    expect(again.prepare(`SELECT name FROM sqlite_schema WHERE type = 'index'`).pluck().all()).toEqual([
      'persons',
      'labels',
    ]);
    again.close();
  });

  it('is the schema itself where nothing is amiss', () => {
    const file = fileOf(
      `CREATE TABLE "t" ("a b" TEXT COLLATE NOCASE DEFAULT "d", c AS (1)); CREATE VIEW v AS SELECT "a b" FROM "t"`,
      [],
    );
    const sqlite = new Sqlite(readFileSync(file));
    const texts = (): unknown[] => sqlite.prepare('SELECT * FROM sqlite_schema').raw().all();
    const before = texts();
    repairSchema(sqlite);
    expect(texts()).toEqual(before);
    sqlite.close();
  });
});

describe('copied tables', () => {
  it('are none of those that hold the data of virtual ones', () => {
    const sqlite = new Sqlite(':memory:');
    sqlite.exec(`CREATE TABLE note (a); CREATE VIRTUAL TABLE f USING fts5(body); CREATE VIRTUAL TABLE g USING fts4(body);
      CREATE VIRTUAL TABLE r USING rtree(id, x, y); INSERT INTO note VALUES (1); INSERT INTO f VALUES ('some words')`);
    copyTables(sqlite, 'reversed');
    expect(sqlite.prepare('SELECT name FROM sqlite_temp_schema').pluck().all()).toEqual(['note']);
    expect(sqlite.prepare(`SELECT * FROM f WHERE f MATCH 'words'`).raw().all()).toEqual([['some words']]);
    sqlite.close();
  });
});
