import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type Counterexample, findCounterexample } from '../../../src/evaluate/suite/counterexample.js';
import type { RunOutcome } from '../../../src/evaluate/suite/opened-schema.js';
import type { RowConstraint } from '../../../src/rows/constraints/row-constraint.js';
import { plainResult, type QueryRows, shownValue } from '../../../src/sql/execution/query-outcome.js';
import { sameResult } from '../../../src/sql/execution/result-mode.js';
import { TABLES } from './tiny-suite.js';

const isSame = (one: QueryRows, other: QueryRows): boolean =>
  sameResult(one, other, { mode: 'bag', tolerance: null }, false) === 'equal';
const differs = (one: QueryRows, other: RunOutcome): boolean => other.kind === 'rows' && !isSame(one, other);

function shrink(
  rows: string,
  gold: string,
  predicted: string,
  constraints: readonly RowConstraint[] = [],
): Counterexample | null {
  const sqlite = new Sqlite(':memory:');
  sqlite.exec(TABLES + rows);
  try {
    return findCounterexample(sqlite, { name: 'one', gold, predicted, differs, isSame, constraints });
  } finally {
    sqlite.close();
  }
}

const SINGERS = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
  INSERT INTO Singer SELECT i, 'S' || i, i % 60, CASE i % 3 WHEN 0 THEN 'France' ELSE 'Spain' END FROM n;
  INSERT INTO Concert VALUES (1, 1, 1, 2000, 'One');`;

describe('findCounterexample', () => {
  it('leaves the rows alone that make the difference', () => {
    const example = shrink(
      SINGERS,
      "SELECT Name FROM Singer WHERE Age > 30 AND Country = 'France'",
      "SELECT Name FROM Singer WHERE Age >= 30 AND Country = 'France'",
    );
    expect(example?.tables.map(({ name, count }) => [name, count])).toEqual([['Singer', 1]]);
    expect(example?.tables[0]?.rows[0]?.slice(2)).toEqual([30, 'France']);
    expect([example?.gold.count, (example?.predicted as { count: number }).count]).toEqual([0, 1]);
  });

  it('keeps the gold’s result free of the order of rows', () => {
    const example = shrink(
      SINGERS,
      'SELECT Name FROM Singer ORDER BY Age DESC, Singer_Id LIMIT 1',
      'SELECT Name FROM Singer ORDER BY Age LIMIT 1',
    );
    expect(example?.tables[0]?.count).toBe(2);
  });

  it('shows all tables that a query reads, the first rows of long ones', () => {
    const rows = SINGERS.replace('i % 60', '7');
    const example = shrink(rows, 'SELECT count(*) > 299 FROM Singer', 'SELECT count(*) FROM Concert WHERE Year = 1');
    const [concert, singer] = example?.tables ?? [];
    expect([concert?.name, concert?.count, singer?.name]).toEqual(['Concert', 0, 'Singer']);
    expect(singer?.count).toBe(300);
    expect(singer?.rows).toHaveLength(20);
  });

  it('keeps parents of rows, and a row where the data has some', () => {
    const gold = 'SELECT Year FROM Concert WHERE Stadium_Id IN (SELECT Id FROM Stadium)';
    const rows = `${SINGERS} INSERT INTO Stadium VALUES (1, 'Arena', 5), (2, 'Bowl', 6)`;
    const evident = { table: 'Concert', evidence: 'observed', rows: 1 } as const;
    const reference = { kind: 'reference', parent: 'Stadium', parentColumns: ['Id'], exceptions: 0 } as const;
    const held: RowConstraint = { ...evident, ...reference, columns: ['Stadium_Id'] };
    const counts = (constraints: readonly RowConstraint[]): readonly (readonly [string, number])[] =>
      shrink(rows, gold, 'SELECT Year + 1 FROM Concert', constraints)?.tables.map(
        ({ name, count }) => [name, count] as const,
      ) ?? [];
    expect(new Map(counts([])).get('Stadium')).toBe(0);
    expect(new Map(counts([held])).get('Stadium')).toBe(1);
    expect(new Map(counts([{ ...evident, kind: 'filled', table: 'Stadium', columns: [] }])).get('Stadium')).toBe(1);
  });

  it('finds none where the queries agree', () => {
    expect(shrink(SINGERS, 'SELECT count(*) FROM Singer', 'SELECT count(Name) FROM Singer')).toBeNull();
  });
});

describe('plainResult', () => {
  it('has values that JSON has', () => {
    const values = [1n, 2n ** 60n, 0.5, Infinity, 'a', null, new Uint8Array([1, 255])];
    const plain = plainResult({ columns: values.map(String), rows: [values] }, 1);
    const expected = [1, '1152921504606846976', 0.5, 'Infinity', 'a', null, { blob: '01ff' }];
    expect(plain.rows).toEqual([expected]);
    expect(JSON.parse(JSON.stringify(plain))).toEqual(plain);
    expect(expected.map(shownValue)).toEqual(['1', '1152921504606846976', '0.5', 'Infinity', 'a', 'NULL', "X'01ff'"]);
  });
});
