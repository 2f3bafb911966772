import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isSqliteError } from '../../../../src/sql/execution/open-connection.js';
import type { SqliteDriver } from '../../../../src/sql/execution/drivers/sqlite-driver.js';

const WRITES = [
  'INSERT INTO pet (id) VALUES (9)',
  'DELETE FROM pet',
  'DROP TABLE pet',
  'CREATE TABLE other (a)',
  'VACUUM',
  "VACUUM INTO 'never-written.sqlite'",
  'PRAGMA journal_mode = WAL',
  'INSERT INTO pet (id) VALUES (9) RETURNING id',
  'WITH one AS (SELECT 1) DELETE FROM pet',
];
const READS = [
  'SELECT 1',
  'SELECT * FROM pet',
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT count(*) FROM n, pet ORDER BY 1',
  'VALUES (1), (2)',
  'SELECT id FROM pet UNION SELECT id FROM pet EXCEPT SELECT 3 ORDER BY id LIMIT 1',
];

function errorOf(step: () => unknown): unknown {
  try {
    step();
  } catch (error) {
    return error;
  }
  return null;
}

function codeOf(step: () => unknown): string {
  const error = errorOf(step);
  return isSqliteError(error) ? error.code : `no error of SQLite: ${String(error)}`;
}

/** What the rest of the code takes from whichever package opens its databases. */
export function describeDriver(load: () => SqliteDriver, deviations: readonly string[] = []): void {
  /** A test that a driver may fail for a reason that is written down. */
  const unless = (deviation: string): typeof it => (deviations.includes(deviation) ? it.skip : it) as typeof it;

  const driver = load();
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-driver-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let sqlite: Sqlite.Database;

  beforeEach(() => {
    sqlite = driver.open(':memory:');
    sqlite.exec('CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT UNIQUE, weight, photo BLOB)');
    sqlite.prepare('INSERT INTO pet VALUES (?, ?, ?, ?)').run(1, 'Ada', 2.5, Buffer.from([0, 255]));
    sqlite.prepare('INSERT INTO pet VALUES (?, ?, ?, ?)').run(9007199254740993n, null, 3n, null);
  });
  afterEach(() => {
    sqlite.close();
  });

  describe('statements', () => {
    it.each(WRITES)('knows that it writes: %s', (sql) => {
      expect(sqlite.prepare(sql).readonly).toBe(false);
    });

    it.each(READS)('knows that it reads: %s', (sql) => {
      const statement = sqlite.prepare(sql);
      expect([statement.reader, statement.readonly]).toEqual([true, true]);
    });

    it('is no reader without rows to give', () => {
      expect(sqlite.prepare('DELETE FROM pet').reader).toBe(false);
    });

    it('does not write while it is prepared or asked', () => {
      for (const sql of WRITES.filter((each) => !each.startsWith('PRAGMA'))) void sqlite.prepare(sql).readonly;
      expect(sqlite.prepare('SELECT count(*) FROM pet').pluck().get()).toBe(2);
    });

    it.each(['', ' ; -- nothing\n', '/* nothing */'])('refuses a text without a statement: %j', (sql) => {
      expect(errorOf(() => sqlite.prepare(sql))).toMatchObject({
        name: 'RangeError',
        message: expect.stringContaining('no statements') as string,
      });
    });

    it('refuses two statements, and allows what closes one', () => {
      expect(errorOf(() => sqlite.prepare('SELECT 1; SELECT 2'))).toMatchObject({
        name: 'RangeError',
        message: expect.stringContaining('more than one statement') as string,
      });
      expect(sqlite.prepare("SELECT 'é;🐈' ; ;/* end */ -- of it").pluck().get()).toBe('é;🐈');
    });

    it('reads double quotes as names only', () => {
      expect(codeOf(() => sqlite.prepare('SELECT "nobody"'))).toBe('SQLITE_ERROR');
    });

    unless('whole numbers are bound as integers')('binds numbers as reals, bigints as integers', () => {
      const types = sqlite.prepare('SELECT typeof(?), typeof(?), typeof(?), typeof(?)').raw();
      expect(types.get(1, 1n, 'a', Buffer.from('a'))).toEqual(['real', 'integer', 'text', 'blob']);
      expect(types.get([1, null, 'a', 1.5])).toEqual(['real', 'null', 'text', 'real']);
    });
  });

  describe('rows', () => {
    const SELECT = 'SELECT id, name, weight, photo FROM pet ORDER BY id';

    it('come as objects', () => {
      expect(sqlite.prepare(SELECT).all()[0]).toEqual({
        id: 1,
        name: 'Ada',
        weight: 2.5,
        photo: Buffer.from([0, 255]),
      });
      expect(sqlite.prepare('SELECT 1 WHERE 0').get()).toBe(undefined);
    });

    it('come as arrays with columns of one name side by side', () => {
      expect(sqlite.prepare('SELECT id, id, name FROM pet ORDER BY id').raw().get()).toEqual([1, 1, 'Ada']);
    });

    it('come as their first value', () => {
      expect(sqlite.prepare(SELECT).pluck().safeIntegers().all()).toEqual([1n, 9007199254740993n]);
    });

    it('have integers exactly where asked, distinguished from reals', () => {
      const row = sqlite.prepare('SELECT 1, 1.0, 9007199254740993').raw();
      expect(row.safeIntegers().get()).toEqual([1n, 1, 9007199254740993n]);
      expect(sqlite.prepare('SELECT 9007199254740993').pluck().get()).toBe(9007199254740992);
    });

    it('can be left half read', () => {
      const some = sqlite.prepare(SELECT).raw();
      for (const row of some.iterate()) {
        expect(row).toHaveLength(4);
        break;
      }
      sqlite.exec('DROP TABLE pet');
    });

    it('tell their columns and where they are from', () => {
      const columns = sqlite.prepare('SELECT weight AS w, 1 + 1 AS two FROM pet').columns();
      expect(columns.map(({ name, column, table }) => [name, column, table])).toEqual([
        ['w', 'weight', 'pet'],
        ['two', null, null],
      ]);
    });

    unless('a text ends at NUL')('have texts beyond a NUL', () => {
      expect(sqlite.prepare("SELECT 'a' || char(0) || 'b'").pluck().get()).toBe('a\0b');
    });

    it('have replacement characters for what is no UTF-8', () => {
      expect(sqlite.prepare("SELECT CAST(x'FF41' AS TEXT)").pluck().get()).toBe('\uFFFDA');
    });
  });

  describe('errors', () => {
    it('name their result', () => {
      expect(codeOf(() => sqlite.exec('SELEC 1'))).toBe('SQLITE_ERROR');
      expect(codeOf(() => sqlite.exec("INSERT INTO pet (name) VALUES ('Ada')"))).toBe('SQLITE_CONSTRAINT_UNIQUE');
      expect(codeOf(() => sqlite.exec('INSERT INTO pet (id) VALUES (1)'))).toBe('SQLITE_CONSTRAINT_PRIMARYKEY');
      expect(codeOf(() => driver.open(join(folder, 'none.sqlite'), { fileMustExist: true }))).toBe('SQLITE_CANTOPEN');
    });

    it('tell a file that is no database', () => {
      const file = join(folder, 'text.sqlite');
      writeFileSync(file, 'no database, but a text that is longer than the header of one'.repeat(20));
      const read = (): unknown => {
        const opened = driver.open(file, { readonly: true });
        try {
          return opened.prepare('SELECT * FROM sqlite_schema').all();
        } finally {
          opened.close();
        }
      };
      expect(codeOf(read)).toBe('SQLITE_NOTADB');
    });

    it('of functions come as they were thrown', () => {
      const boom = new RangeError('boom');
      sqlite.function('explode', () => {
        throw boom;
      });
      expect(errorOf(() => sqlite.prepare('SELECT explode()').get())).toBe(boom);
    });
  });

  describe('functions', () => {
    it('take values and give them', () => {
      sqlite.function('twice', (value) => (value as number) * 2);
      sqlite.function('how_many', { varargs: true }, (...values: unknown[]) => values.length);
      sqlite.function('no_value', () => undefined);
      expect(sqlite.prepare('SELECT twice(21), how_many(1, 2, 3), no_value()').raw().get()).toEqual([42, 3, null]);
    });
  });

  describe('transactions', () => {
    const count = (): unknown => sqlite.prepare('SELECT count(*) FROM pet').pluck().get();

    it('keep all or nothing, nested ones too', () => {
      const add = sqlite.transaction((name: string, fails: boolean) => {
        sqlite.prepare('INSERT INTO pet (name) VALUES (?)').run(name);
        if (fails) throw new Error('no');
      });
      sqlite.transaction(() => {
        add('Bo', false);
        expect(errorOf(() => add('Cy', true))).toBeInstanceOf(Error);
        expect(sqlite.inTransaction).toBe(true);
      })();
      expect([count(), sqlite.inTransaction]).toEqual([3, false]);
      expect(errorOf(() => add.immediate('Di', true))).toBeInstanceOf(Error);
      expect(count()).toBe(3);
    });
  });

  describe('databases', () => {
    it('are their bytes, and open from them', () => {
      const copy = driver.open(sqlite.serialize());
      copy.exec('DELETE FROM pet');
      expect(copy.prepare('SELECT count(*) FROM pet').pluck().get()).toBe(0);
      copy.close();
      expect(sqlite.prepare('SELECT count(*) FROM pet').pluck().get()).toBe(2);
    });

    it('in a file have the same bytes there', () => {
      const file = join(folder, 'same.sqlite');
      const written = driver.open(file);
      written.exec('CREATE TABLE a (b); INSERT INTO a VALUES (1)');
      const bytes = written.serialize();
      written.close();
      expect(readFileSync(file).equals(bytes)).toBe(true);
    });

    it('with a write-ahead log have its content in their bytes', () => {
      const written = driver.open(join(folder, 'log.sqlite'));
      written.pragma('journal_mode = WAL');
      written.exec('CREATE TABLE a (b); INSERT INTO a VALUES (1)');
      const bytes = written.serialize();
      written.close();
      bytes.fill(1, 18, 20);
      const copy = driver.open(bytes, { readonly: true });
      expect(copy.prepare('SELECT b FROM a').pluck().get()).toBe(1);
      copy.close();
    });

    it('refuse writes where they are for reading', () => {
      const copy = driver.open(sqlite.serialize(), { readonly: true });
      expect(copy.readonly).toBe(true);
      expect(codeOf(() => copy.exec('DELETE FROM pet'))).toBe('SQLITE_READONLY');
      copy.close();
    });

    it('let their schema be edited in unsafe mode', () => {
      sqlite.unsafeMode(true);
      sqlite.pragma('writable_schema = ON');
      sqlite.exec("UPDATE sqlite_schema SET sql = replace(sql, 'weight', 'kilos') WHERE name = 'pet'");
      expect(sqlite.prepare('SELECT sql FROM sqlite_schema').pluck().get()).toContain('kilos');
    });

    it('have pragmas as rows or a value', () => {
      expect(sqlite.pragma('foreign_keys', { simple: true })).toBe(1);
      expect(sqlite.pragma('table_info(pet)')).toHaveLength(4);
    });

    it('can be closed twice', () => {
      sqlite.close();
      sqlite.close();
      expect(sqlite.open).toBe(false);
    });
  });
}
