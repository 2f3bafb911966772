import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { loadSpiderTables } from '../../../src/formats/spider-tables.js';
import { readSqliteSchema } from '../../../src/formats/read-sqlite-schema.js';
import { executableSql } from '../../../src/sql/executable-sql.js';
import { createFuzzer, type Fuzzer, type TableRows } from '../../../src/rows/fuzz/fuzzer.js';
import { randomSchema } from '../../variants/databases/copy/random-schema.js';
import { hasSpider, NEEDS_SPIDER, readGold, SPIDER } from '../../sql/spider-files.js';

let folder: string;
let made: (Fuzzer | Sqlite.Database)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
  made = [];
});
afterEach(() => {
  for (const one of made) one.close();
  rmSync(folder, { recursive: true });
});

/** Some random rows do not fit their tables. */
function insertIfTaken(sqlite: Sqlite.Database, insert: string): void {
  try {
    sqlite.exec(insert);
  } catch (error) {
    expect(error).toBeInstanceOf(Sqlite.SqliteError);
  }
}

function fuzzerOf(sql: string, queries: readonly string[] = [], rows: readonly string[] = []): Fuzzer {
  const file = join(folder, `${readdirSync(folder).length}.sqlite`);
  const sqlite = new Sqlite(file);
  sqlite.pragma('foreign_keys = off');
  sqlite.pragma('synchronous = off');
  sqlite.exec(sql);
  for (const row of rows) insertIfTaken(sqlite, row);
  const database = readSqliteSchema(sqlite, 'made');
  sqlite.close();
  const fuzzer = createFuzzer({ database, file }, queries);
  made.push(fuzzer);
  return fuzzer;
}

function open(fuzzer: Fuzzer, rows: TableRows): Sqlite.Database {
  const sqlite = fuzzer.materialize(rows);
  made.push(sqlite);
  return sqlite;
}

const databases = (fuzzer: Fuzzer, count: number): Sqlite.Database[] =>
  Array.from({ length: count }, (_, seed) => open(fuzzer, fuzzer.database(seed)));

/** References that do not hold; none where SQLite itself can't make sense of a foreign key. */
function broken(sqlite: Sqlite.Database): readonly unknown[] {
  try {
    return sqlite.pragma('foreign_key_check') as unknown[];
  } catch (error) {
    expect((error as Error).message).toMatch(/foreign key mismatch/u);
    return [];
  }
}

const countOf = (sqlite: Sqlite.Database, sql: string): number => sqlite.prepare(sql).pluck().get() as number;
const found = (all: readonly Sqlite.Database[], condition: string): number =>
  all.filter((sqlite) => countOf(sqlite, `SELECT count(*) FROM ${condition}`) > 0).length;

const objects = (sqlite: Sqlite.Database): unknown[] =>
  sqlite
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE type <> 'trigger' AND sql IS NOT NULL ORDER BY 1, 2")
    .all();

const SHOP = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT NOT NULL COLLATE NOCASE, price INT, weight REAL, sold DATE);
  CREATE TABLE sale (item INTEGER REFERENCES item (id), buyer TEXT, amount INT);
  CREATE TABLE buyer (name TEXT PRIMARY KEY, town TEXT);
  CREATE INDEX by_price ON item (price DESC);
  CREATE VIEW dear AS SELECT * FROM item WHERE price > 100;
  CREATE TRIGGER bought AFTER INSERT ON sale BEGIN DELETE FROM item; END;`;

const QUERIES = [
  `SELECT title FROM item WHERE price BETWEEN 5000 AND 10000`,
  `SELECT title FROM item WHERE weight IN (2.5, 77777.5) OR sold > '1987-06-05'`,
  `SELECT title FROM item AS i WHERE i.title LIKE '%quagga%' OR lower(title) = 'axolotl'`,
  `SELECT item FROM sale GROUP BY item HAVING count(*) >= 37`,
  `SELECT title FROM item ORDER BY price LIMIT 43`,
  `SELECT s.amount FROM sale AS s JOIN buyer AS b ON s.buyer = b.name WHERE b.town = 'Ghent'`,
  `SELECT n FROM (SELECT amount AS n FROM sale) WHERE n = -4242`,
  `no query`,
];

describe('createFuzzer', () => {
  it('take no cell of more than 64 KiB from the original', () => {
    const rows = ['INSERT INTO page VALUES (1, hex(zeroblob(40000)))', "INSERT INTO page VALUES (2, 'short')"];
    const fuzzer = fuzzerOf('CREATE TABLE page (id INTEGER PRIMARY KEY, body TEXT)', ['SELECT body FROM page'], rows);
    const longest = databases(fuzzer, 20).map((sqlite) => countOf(sqlite, 'SELECT max(length(body)) FROM page'));
    expect(Math.max(...longest)).toBeLessThan(1_000);
  });

  it('makes databases that hold references, keys and checks, the same for the same seed', () => {
    fc.assert(
      fc.property(randomSchema, fc.nat(), ({ sql, rows }, seed) => {
        const fuzzer = fuzzerOf(sql, [], rows);
        const drawn = fuzzer.database(seed);
        const sqlite = open(fuzzer, drawn);
        expect(fuzzer.database(seed)).toEqual(drawn);
        expect(broken(sqlite)).toEqual([]);
        expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
        for (const { name } of fuzzer.tables) {
          expect(countOf(sqlite, `SELECT count(*) FROM "${name}"`)).toBe(drawn.get(name)!.length);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('keeps what the schema declares', () => {
    const fuzzer = fuzzerOf(SHOP);
    const [original, copy] = [new Sqlite(join(folder, '0.sqlite')), open(fuzzer, fuzzer.database(1))];
    made.push(original);
    expect(objects(copy)).toEqual(objects(original));
    expect(fuzzer.tables[1]).toEqual({ name: 'sale', columns: ['item', 'buyer', 'amount'] });
  });

  it('uses the constants of the queries: BETWEEN, IN, LIKE, LIMIT, HAVING, those in subqueries', () => {
    const fuzzer = fuzzerOf(SHOP, QUERIES);
    const all = databases(fuzzer, 60);
    expect(fuzzer.unread).toBe(1);
    const conditions = [
      ...['price BETWEEN 5000 AND 10000', 'price = 5000', 'price = 10000', 'price = 10001', 'price = 4999'],
      ...['price BETWEEN 5002 AND 9998', 'weight = 77777.5', `sold = '1987-06-05'`],
      ...[`title LIKE '%quagga%'`, `title = 'axolotl'`, `title LIKE '%axolotl' AND title <> 'axolotl'`],
    ];
    for (const condition of conditions) expect(found(all, `item WHERE ${condition}`), condition).toBeGreaterThan(2);
    expect(found(all, `sale WHERE amount = -4242`)).toBeGreaterThan(5);
    expect(found(all, `sale AS s JOIN buyer AS b ON s.buyer = b.name WHERE b.town = 'Ghent'`)).toBeGreaterThan(5);
    const sizes = new Set(all.map((sqlite) => countOf(sqlite, 'SELECT count(*) FROM item')));
    for (const size of [42, 43, 44]) expect(sizes).toContain(size);
  });

  it('makes rows that a query finds, and those that they refer to', () => {
    const fuzzer = fuzzerOf(SHOP, []);
    const sql = `SELECT count(*) FROM sale AS s JOIN item AS i ON s.item = i.id JOIN buyer AS b ON s.buyer = b.name
      WHERE i.title LIKE '%quagga%' AND i.price BETWEEN 7 AND 9 AND b.town = 'Ghent' AND s.amount > 40`;
    for (let seed = 0; seed < 20; seed++) {
      const orders = [{ sql, turn: seed, batches: [3, 2], hasBare: true, repeats: false }];
      const sqlite = open(fuzzer, fuzzer.withWitnesses(seed, orders, 'none'));
      expect(countOf(sqlite, sql)).toBeGreaterThan(0);
      expect(broken(sqlite)).toEqual([]);
    }
  });

  it('makes nothing that a table refuses', () => {
    const queries = [`SELECT title FROM item WHERE id = 'none'`, `SELECT title FROM item WHERE title IS NULL`];
    const fuzzer = fuzzerOf(SHOP, queries);
    const orders = queries.map((sql) => ({ sql, turn: 0, batches: [2], hasBare: true, repeats: false }));
    const all = Array.from({ length: 10 }, (_, seed) => open(fuzzer, fuzzer.withWitnesses(seed, orders, 'few')));
    expect(found(all, 'item')).toBe(10);
    expect(found(all, `item WHERE typeof(id) <> 'integer' OR title IS NULL`)).toBe(0);
  });

  it('makes keys that refer to what may be a text or nothing', () => {
    const fuzzer = fuzzerOf(
      `CREATE TABLE name (id TEXT PRIMARY KEY, code, word TEXT UNIQUE);
      CREATE TABLE car (id INTEGER PRIMARY KEY REFERENCES name (id), code INT NOT NULL UNIQUE REFERENCES name (word));`,
      [`SELECT car.id FROM car JOIN name ON car.id = name.code WHERE name.id = 'none' OR car.id IS NULL`],
    );
    const all = databases(fuzzer, 60);
    expect(all.flatMap(broken)).toEqual([]);
    expect(found(all, `car WHERE typeof(id) <> 'integer' OR code IS NULL`)).toBe(0);
  });

  it('makes results that repeat', () => {
    const fuzzer = fuzzerOf(SHOP, []);
    const sql = `SELECT title, price FROM item WHERE weight > 7`;
    const orders = [{ sql, turn: 0, batches: [3], hasBare: true, repeats: true }];
    const all = Array.from({ length: 5 }, (_, seed) => open(fuzzer, fuzzer.withWitnesses(seed, orders, 'none')));
    expect(found(all, `(${sql} GROUP BY title, price HAVING count(*) = 3)`)).toBe(5);
  });

  it('draws sizes from small to large, with duplicates, and nulls where there may be some', () => {
    const all = databases(fuzzerOf(SHOP, QUERIES), 120);
    const sizes = all.map((sqlite) => countOf(sqlite, 'SELECT count(*) FROM item'));
    expect(Math.min(...sizes)).toBeLessThan(4);
    expect(Math.max(...sizes)).toBeGreaterThan(100);
    expect(found(all, 'item WHERE price IS NULL')).toBeGreaterThan(5);
    expect(found(all, 'sale WHERE item IS NULL')).toBeGreaterThan(5);
    expect(found(all, 'item AS a JOIN item AS b USING (title, price) WHERE a.id < b.id')).toBeGreaterThan(10);
    expect(found(all, 'buyer WHERE name IS NULL')).toBe(0);
  });

  it('fills tables that refer to each other in circles', () => {
    const fuzzer = fuzzerOf(`
      CREATE TABLE land (id INTEGER PRIMARY KEY, capital INT NOT NULL UNIQUE REFERENCES town (id));
      CREATE TABLE town (id INTEGER PRIMARY KEY, land INT NOT NULL REFERENCES land (id));
      CREATE TABLE person (id INTEGER PRIMARY KEY, boss INT REFERENCES person (id), friend INT NOT NULL REFERENCES person);
      CREATE TABLE course (title TEXT, term TEXT, after TEXT, PRIMARY KEY (title, term),
        FOREIGN KEY (after, term) REFERENCES course (title, term)) WITHOUT ROWID;
      CREATE TABLE grade (person INT REFERENCES person, title TEXT NOT NULL, term TEXT NOT NULL,
        PRIMARY KEY (person, title, term), FOREIGN KEY (title, term) REFERENCES course (title, term));`);
    const all = databases(fuzzer, 30);
    expect(all.flatMap(broken)).toEqual([]);
    for (const table of ['land', 'town', 'person', 'course', 'grade']) expect(found(all, table)).toBeGreaterThan(20);
    expect(found(all, 'person WHERE boss <> id')).toBeGreaterThan(15);
  });

  it('makes do with a schema alone', () => {
    const database = {
      id: 'bare',
      tables: [
        {
          name: 'order',
          originalName: 'order',
          columns: [{ name: 'id', originalName: 'id', type: 'number' as const }],
        },
        { name: 'line', originalName: 'line', columns: [{ name: 'of', originalName: 'of', type: 'number' as const }] },
      ],
      // As Spider names one column of a key of two.
      primaryKeys: [0, 1].map((table) => ({ table, column: 0 })),
      foreignKeys: [{ from: { table: 1, column: 0 }, to: { table: 0, column: 0 } }],
    };
    const fuzzer = createFuzzer({ database, file: null }, ['SELECT id FROM "order" WHERE id = 31415']);
    made.push(fuzzer);
    const all = databases(fuzzer, 20);
    expect(all.flatMap(broken)).toEqual([]);
    expect(found(all, '"order" WHERE id = 31415')).toBeGreaterThan(3);
    expect(found(all, 'line')).toBeGreaterThan(12);
    expect(found(all, '(SELECT 1 FROM line GROUP BY "of" HAVING count(*) > 1)')).toBeGreaterThan(8);
  });

  it('replaces rows below prepared statements', () => {
    const fuzzer = fuzzerOf(SHOP, QUERIES);
    const sqlite = open(fuzzer, fuzzer.database(1));
    const statement = sqlite.prepare('SELECT count(*) FROM item').pluck();
    for (const seed of [2, 3]) {
      const rows = fuzzer.database(seed);
      fuzzer.load(sqlite, rows);
      expect(statement.get()).toBe(rows.get('item')!.length);
    }
  });

  it('refuses what is no database', () => {
    const database = { id: 'none', tables: [], primaryKeys: [], foreignKeys: [] };
    const file = join(folder, 'absent.sqlite');
    expect(() => createFuzzer({ database, file }, [])).toThrow(InputFormatError);
  });
});

describe.skipIf(!hasSpider)(`databases for Spider's development set${NEEDS_SPIDER}`, () => {
  const gold = hasSpider ? readGold('dev_gold.sql') : [];
  const schemas = hasSpider ? loadSpiderTables(join(SPIDER, 'tables.json')) : new Map<string, never>();

  it.each([...new Set(gold.map(({ dbId }) => dbId))])('%s: references hold, most queries find something', (id) => {
    const database = schemas.get(id)!;
    const queries = gold.filter(({ dbId }) => dbId === id).map(({ sql }) => executableSql(sql, database));
    const fuzzer = createFuzzer({ database, file: join(SPIDER, 'database', id, `${id}.sqlite`) }, queries);
    made.push(fuzzer);
    expect(fuzzer.unread).toBe(0);
    const all = databases(fuzzer, 15);
    expect(all.flatMap(broken)).toEqual([]);
    const finding = queries.filter((sql) => all.some((sqlite) => sqlite.prepare(sql).get() !== undefined));
    expect(finding.length / queries.length).toBeGreaterThan(0.8);
  });
});
