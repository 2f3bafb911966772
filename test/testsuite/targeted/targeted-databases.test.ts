import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSqliteSchema } from '../../../src/formats/read-sqlite-schema.js';
import type { Database } from '../../../src/schema/schema.js';
import { bindQuery } from '../../../src/sql/binder.js';
import { TargetedDatabases } from '../../../src/testsuite/targeted/targeted-databases.js';
import { sameDenotation } from '../denotation/same-denotation.js';
import { DenotationRunner } from '../../../src/testsuite/denotation/denotation-runner.js';
import { createFuzzer, type Fuzzer, type TableRows } from '../../../src/rows/fuzz/fuzzer.js';
import type { ChangeKind } from '../../../src/testsuite/neighbors/change.js';
import { readColumnFacts } from '../../../src/testsuite/neighbors/column-facts.js';
import { neighborsOf, type Neighbor } from '../../../src/testsuite/neighbors/neighbors.js';

const LIBRARY = `
  CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, land TEXT, born INT, died INT);
  CREATE TABLE book (id INTEGER PRIMARY KEY, author INT NOT NULL REFERENCES author (id), title TEXT NOT NULL,
    genre TEXT, year INT, price REAL, published DATE);
  CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town TEXT, age INT);
  CREATE TABLE loan (book INT NOT NULL REFERENCES book (id), member INT NOT NULL REFERENCES member (id), day TEXT,
    fine REAL, PRIMARY KEY (book, member, day));`;

/** Attempts within which each neighbor is distinguished. */
const ATTEMPTS = 16;

let folder: string;
let database: Database;
let file: string;
let targeted: TargetedDatabases;
let fuzzer: Fuzzer;
let sqlite: Sqlite.Database;
let runner: DenotationRunner;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'targeted-'));
  file = join(folder, 'library.sqlite');
  const made = new Sqlite(file).exec(LIBRARY);
  database = readSqliteSchema(made, 'library');
  made.close();
  targeted = new TargetedDatabases({ database, file });
  fuzzer = createFuzzer({ database, file }, []);
  sqlite = fuzzer.materialize(new Map());
  runner = new DenotationRunner(sqlite, { maxSteps: 20_000_000, maxRows: 100_000, maxBytes: 2 ** 24 });
});
afterAll(() => {
  for (const one of [targeted, fuzzer, sqlite]) one.close();
  rmSync(folder, { recursive: true });
});

/** The neighbors of one kind that nothing shows to be equivalent; of all kinds where none is said. */
function neighbors(gold: string, kind: ChangeKind | null): Neighbor[] {
  const facts = readColumnFacts(sqlite, database);
  return neighborsOf(gold, database, { seed: 1, facts }).filter((neighbor) => {
    return (kind === null || neighbor.kind === kind) && neighbor.equivalent === null;
  });
}

function distinguishes(rows: TableRows, gold: string, { sql }: Neighbor): boolean {
  fuzzer.load(sqlite, rows);
  const mode = bindQuery(gold, database).select.orderBy.length > 0 ? 'ordered' : 'bag';
  const [first, second] = [runner.denote(gold, mode), runner.denote(sql, mode)];
  return first.kind === 'rows' && second.kind === 'rows' && !sameDenotation(first, second);
}

function rowsFor(gold: string, neighbor: Neighbor, seed: number): TableRows {
  const rows = targeted.database(gold, neighbor, seed);
  if (rows === null) throw new Error(`no rows are made for ${neighbor.sql}`);
  return rows;
}

const SEEDS = Array.from({ length: ATTEMPTS }, (_, seed) => seed);

const JOINED = `FROM author AS a JOIN book AS b ON a.id = b.author JOIN loan AS l ON l.book = b.id JOIN member AS m ON m.id = l.member`;
const MANY = `SELECT a.name ${JOINED} WHERE a.land = 'Chile' AND a.born > 1900 AND b.genre = 'poetry' AND b.year BETWEEN 1950 AND 1960 AND b.title LIKE '%canto%' AND m.town = 'Temuco' AND m.age >= 18 AND l.day > '1971-10-21'`;

const CASES: readonly (readonly [kind: ChangeKind, gold: string])[] = [
  ['numeric-constant', 'SELECT title FROM book WHERE year BETWEEN 1950 AND 1960'],
  ['numeric-constant', 'SELECT name FROM author WHERE born > 1900 AND died < 1980'],
  ['string-constant', `SELECT count(*) ${JOINED} WHERE a.land = 'Chile' AND m.town = 'Temuco'`],
  ['string-constant', `SELECT title FROM book WHERE title LIKE '%canto%'`],
  ['string-constant', `SELECT title FROM book WHERE published >= '1971-10-21'`],
  ['comparison-operator', 'SELECT name FROM member WHERE age >= (SELECT avg(age) FROM member)'],
  ['comparison-operator', `SELECT name FROM author WHERE id NOT IN (SELECT author FROM book WHERE genre = 'poetry')`],
  ['aggregator', 'SELECT genre, max(price) FROM book GROUP BY genre'],
  ['aggregator', 'SELECT count(DISTINCT land) FROM author'],
  ['column', `SELECT a.name ${JOINED} WHERE m.town = 'Temuco'`],
  ['drop-distinct', `SELECT DISTINCT a.name ${JOINED} WHERE m.town = 'Temuco'`],
  ['drop-condition', MANY],
  ['drop-order-by', `SELECT title FROM book WHERE genre = 'poetry' ORDER BY price DESC`],
  ['order-direction', `SELECT title FROM book WHERE genre = 'poetry' ORDER BY price DESC LIMIT 3`],
  ['drop-limit', `SELECT title FROM book WHERE genre = 'poetry' ORDER BY price DESC LIMIT 40`],
  ['numeric-constant', `SELECT title FROM book WHERE genre = 'poetry' ORDER BY price DESC LIMIT 40`],
  ['drop-group-by', 'SELECT land, count(*) FROM author GROUP BY land'],
  [
    'drop-having',
    'SELECT a.name FROM author AS a JOIN book AS b ON a.id = b.author GROUP BY a.id HAVING count(*) >= 30',
  ],
  ['numeric-constant', 'SELECT land FROM author GROUP BY land HAVING count(*) = 75'],
  ['drop-branch', `SELECT land FROM author WHERE born < 1900 INTERSECT SELECT land FROM author WHERE died > 1999`],
  [
    'drop-branch',
    `SELECT name FROM author EXCEPT SELECT a.name ${JOINED} WHERE m.town = 'Temuco' AND b.genre = 'poetry'`,
  ],
  [
    'string-constant',
    `SELECT name FROM author EXCEPT SELECT a.name ${JOINED} WHERE m.town = 'Temuco' AND b.year = 1950`,
  ],
];

describe('TargetedDatabases', () => {
  it.each(CASES)('distinguishes each %s of %s', (kind, gold) => {
    const found = neighbors(gold, kind);
    expect(found.length).toBeGreaterThan(0);
    const left = found.filter(
      (neighbor) => !SEEDS.some((seed) => distinguishes(rowsFor(gold, neighbor, seed), gold, neighbor)),
    );
    expect(left.map(({ detail, sql }) => `${detail}: ${sql}`)).toEqual([]);
  });

  it('does it in a few attempts where random databases hardly do', () => {
    const random = createFuzzer({ database, file }, []);
    const all = neighbors(MANY, 'drop-condition');
    const few = SEEDS.slice(0, 6);
    const byChance = all.filter((neighbor) => few.some((seed) => distinguishes(random.database(seed), MANY, neighbor)));
    random.close();
    const found = all.filter((neighbor) =>
      few.some((seed) => distinguishes(rowsFor(MANY, neighbor, seed), MANY, neighbor)),
    );
    expect(all.length).toBeGreaterThan(7);
    expect(byChance.length).toBeLessThan(3);
    expect(found.length).toBe(all.length);
  });

  it.each([
    ['count(*) → count(land)', 'SELECT land FROM author GROUP BY land HAVING count(*) < 200'],
    ['count(*) → count(died)', 'SELECT land, died FROM author GROUP BY land ORDER BY count(*) DESC LIMIT 1'],
    ['SELECT → SELECT DISTINCT', `SELECT land, born FROM author WHERE name LIKE '%canto%' ORDER BY died`],
    ['< → <=', 'SELECT count(*) FROM member WHERE town < (SELECT avg(town) FROM member)'],
  ])('reaches %s of %s', (change, gold) => {
    const [neighbor] = neighbors(gold, null).filter(({ detail }) => detail === change);
    expect(
      neighbor,
      neighbors(gold, null)
        .map(({ detail }) => detail)
        .join(),
    ).toBeDefined();
    expect(SEEDS.some((seed) => distinguishes(rowsFor(gold, neighbor!, seed), gold, neighbor!))).toBe(true);
  });

  it('counts groups of thousands', () => {
    // As `WHERE COUNT(*) > 5000` of Test-suite accuracy, A.2.
    const gold = 'SELECT land FROM author GROUP BY land HAVING count(*) > 5000';
    const [more] = neighbors(gold, 'numeric-constant').filter(({ sql }) => sql.endsWith('> 5001'));
    expect(SEEDS.some((seed) => distinguishes(rowsFor(gold, more!, seed), gold, more!))).toBe(true);
  });

  it('keeps references, keys and NOT NULL, and makes the same rows of the same seed', () => {
    const [neighbor] = neighbors(MANY, 'drop-condition');
    const drawn = SEEDS.map((seed) => rowsFor(MANY, neighbor!, seed));
    for (const [seed, rows] of drawn.entries()) {
      fuzzer.load(sqlite, rows);
      expect(sqlite.pragma('foreign_key_check')).toEqual([]);
      expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
      expect([...rows.keys()]).toEqual(fuzzer.tables.map(({ name }) => name));
      expect(createTargeted(neighbor!, seed)).toEqual(rows);
    }
    expect(new Set(drawn.map((rows) => JSON.stringify([...rows], bigintText))).size).toBe(ATTEMPTS);
  });

  it('gives ORDER BY … LIMIT databases without ties', () => {
    const gold = 'SELECT name FROM member ORDER BY age DESC LIMIT 3';
    const [neighbor] = neighbors(gold, 'order-direction');
    const ties = Array.from({ length: 60 }, (_, seed) => {
      fuzzer.load(sqlite, rowsFor(gold, neighbor!, seed));
      const sql = 'SELECT count(*) > 3 AND count(*) = count(DISTINCT age) FROM member';
      return sqlite.prepare(sql).pluck().get();
    });
    expect(ties).toContain(1);
  });

  it('has nothing for a query that it can’t read', () => {
    const edit = { start: 0, end: 0, before: '', after: '' };
    const neighbor: Neighbor = { sql: 'no query', edit, kind: 'column', detail: '', equivalent: null };
    expect(targeted.database('no query', neighbor, 1)).toBeNull();
  });
});

function bigintText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** By an instance that has made nothing before. */
function createTargeted(neighbor: Neighbor, seed: number): TableRows | null {
  const other = new TargetedDatabases({ database, file });
  try {
    return other.database(MANY, neighbor, seed);
  } finally {
    other.close();
  }
}
