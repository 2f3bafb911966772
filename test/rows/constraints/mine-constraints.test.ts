import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSqliteSchema } from '../../../src/formats/read-sqlite-schema.js';
import { breaksConstraint, type DataLevel } from '../../../src/rows/constraints/row-constraint.js';
import { keepsRule } from '../../../src/rows/constraints/column-rule.js';
import {
  columnPlace,
  type ConstraintSource,
  mineConstraints,
  type MinedConstraints,
} from '../../../src/rows/constraints/mine-constraints.js';
import { createFuzzer, type Fuzzer } from '../../../src/rows/fuzz/fuzzer.js';
import { describeConstraint } from '../../../src/testsuite/report/constraint-text.js';
import { randomSchema } from '../../variants/databases/copy/random-schema.js';

let folder: string;
let made: { close(): unknown }[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'constraints-'));
  made = [];
});
afterEach(() => {
  for (const one of made) one.close();
  rmSync(folder, { recursive: true });
});

function sourceOf(sql: string, rows: readonly string[] = [], golds: readonly string[] = []): ConstraintSource {
  const file = join(folder, `${readdirSync(folder).length}.sqlite`);
  const sqlite = new Sqlite(file);
  sqlite.pragma('foreign_keys = off');
  sqlite.exec(sql);
  for (const row of rows) {
    try {
      sqlite.exec(row);
    } catch (error) {
      expect(error).toBeInstanceOf(Sqlite.SqliteError);
    }
  }
  const database = readSqliteSchema(sqlite, 'made');
  sqlite.close();
  return { database, file, golds, level: 'observed' };
}

const minedOf = (source: ConstraintSource, level: DataLevel = 'observed'): MinedConstraints =>
  mineConstraints({ ...source, level });
const texts = ({ list }: MinedConstraints): readonly string[] => list.map(describeConstraint);

function fuzzerOf(source: ConstraintSource, queries: readonly string[] = []): Fuzzer {
  const fuzzer = createFuzzer({ ...source, constraints: minedOf(source) }, queries);
  made.push(fuzzer);
  return fuzzer;
}

/** Databases that the fuzzer vouches for. */
function databasesOf(fuzzer: Fuzzer, count: number): readonly Sqlite.Database[] {
  const drawn = Array.from({ length: count }, (_, seed) => fuzzer.database(seed)).filter((rows) => fuzzer.keeps(rows));
  const all = drawn.map((rows) => fuzzer.materialize(rows));
  made.push(...all);
  return all;
}

const CLUB = `
  CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT, age INT, joined TEXT, phone TEXT, boss INT REFERENCES member (id));
  CREATE TABLE visit (member INT REFERENCES member (id), guest INT REFERENCES member (id), price REAL, note TEXT);
  CREATE TABLE closed (day TEXT);`;
const CLUB_ROWS = [
  "INSERT INTO member VALUES (1, 'Ann', 20, '2001-02-03', '555', NULL), (2, 'Bob', 44, '2004-05-06', '777', 1)",
  "INSERT INTO visit VALUES (1, 9, 2.5, 'late'), (2, 1, 3, 'Late'), (2, 1, 3, NULL)",
];

describe('mineConstraints', () => {
  it('lists what all rows keep, with the evidence', () => {
    const found = texts(minedOf(sourceOf(CLUB, CLUB_ROWS)));
    expect(found).toEqual(
      expect.arrayContaining([
        'member (id): no NULL; declared',
        'member (name): no NULL; observed in 2 rows',
        'member (age): whole numbers from 0 to 68; observed in 2 rows',
        'member (joined): times as YYYY-MM-DD; observed in 2 rows',
        'member (phone): texts that are numbers from 333 to 999; observed in 2 rows',
        'member (name): no two values differ in letter case alone; observed in 2 rows',
        'member (boss): each value is in member (id); observed in 2 rows',
        'visit (member): each value is in member (id); observed in 3 rows',
        'visit (price): numbers from 0 to 13; observed in 3 rows',
        'visit: not empty; observed in 3 rows',
        'visit (member, guest, price, note): no two rows alike; observed in 3 rows',
      ]),
    );
    expect(found.join('\n')).not.toMatch(
      /member \(boss\): no NULL|visit \(note\): no NULL|visit \(guest\): each|closed: not empty|visit \(note\): no two/u,
    );
  });

  it('keeps real numbers whole that are, where there are enough of them and no query asks for a fraction', () => {
    const years = [1948, 1950, 1961, 1972, 1983].map((year) => `INSERT INTO pilot VALUES (${year})`);
    const takesFraction = (rows: readonly string[], golds: readonly string[] = []): boolean => {
      const { rules } = minedOf(sourceOf('CREATE TABLE pilot (born REAL)', rows, golds));
      const rule = rules.get(columnPlace('pilot', 'born'))!;
      expect(keepsRule(rule, 1960)).toBe(true);
      return keepsRule(rule, 1948.47);
    };
    expect(takesFraction(years)).toBe(false);
    expect(takesFraction(years.slice(1))).toBe(true);
    expect(takesFraction([...years, 'INSERT INTO pilot VALUES (1990.5)'])).toBe(true);
    expect(takesFraction(years, ['SELECT 1 FROM pilot WHERE born > 1960.5'])).toBe(true);
  });

  it('takes gold queries for evidence: what is tested for NULL may be NULL, and constants widen a range', () => {
    const golds = ['SELECT name FROM member WHERE age IS NOT NULL', 'SELECT name FROM member WHERE age > 90'];
    const found = texts(minedOf(sourceOf(CLUB, CLUB_ROWS, golds)));
    expect(found.join('\n')).not.toMatch(/member \(age\): no NULL/u);
    expect(found).toContain('member (age): whole numbers from 0 to 102; observed in 2 rows');
  });

  it('assumes of a database without rows what most data keeps', () => {
    const found = texts(minedOf(sourceOf(CLUB)));
    expect(found).toEqual(
      expect.arrayContaining([
        'visit (note): no NULL; assumed',
        'visit (guest): each value is in member (id); assumed',
        'closed: not empty; assumed',
        'member (age): numbers; declared',
      ]),
    );
  });

  it('takes at the declared level what the schema says, and at any nothing', () => {
    const source = sourceOf(CLUB, CLUB_ROWS);
    const found = texts(minedOf(source, 'declared'));
    expect(found).toEqual(
      expect.arrayContaining([
        'member (id): no NULL; declared',
        'visit (guest): each value is in member (id); declared',
        'member (age): numbers; declared',
      ]),
    );
    expect(found.join('\n')).not.toMatch(/observed|assumed|not empty|alike/u);
    expect(minedOf(source, 'any').list).toEqual([]);
  });

  it('keeps the share of rows that break a foreign key which is none in the data', () => {
    const schema = `CREATE TABLE airport (code TEXT PRIMARY KEY);
      CREATE TABLE flight (no INTEGER PRIMARY KEY, source TEXT REFERENCES airport (code), target TEXT REFERENCES airport (code),
        stop TEXT REFERENCES airport (code));`;
    const flights = Array.from(
      { length: 20 },
      (_, i) => `(${i}, 'A${i < 14 ? 1 : 8 + i}', ' a1 ', '${i < 15 ? '' : ' '}A2')`,
    );
    const source = sourceOf(schema, [
      "INSERT INTO airport VALUES ('A1'), ('A2'), ('A3')",
      `INSERT INTO flight VALUES ${flights.join(', ')}`,
    ]);
    expect(minedOf(source).broken.map(({ columns, share }) => [columns, share])).toEqual([
      [['source'], 0.3],
      [['target'], 0],
      [['stop'], 0.25],
    ]);
    const all = databasesOf(fuzzerOf(source), 80);
    const shareOf = (column: string): number => {
      const counts = all.map((sqlite) => {
        const known = `total(${column} IN (SELECT code FROM airport)) AS known`;
        const row = sqlite.prepare(`SELECT ${known}, count(${column}) AS all_rows FROM flight`).get();
        return row as { known: number; all_rows: number };
      });
      const sum = (of: 'known' | 'all_rows'): number => counts.reduce((total, row) => total + row[of], 0);
      return sum('known') / sum('all_rows');
    };
    expect(shareOf('target')).toBeGreaterThan(0.97);
    for (const column of ['source', 'stop']) {
      expect(shareOf(column)).toBeGreaterThan(0.6);
      expect(shareOf(column)).toBeLessThan(0.85);
    }
  });

  it('keeps rows apart whose references became NULL', () => {
    const source = sourceOf('CREATE TABLE t (a, b COLLATE NOCASE, FOREIGN KEY (b, a) REFERENCES t (a, b))', [
      'INSERT INTO t VALUES (NULL, NULL)',
    ]);
    const alike = minedOf(source).list.filter(({ kind }) => kind === 'unique');
    expect(alike.map(describeConstraint)).toEqual(['t (a, b): no two rows alike; observed in 1 row']);
    const broken = databasesOf(fuzzerOf(source), 200).filter((sqlite) =>
      alike.some((constraint) => breaksConstraint(sqlite, constraint)),
    );
    expect(broken).toEqual([]);
  });

  it('is kept by every made database, and by the original', () => {
    fc.assert(
      fc.property(randomSchema, ({ sql, rows }) => {
        const source = sourceOf(sql, rows);
        const mined = minedOf(source);
        const original = new Sqlite(source.file!, { readonly: true });
        made.push(original);
        const fuzzer = fuzzerOf(source);
        for (const sqlite of [original, ...databasesOf(fuzzer, 8)]) {
          const kept = mined.list.filter(({ evidence }) => sqlite !== original || evidence !== 'assumed');
          const broken = kept.filter((constraint) => breaksConstraint(sqlite, constraint));
          expect(broken.map(describeConstraint)).toEqual([]);
        }
      }),
      { numRuns: 30, seed: 20 },
    );
  });

  it('leaves databases that still differ: constants, many values, NULL where there was one', () => {
    const queries = ["SELECT name FROM member WHERE age > 41 AND name = 'Cyd'"];
    const fuzzer = fuzzerOf(sourceOf(CLUB, CLUB_ROWS, queries), queries);
    const all = databasesOf(fuzzer, 60);
    expect(all.length).toBeGreaterThan(50);
    const having = (condition: string): number =>
      all.filter((sqlite) => sqlite.prepare(`SELECT 1 FROM ${condition} LIMIT 1`).get() !== undefined).length;
    for (const condition of [
      'age = 41',
      'age = 42',
      "name = 'Cyd'",
      "name LIKE 'Cyd' AND name <> 'Cyd'",
      'boss IS NULL',
    ]) {
      if (condition.includes('LIKE')) expect(having(`member WHERE ${condition}`), condition).toBe(0);
      else expect(having(`member WHERE ${condition}`), condition).toBeGreaterThan(3);
    }
    expect(having('visit AS v LEFT JOIN member AS m ON v.guest = m.id WHERE m.id IS NULL')).toBeGreaterThan(3);
  });

  it('tells rows that keep references and filled tables from those that do not', () => {
    const fuzzer = fuzzerOf(sourceOf(CLUB, CLUB_ROWS));
    const rows = fuzzer.database(1);
    expect(fuzzer.keeps(rows)).toBe(true);
    expect(fuzzer.keeps(new Map(rows).set('visit', []))).toBe(false);
    expect(fuzzer.keeps(new Map(rows).set('visit', [[987654n, null, 2.5, 'a']]))).toBe(false);
  });
});
