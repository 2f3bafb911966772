import fc from 'fast-check';
import type Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFuzzer, type Fuzzer, type TableRows } from '../../../src/rows/fuzz/fuzzer.js';
import { DenotationRunner } from '../../../src/testsuite/denotation/denotation-runner.js';
import type { PartialDenotation } from '../../../src/testsuite/denotation/partial-denotation.js';
import { NO_CONSTRAINTS } from '../../../src/rows/constraints/mine-constraints.js';
import { readGoldCases, type GoldCase } from '../../../src/testsuite/distill/gold-cases.js';
import { TrialDatabase } from '../../../src/testsuite/distill/trial-database.js';
import { RESULT_MODES } from '../../../src/sql/execution/result-mode.js';
import { rewritesOf } from '../semantics/rewrites.js';
import { Library } from './library.js';

let library: Library;
let fuzzer: Fuzzer;

beforeAll(() => {
  library = new Library();
  fuzzer = createFuzzer(library.task([]), []);
});
afterAll(() => {
  fuzzer.close();
  library.remove();
});

const AUTHORS = [
  [1, 'Ada', 'UK', 1815],
  [2, 'Bo', 'Sweden', 1950],
  [3, 'Cy', 'UK', 1950],
  [4, 'Di', 'UK', null],
];
const BOOKS = [
  [1, 1, 'Notes', 120, 9],
  [2, 2, 'Snow', 310, 9],
  [3, 2, 'Ice', 90, 8],
  [4, 1, 'Fog', 80, 9],
  [5, 3, 'Fog', 80, 12],
];
const ROWS = new Map<string, unknown[][]>([
  ['author', AUTHORS],
  ['book', BOOKS],
]) as unknown as TableRows;

/** A query's gold case, and what of its result is determinate on some rows; null where nothing is. */
function partialOf(sql: string, rows: TableRows = ROWS): PartialDenotation | null {
  const [gold] = readGoldCases(library.task([sql]), NO_CONSTRAINTS).cases;
  return partialOfCase(gold!, rows);
}

function partialOfCase(gold: GoldCase, rows: TableRows): PartialDenotation | null {
  const trial = new TrialDatabase(fuzzer.materialize(rows));
  try {
    return trial.partialOf(gold, 'full');
  } finally {
    trial.close();
  }
}

/** Whether a query's result may be a gold's on the rows, as far as a part of it is determinate. */
function fits(gold: string, query: string, rows: TableRows = ROWS): boolean | null {
  const partial = partialOf(gold, rows);
  const sqlite = fuzzer.materialize(rows);
  try {
    const result = new DenotationRunner(sqlite).run(query);
    if (result.kind !== 'rows') throw new Error(`${query}: ${result.kind}`);
    return partial?.fits(result, { mode: 'ordered', tolerance: null }, /order by/iu.test(gold)) ?? null;
  } finally {
    sqlite.close();
  }
}

const BARE = 'SELECT id FROM author GROUP BY country HAVING count(*) > 2';
const NAMED = 'SELECT country, name, count(*) FROM author GROUP BY country';
const CHEAPEST = 'SELECT title FROM book ORDER BY price LIMIT 2';

describe('a gold of whose result a part is determinate', () => {
  it.each([
    [BARE, 'SELECT id FROM author GROUP BY id HAVING count(*) > 2', 'no row'],
    [BARE, 'SELECT id FROM author GROUP BY country', 'a row more'],
    [BARE, 'SELECT 2', 'a value of another group'],
    [NAMED, 'SELECT country, name, count(*) + 1 FROM author GROUP BY country', 'another aggregate'],
    [NAMED, 'SELECT name, country, count(*) FROM author GROUP BY country', 'columns in another sequence'],
    [NAMED, "SELECT country, 'Bo', count(*) FROM author GROUP BY country", 'a name of another country'],
    [CHEAPEST, 'SELECT title FROM book ORDER BY price DESC LIMIT 2', 'without the cheapest'],
    [CHEAPEST, 'SELECT title FROM book WHERE price <= 9', 'all that are tied'],
    [CHEAPEST, "SELECT 'Ice' UNION ALL SELECT 'Ice'", 'one row twice'],
    [CHEAPEST, 'SELECT title FROM book ORDER BY price = 9 DESC, price LIMIT 2', 'the others'],
    [CHEAPEST, 'SELECT title FROM (SELECT * FROM book ORDER BY price LIMIT 2) ORDER BY price DESC', 'in another order'],
    ['SELECT title FROM book LIMIT 2', "SELECT 'Rain' UNION ALL SELECT 'Ice'", 'a row of no book'],
    ['SELECT title FROM book ORDER BY price', 'SELECT title FROM book ORDER BY price DESC', 'in another order'],
    ['SELECT name, max(born) FROM author', 'SELECT name, min(born) FROM author', 'another aggregate'],
    [
      'SELECT country, group_concat(name) FROM author GROUP BY country',
      "SELECT upper(country), 'Ada' FROM author GROUP BY country",
      'another column than the one that depends on the order',
    ],
    [
      'SELECT author FROM book UNION SELECT id FROM author LIMIT 3',
      'SELECT author FROM book UNION ALL SELECT id FROM author LIMIT 3',
      'a row twice',
    ],
  ])('%s rules out %s: %s', (gold, wrong) => {
    expect(fits(gold, wrong)).toBe(false);
  });

  it.each([
    [BARE, 'SELECT max(id) FROM author GROUP BY country HAVING count(*) >= 3'],
    [NAMED, 'SELECT country, max(name), sum(1) FROM author GROUP BY country'],
    [CHEAPEST, 'SELECT title FROM book ORDER BY price, title DESC LIMIT 2'],
    ['SELECT title FROM book LIMIT 2', 'SELECT title FROM book ORDER BY pages DESC LIMIT 2'],
    [
      'SELECT title FROM book ORDER BY price LIMIT 2 OFFSET 1',
      'SELECT title FROM book ORDER BY price, pages LIMIT 1, 2',
    ],
  ])('%s does not rule out %s', (gold, right) => {
    expect(fits(gold, right)).toBe(true);
  });

  it('says why it rules a result out', () => {
    const empty = { kind: 'rows', columns: ['id'], rows: [] } as const;
    expect(partialOf(BARE)!.misfit(empty, { mode: 'bag', tolerance: null }, false)).toBe(
      'it has 0 rows, the gold query 1 in any order of rows',
    );
  });

  it.each([
    ['DISTINCT counts what any row may give', 'SELECT DISTINCT name FROM author GROUP BY country'],
    ['HAVING asks for it', 'SELECT country FROM author GROUP BY country HAVING born > 1900'],
    ['a subquery takes some of tied rows', 'SELECT name FROM author WHERE id = (SELECT author FROM book LIMIT 1)'],
    ['LIMIT is computed', 'SELECT title FROM book LIMIT 1 + 1'],
  ])('is none where %s', (_, sql) => {
    expect(partialOf(sql)).toBeNull();
  });
});

/** Golds that leave something to the order of rows. */
const OPEN_GOLDS = [
  BARE,
  NAMED,
  CHEAPEST,
  'SELECT * FROM author GROUP BY country',
  'SELECT name, max(born) FROM author',
  'SELECT name, born + 1, country FROM author GROUP BY 3 ORDER BY count(*) DESC LIMIT 1',
  'SELECT country AS c, name AS n FROM author GROUP BY c ORDER BY n LIMIT 2',
  'SELECT T2.name, T1.title, sum(T1.pages) FROM book AS T1 JOIN author AS T2 ON T1.author = T2.id GROUP BY T2.id ORDER BY sum(T1.pages)',
  'SELECT T1.name, T2.title FROM author AS T1 LEFT JOIN book AS T2 ON T1.id = T2.author GROUP BY T1.id, T1.name',
  'SELECT title, price FROM book ORDER BY 2 DESC LIMIT 1, 3',
  'SELECT title FROM book WHERE pages > 80 ORDER BY price',
  'SELECT DISTINCT price, pages FROM book ORDER BY price LIMIT 3',
  'SELECT DISTINCT title FROM book ORDER BY pages LIMIT 2',
  'SELECT author FROM book UNION SELECT id FROM author LIMIT 2',
  'SELECT author, price FROM book UNION ALL SELECT id, born FROM author ORDER BY price LIMIT 4',
  'SELECT country, group_concat(name), count(*) FROM author GROUP BY country ORDER BY count(*)',
  'WITH cheap AS (SELECT * FROM book WHERE price < 10) SELECT title FROM cheap GROUP BY author',
  'SELECT title FROM book WHERE author IN (SELECT id FROM author WHERE born > 1900) ORDER BY price COLLATE NOCASE LIMIT 2',
] as const;

/** The same rows stored in another sequence, without keys, with some indexes: other plans find them in other orders. */
function stored(rows: TableRows, shuffled: number, indexes: readonly number[]): Sqlite.Database {
  const sqlite = fuzzer.materialize(rows);
  for (const { name, columns } of fuzzer.tables) {
    sqlite.exec(`CREATE TEMP TABLE "${name}" AS SELECT * FROM main."${name}" WHERE 0`);
    const insert = sqlite.prepare(`INSERT INTO temp."${name}" VALUES (${columns.map(() => '?').join()})`);
    const own = [...(sqlite.prepare(`SELECT * FROM main."${name}"`).raw().all() as unknown[][])];
    for (let n = shuffled; own.length > 0; n = (n * 48271 + 11) % 2147483647)
      insert.run(...own.splice(n % own.length, 1)[0]!);
    for (const i of indexes) {
      const of = [columns[i % columns.length], columns[(i >> 2) % columns.length]].map((column) => `"${column}"`);
      sqlite.exec(`CREATE INDEX IF NOT EXISTS temp."${name}_${i}" ON "${name}" (${of.join()} DESC)`);
    }
  }
  sqlite.pragma(`reverse_unordered_selects = ${shuffled % 2}`);
  return sqlite;
}

describe('an equal query is never ruled out', () => {
  it.each(OPEN_GOLDS)('%s', (sql) => {
    const task = library.task([sql]);
    const [gold] = readGoldCases(task, NO_CONSTRAINTS).cases;
    const queries = [sql, ...gold!.tieBreaks, ...rewritesOf(sql, task.database).map((rewrite) => rewrite.sql)];
    const hasPart = (seed: number): boolean => partialOfCase(gold!, fuzzer.database(seed)) !== null;
    expect(Array.from({ length: 60 }, (_, seed) => seed).some(hasPart)).toBe(true);
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.nat(2 ** 30),
        fc.array(fc.nat(15), { maxLength: 3 }),
        (seed, shuffled, indexes) => {
          const rows = fuzzer.database(seed);
          const partial = partialOfCase(gold!, rows);
          if (partial === null) return;
          const sqlite = stored(rows, shuffled, indexes);
          const runner = new DenotationRunner(sqlite);
          const isOrdered = gold!.mode === 'ordered';
          for (const query of queries) {
            const result = runner.run(query);
            if (result.kind !== 'rows') continue;
            for (const mode of RESULT_MODES) {
              const turned = mode.endsWith('-any-column-order')
                ? { ...result, rows: result.rows.map((row) => [...row].reverse()) }
                : result;
              expect([query, mode, partial.misfit(turned, { mode, tolerance: null }, isOrdered)]).toEqual([
                query,
                mode,
                null,
              ]);
            }
          }
          sqlite.close();
        },
      ),
      { numRuns: 8 },
    );
  });
});
