import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { InputFormatError, SqlRewriteError } from '../../../../src/errors.js';
import type { DatabaseChange } from '../../../../src/variants/databases/database-change.js';
import { materializeCopy } from '../../../../src/variants/databases/copy/materialize-copy.js';
import { fileSha256 } from '../../../../src/run/sha256.js';
import type { SqlValue } from '../../../../src/sql/execution/query-outcome.js';
import {
  allCells,
  bareSchema,
  checksOf,
  createDatabase,
  filesIn,
  temporaryFolder,
  viewCells,
  withDatabase,
} from './materialize-copy-fixture.js';

const folder = temporaryFolder();
const SOURCE = join(folder, 'source.sqlite');
const TARGET = join(folder, 'out', 'target.sqlite');

const SHOP = `
CREATE TABLE person(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  "first name" TEXT COLLATE NOCASE, -- a comment
  age INT CHECK (age > 0 OR person.age < -5),
  wage REAL DEFAULT 3, UNIQUE("first name", age));
CREATE TABLE part(
  a, b, owner REFERENCES person, buyer INT REFERENCES person(ID),
  total INT GENERATED ALWAYS AS (a + b) VIRTUAL, twice INT AS (a * 2) STORED,
  PRIMARY KEY (a, b DESC), FOREIGN KEY (a, b) REFERENCES part(a, b)) WITHOUT ROWID;
CREATE TABLE strictly(k TEXT, v ANY, w REAL) STRICT;
CREATE TABLE log(what, n);
CREATE INDEX adults ON person(AGE) WHERE age > 3;
CREATE INDEX by_name ON person(lower("first name"), age DESC);
CREATE INDEX by_total ON part(twice, total);
CREATE VIEW people AS SELECT * FROM person; -- tail
CREATE VIEW ages AS SELECT id, age+1 FROM people WHERE age > 1;
CREATE VIEW wages(q, z) AS SELECT age, wage FROM person NATURAL JOIN (SELECT 5 AS id);
CREATE TRIGGER changed AFTER UPDATE OF age, wage ON person WHEN NEW.age <> OLD.age BEGIN
  INSERT INTO log SELECT 'upd', (SELECT count(*) FROM person WHERE age = NEW.age);
  UPDATE person SET wage = wage + 1, (age) = (SELECT 5) WHERE id = OLD.id AND age IS NOT DISTINCT FROM 4;
  DELETE FROM log WHERE what = NEW.wage;
END;
CREATE TRIGGER added INSTEAD OF INSERT ON people BEGIN
  INSERT INTO person VALUES (NEW.id, NEW."first name", NEW.age, NEW.wage) ON CONFLICT (id) DO UPDATE SET age = excluded.age + wage;
END;
INSERT INTO person VALUES (5, 'x', 3, 1.0), (9, 'Y', 7, 2.5), (2, CAST(x'ff41' AS TEXT), 'abc', NULL);
INSERT INTO part(a, b, owner, buyer) VALUES (1, 2, 5, 9), (1, 3, 2, 2), (0, 'q', NULL, NULL);
INSERT INTO strictly VALUES ('a', 9007199254740993, 2.0), ('b', x'00ff', 1.5);
PRAGMA user_version = 7; PRAGMA application_id = 99;`;

const rename = (table: string, from: string, to: string): DatabaseChange['renames'][number] => ({ table, from, to });
const addition = (
  table: string,
  name: string,
  before: string | null,
  values: readonly SqlValue[],
  declaredType = 'TEXT',
): DatabaseChange['additions'][number] => ({ table, name, before, values, declaredType });

function copy(change: Partial<DatabaseChange>): void {
  materializeCopy(SOURCE, TARGET, { renames: [], additions: [], ...change });
}

function sqlOf(name: string): string {
  return withDatabase(TARGET, (sqlite) =>
    sqlite.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(name),
  ) as string;
}

function refusal(change: Partial<DatabaseChange>): InputFormatError | SqlRewriteError {
  try {
    copy(change);
  } catch (error) {
    if (error instanceof InputFormatError || error instanceof SqlRewriteError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const RENAMES = [
  rename('PERSON', 'AGE', 'wage'),
  rename('person', 'wage', 'order by'),
  rename('person', 'id', 'é"🙂.x'),
  rename('part', 'a', 'b'),
  rename('part', 'b', 'a'),
  rename('log', 'n', 'select'),
];
const ADDITIONS = [
  addition('person', 'new', 'age', [1n, '2', null], 'INTEGER'),
  addition('person', 'newer', 'age', ['u', 'v', 'w']),
  addition('person', 'last', null, [1n, 'z', null], 'VARCHAR(20)'),
  addition('part', 'weight', 'a', [1n, 2.5, null], 'REAL'),
  addition('strictly', 'mixed', 'v', [1n, 'x'], 'INT'),
  addition('log', 'why', 'what', []),
];
const ADDED = new Set(ADDITIONS.map(({ name }) => name));

describe('materializeCopy', () => {
  beforeAll(() => createDatabase(SOURCE, SHOP));

  it.each<[string, DatabaseChange]>([
    ['nothing', { renames: [], additions: [] }],
    ['names', { renames: RENAMES, additions: [] }],
    ['added columns', { renames: [], additions: ADDITIONS }],
    ['both', { renames: RENAMES, additions: ADDITIONS }],
  ])('keeps cells, row ids, views, triggers and checks under %s', (_, change) => {
    const before = fileSha256(SOURCE);
    copy(change);
    expect(fileSha256(SOURCE)).toBe(before);
    const state = (file: string): unknown =>
      withDatabase(file, (sqlite) => [
        allCells(sqlite, (__, column) => ADDED.has(column)),
        viewCells(sqlite),
        checksOf(sqlite),
        sqlite.prepare('SELECT * FROM sqlite_sequence').all(),
        ['page_size', 'encoding', 'user_version', 'application_id', 'auto_vacuum'].map((name) => sqlite.pragma(name)),
      ]);
    expect(state(TARGET)).toEqual(state(SOURCE));
    // The triggers fire alike.
    const fire = (file: string, age: string): unknown => {
      const work = join(folder, 'work.sqlite');
      copyFileSync(file, work);
      return withDatabase(work, (sqlite) => {
        sqlite.exec(`INSERT INTO people(id) VALUES (77), (5); UPDATE person SET "${age}" = 4 WHERE "${age}" = 7`);
        return allCells(sqlite, (__, column) => ADDED.has(column));
      });
    };
    expect(fire(TARGET, change.renames.length > 0 ? 'wage' : 'age')).toEqual(fire(SOURCE, 'age'));
    expect(filesIn(folder).filter((name) => name.startsWith('source'))).toEqual(['source.sqlite']);
    expect(filesIn(join(folder, 'out'))).toEqual(['target.sqlite']);
  });

  it('edits the tokens of the columns and no others', () => {
    copy({ renames: RENAMES, additions: ADDITIONS });
    expect(sqlOf('person')).toBe(
      `CREATE TABLE person(
  "é""🙂.x" INTEGER PRIMARY KEY AUTOINCREMENT,
  "first name" TEXT COLLATE NOCASE, -- a comment
  new INTEGER, newer TEXT, wage INT CHECK (wage > 0 OR person.wage < -5),
  "order by" REAL DEFAULT 3, last VARCHAR(20), UNIQUE("first name", wage))`,
    );
    expect(sqlOf('part')).toContain(
      'weight REAL, b, a, owner REFERENCES person, buyer INT REFERENCES person("é""🙂.x")',
    );
    expect(sqlOf('strictly')).toBe('CREATE TABLE strictly(k TEXT, mixed ANY, v ANY, w REAL) STRICT');
    expect(sqlOf('adults')).toBe('CREATE INDEX adults ON person(wage) WHERE wage > 3');
    expect(sqlOf('ages')).toBe('CREATE VIEW ages AS SELECT id, age+1 FROM people WHERE age > 1');
    expect(sqlOf('changed')).toContain(`INSERT INTO log (what, "select") SELECT 'upd'`);
  });

  it('stores the added values as the declared type makes them', () => {
    copy({ additions: ADDITIONS });
    const rows = withDatabase(TARGET, (sqlite) =>
      sqlite.prepare('SELECT new, typeof(new), newer, last, typeof(last) FROM person ORDER BY id').raw().all(),
    );
    expect(rows).toEqual([
      [1, 'integer', 'u', '1', 'text'],
      [2, 'integer', 'v', 'z', 'text'],
      [null, 'null', 'w', null, 'null'],
    ]);
    const part = withDatabase(TARGET, (sqlite) => sqlite.prepare('SELECT weight FROM part').pluck().all());
    expect(part).toEqual([1, 2.5, null]);
  });

  it('gives the original schema back, up to quotes, under the inverse renames', () => {
    copy({ renames: RENAMES });
    const back = join(folder, 'back.sqlite');
    const inverse = RENAMES.map(({ table, from, to }) => rename(table, to, from.toLowerCase()));
    materializeCopy(TARGET, back, { renames: inverse, additions: [] });
    const restored = withDatabase(back, bareSchema);
    const original = withDatabase(SOURCE, bareSchema);
    const folded = (sql: string | null): string | undefined => sql?.toLowerCase().replace('natural join', 'join');
    // NATURAL became ON: its columns no longer have one name.
    expect(restored.filter(({ name }) => name !== 'wages').map(({ sql }) => folded(sql))).toEqual(
      original.filter(({ name }) => name !== 'wages').map(({ sql }) => folded(sql)),
    );
    expect(withDatabase(back, viewCells)).toEqual(withDatabase(SOURCE, viewCells));
  });

  it('gives the same bytes for the same change', () => {
    copy({ renames: RENAMES, additions: ADDITIONS });
    const first = fileSha256(TARGET);
    copy({ renames: RENAMES, additions: ADDITIONS });
    expect(fileSha256(TARGET)).toBe(first);
  });

  it('replaces an older target, and a journal that lies next to it', () => {
    copy({});
    writeFileSync(`${TARGET}-journal`, 'left over');
    copy({ renames: RENAMES });
    expect(filesIn(join(folder, 'out'))).toEqual(['target.sqlite']);
    expect(sqlOf('log')).toContain('"select"');
  });
});

describe('what materializeCopy refuses', () => {
  beforeAll(() => {
    createDatabase(
      SOURCE,
      `CREATE TABLE t(a, b); CREATE VIEW v AS SELECT a FROM t; CREATE VIRTUAL TABLE f USING fts5(a, content=t);
       CREATE VIRTUAL TABLE g USING fts5(body); CREATE TABLE r(rowid, oid, _rowid_); CREATE TABLE s(i INTEGER PRIMARY KEY AUTOINCREMENT);
       INSERT INTO t VALUES (1, 2)`,
    );
  });

  it.each<[string, Partial<DatabaseChange>, RegExp]>([
    ['a table that is missing', { renames: [rename('x', 'a', 'b')] }, /no such table/],
    ['a column that is missing', { renames: [rename('t', 'x', 'y')] }, /no column "x"/],
    ['a place that is missing', { additions: [addition('t', 'n', 'x', [null])] }, /no column "x"/],
    ['a column that is renamed twice', { renames: [rename('t', 'a', 'x'), rename('T', 'A', 'y')] }, /renamed twice/],
    ['two columns of one name', { renames: [rename('t', 'a', 'B')] }, /would be called/],
    ['an added column of a name that is there', { additions: [addition('t', 'A', null, [null])] }, /would be called/],
    ['a column without a name', { renames: [rename('t', 'a', '')] }, /no usable name/],
    ['too few values', { additions: [addition('t', 'n', null, [])] }, /has 1 rows, but n comes with 0 values/],
    [
      'a type that is none',
      { additions: [addition('t', 'n', null, [null], 'INT); DROP TABLE t')] },
      /can’t be declared/,
    ],
    ['a constraint as a type', { additions: [addition('t', 'n', null, [null], 'INT NOT NULL')] }, /can’t be declared/],
    ['a view', { renames: [rename('v', 'a', 'x')] }, /it is a view/],
    ['a virtual table', { renames: [rename('g', 'body', 'x')] }, /a virtual table/],
    ['the data of a virtual table', { renames: [rename('g_data', 'id', 'x')] }, /part of a virtual table/],
    ['a table of SQLite’s own', { renames: [rename('sqlite_sequence', 'name', 'x')] }, /SQLite’s own/],
    ['content of a virtual table', { renames: [rename('t', 'a', 'x')] }, /takes its content from t/],
    ['rows that can’t be distinguished', { additions: [addition('r', 'n', null, [])] }, /names of the row id/],
  ])('%s', (_, change, reason) => {
    const error = refusal(change);
    expect(error.message).toMatch(reason);
    expect(error.where.file).toBe(SOURCE);
    expect(error.fix).not.toBe('');
    expect(filesIn(join(folder, 'out')).filter((name) => name.includes('tmp'))).toEqual([]);
  });

  it('a source that is missing, is no database or is the target', () => {
    const nothing: DatabaseChange = { renames: [], additions: [] };
    const text = join(folder, 'text.sqlite');
    writeFileSync(text, 'version https://git-lfs.github.com/spec/v1\n'.repeat(20));
    expect(() => materializeCopy(join(folder, 'absent'), TARGET, nothing)).toThrow(/no such database file/);
    expect(() => materializeCopy(text, TARGET, nothing)).toThrow(/can’t be read or changed/);
    expect(() => materializeCopy(SOURCE, join(folder, 'out', '..', 'source.sqlite'), nothing)).toThrow(/over itself/);
  });
});

describe('odd databases', () => {
  it('keeps what is broken broken, and the rest working', () => {
    createDatabase(
      SOURCE,
      `CREATE TABLE t(a, b); CREATE TABLE gone(x); CREATE VIEW broken AS SELECT a, x FROM t, gone; CREATE VIEW good AS SELECT a FROM t;
       CREATE TABLE u(a REFERENCES nowhere(b), c, FOREIGN KEY (c) REFERENCES t(nix));
       CREATE TRIGGER fails AFTER DELETE ON t BEGIN DELETE FROM gone WHERE x = OLD.a; END; DROP TABLE gone;`,
    );
    copy({ renames: [rename('t', 'a', 'z'), rename('u', 'c', 'd')], additions: [addition('t', 'n', 'a', [])] });
    expect(sqlOf('broken')).toBe('CREATE VIEW broken AS SELECT a, x FROM t, gone');
    expect(sqlOf('good')).toBe('CREATE VIEW good("a") AS SELECT z FROM t');
    expect(sqlOf('fails')).toContain('OLD.a');
    expect(sqlOf('u')).toContain('FOREIGN KEY (d) REFERENCES t(nix)');
  });

  it('keeps triggers that refuse a change, which refuse it by the new names', () => {
    createDatabase(
      SOURCE,
      `CREATE TABLE person(name, age);
       CREATE TRIGGER age_check BEFORE INSERT ON person WHEN NEW.age < 0 BEGIN SELECT RAISE(ABORT, 'age below 0'); END;
       CREATE TRIGGER no_name BEFORE INSERT ON person BEGIN
         SELECT CASE WHEN NEW.name IS NULL THEN raise(IGNORE) END;
         SELECT RAISE(FAIL, 'abort') WHERE NEW.name = 'abort';
         SELECT RAISE(ROLLBACK, 'ignore') WHERE NEW.name = 'ignore';
       END`,
    );
    copy({ renames: [rename('person', 'age', 'years')], additions: [addition('person', 'ABORT', 'name', [])] });
    expect(sqlOf('age_check')).toContain("WHEN NEW.years < 0 BEGIN SELECT RAISE(ABORT, 'age below 0'); END");
    withDatabase(TARGET, (sqlite) => {
      const insert = sqlite.prepare('INSERT INTO person(name, years) VALUES (?, ?)');
      expect(() => insert.run('a', -1)).toThrow('age below 0');
      expect(() => insert.run('abort', 1)).toThrow('abort');
      expect(() => insert.run('ignore', 1)).toThrow('ignore');
      insert.run(null, 1);
      insert.run('b', 1);
      expect(sqlite.prepare('SELECT name, years FROM person').raw().all()).toEqual([['b', 1]]);
    });
  });

  it('reads double-quoted strings as SQLite does, which this build would refuse', () => {
    createDatabase(
      SOURCE,
      "CREATE TABLE t(a, b CHECK (b <> 'x')); CREATE VIEW v AS SELECT a, 'lit' FROM t; CREATE TABLE log(n)",
    );
    const sqlite = new Sqlite(SOURCE);
    sqlite.unsafeMode(true);
    sqlite.pragma('writable_schema = ON');
    sqlite.exec(`UPDATE sqlite_schema SET sql = replace(sql, '''', '"');
      INSERT INTO sqlite_schema VALUES ('trigger', 'r', 't', 0, 'CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES ("new"); END')`);
    sqlite.close();
    copy({
      renames: [rename('t', 'a', 'x')],
      additions: [addition('t', 'lit', 'b', []), addition('log', 'new', null, [])],
    });
    expect(sqlOf('t')).toBe(`CREATE TABLE t(x, lit TEXT, b CHECK (b <> 'x'))`);
    expect(sqlOf('v')).toBe(`CREATE VIEW v("a", """lit""") AS SELECT x, 'lit' FROM t`);
    expect(sqlOf('r')).toBe('CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log (n) VALUES ("new"); END');
  });

  it('takes over what a write-ahead log holds, and leaves the log alone', () => {
    const live = join(folder, 'live.sqlite');
    const sqlite = new Sqlite(live);
    sqlite.pragma('journal_mode = WAL');
    sqlite.exec('CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)');
    for (const suffix of ['', '-wal']) copyFileSync(live + suffix, SOURCE + suffix);
    sqlite.close();
    const before = [fileSha256(SOURCE), fileSha256(`${SOURCE}-wal`)];
    copy({ renames: [rename('t', 'a', 'z')], additions: [addition('t', 'n', null, ['p', 'q'])] });
    expect([fileSha256(SOURCE), fileSha256(`${SOURCE}-wal`)]).toEqual(before);
    expect(filesIn(folder)).not.toContain('source.sqlite-shm');
    expect(withDatabase(TARGET, (db) => db.prepare('SELECT * FROM t').raw().all())).toEqual([
      [1, 'p'],
      [2, 'q'],
    ]);
    expect(readFileSync(TARGET)[18]).toBe(1);
    expect(filesIn(join(folder, 'out'))).toEqual(['target.sqlite']);
  });

  it.each([
    ['UTF-16', "PRAGMA encoding = 'UTF-16be'"],
    ['pages of 1024 bytes and auto-vacuum', 'PRAGMA page_size = 1024; PRAGMA auto_vacuum = FULL'],
  ])('keeps %s', (_, pragma) => {
    for (const suffix of ['-wal', '-shm']) writeFileSync(SOURCE + suffix, '');
    createDatabase(
      SOURCE,
      `${pragma}; CREATE TABLE t(a, "ü b" REAL); CREATE INDEX i ON t("ü b"); CREATE TABLE u(x);
       INSERT INTO t SELECT printf('%.*c', 300, 'é'), value * 1.0 FROM generate_series(1, 500);
       INSERT INTO u SELECT a FROM t`.replace(
        'generate_series(1, 500)',
        "json_each('[' || rtrim(replace(hex(zeroblob(500)), '00', '1,'), ',') || ']')",
      ),
    );
    copy({ renames: [rename('t', 'ü b', '🙂')], additions: [addition('t', 'n', 'a', Array<string>(500).fill('ß'))] });
    const state = (file: string): unknown =>
      withDatabase(file, (sqlite) => [
        allCells(sqlite, (__, column) => column === 'n'),
        checksOf(sqlite),
        ['page_size', 'encoding', 'auto_vacuum'].map((name) => sqlite.pragma(name)),
      ]);
    expect(state(TARGET)).toEqual(state(SOURCE));
    expect(withDatabase(TARGET, (db) => db.prepare('SELECT DISTINCT n FROM t').pluck().all())).toEqual(['ß']);
  });

  it('keeps the rows of columns that were added without being written, and texts that look like numbers', () => {
    createDatabase(SOURCE, "CREATE TABLE t(a REAL, r TEXT); INSERT INTO t VALUES ('1.5', 'x'), (2, 'y')");
    const sqlite = new Sqlite(SOURCE);
    sqlite.unsafeMode(true);
    sqlite.exec("ALTER TABLE t ADD COLUMN d TEXT DEFAULT 5; INSERT INTO t VALUES (3, 'z', 'w')");
    sqlite.pragma('writable_schema = ON');
    sqlite.exec("UPDATE sqlite_schema SET sql = 'CREATE TABLE t(a REAL, r REAL, d TEXT DEFAULT 5)'");
    sqlite.pragma('writable_schema = RESET');
    sqlite.close();
    copy({ additions: [addition('t', 'n', 'a', [1n, 2n, 3n])] });
    const cells = (file: string): unknown => withDatabase(file, (db) => allCells(db, (_, column) => column === 'n'));
    expect(cells(TARGET)).toEqual(cells(SOURCE));
  });

  it('takes over what a hot journal would roll back', () => {
    const live = join(folder, 'hot.sqlite');
    createDatabase(live, 'CREATE TABLE t(a, b); INSERT INTO t VALUES (1, zeroblob(9000)), (2, zeroblob(9000))');
    const sqlite = new Sqlite(live);
    sqlite.pragma('cache_size = 1');
    sqlite.pragma('cache_spill = 1');
    sqlite.exec('BEGIN; UPDATE t SET a = a + 10, b = zeroblob(20000)');
    for (const suffix of ['', '-journal']) copyFileSync(live + suffix, SOURCE + suffix);
    sqlite.close();
    copy({ renames: [rename('t', 'a', 'z')] });
    expect(withDatabase(TARGET, (db) => db.prepare('SELECT z, length(b) FROM t').raw().all())).toEqual([
      [1, 9000],
      [2, 9000],
    ]);
    rmSync(`${SOURCE}-journal`);
  });

  it('leaves virtual tables, statistics and names in any quotes working', () => {
    createDatabase(
      SOURCE,
      `CREATE TABLE 't'('a b' INT, [c] TEXT UNIQUE, \`d\` REAL, "e""f", PRIMARY KEY('a b', "c"), CHECK ([c] <> 'c' AND t.\`d\` > 0));
       CREATE INDEX 'i' ON 't'('c', [d] DESC); CREATE VIRTUAL TABLE docs USING fts5(body); CREATE VIRTUAL TABLE box USING rtree(id, x0, x1);
       INSERT INTO docs VALUES ('some words'); INSERT INTO box VALUES (1, 2, 3); INSERT INTO t VALUES (1, 'x', 2.0, 3), (2, 'y', 3, 4); ANALYZE`,
    );
    const renames = ['a b', 'c', 'd', 'e"f'].map((from, i) => rename('t', from, `n${i}`));
    copy({ renames, additions: [addition('t', 'c', 'c', ['p', 'q'])] });
    expect(sqlOf('t')).toBe(
      `CREATE TABLE 't'(n0 INT, c TEXT, n1 TEXT UNIQUE, n2 REAL, n3, PRIMARY KEY(n0, n1), CHECK (n1 <> 'c' AND t.n2 > 0))`,
    );
    expect(sqlOf('i')).toBe("CREATE INDEX 'i' ON 't'(n1, n2 DESC)");
    withDatabase(TARGET, (sqlite) => {
      expect(sqlite.prepare("SELECT body FROM docs WHERE docs MATCH 'words'").pluck().all()).toEqual(['some words']);
      expect(sqlite.prepare('SELECT id FROM box WHERE x0 > 1').pluck().all()).toEqual([1]);
      expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    });
    const statistics = (file: string): unknown =>
      withDatabase(file, (sqlite) => sqlite.prepare('SELECT * FROM sqlite_stat1').all());
    expect(statistics(TARGET)).toEqual(statistics(SOURCE));
  });

  it('keeps IN a table on the columns that the table had', () => {
    createDatabase(
      SOURCE,
      `CREATE TABLE one(a); CREATE TABLE t(b); CREATE VIEW v AS SELECT b FROM t WHERE b IN one;
       CREATE TRIGGER r AFTER INSERT ON t WHEN new.b NOT IN main.one BEGIN INSERT INTO one VALUES (new.b); END;
       INSERT INTO one VALUES (1); INSERT INTO t VALUES (1), (2), (3);`,
    );
    copy({ renames: [rename('one', 'a', 'z')], additions: [addition('one', 'n', null, ['p', 'q', 'r'])] });
    expect(sqlOf('v')).toBe('CREATE VIEW v AS SELECT b FROM t WHERE b IN (SELECT z FROM one)');
    withDatabase(TARGET, (sqlite) => {
      sqlite.exec('INSERT INTO t VALUES (3), (4)');
      expect(sqlite.prepare('SELECT * FROM v').pluck().all()).toEqual([1, 2, 3, 3, 4]);
    });
  });

  it('refuses a view that it can’t read when the change concerns it, and leaves it alone otherwise', () => {
    createDatabase(
      SOURCE,
      "CREATE TABLE t(a); CREATE TABLE u(b); CREATE VIEW v AS SELECT t.a, j.name FROM t, pragma_table_info('x') AS j",
    );
    copy({ renames: [rename('u', 'b', 'z')] });
    expect(sqlOf('u')).toBe('CREATE TABLE u(z)');
    const error = refusal({ renames: [rename('t', 'a', 'z')] });
    expect(error).toBeInstanceOf(SqlRewriteError);
    expect(error.message).toMatch(/view v can’t follow the change: table-valued function pragma_table_info at offset/);
  });
});
