import { describe, expect, it } from 'vitest';
import { summarizeExact } from '../../../src/evaluate/kinds/exact-kind.js';
import { ExactMatch, type ExactVerdict } from '../../../src/evaluate/exact/exact-match.js';
import { CONCERTS } from '../concert-database.js';

const OURS = new ExactMatch();
const SPIDER = new ExactMatch({ compat: 'spider' });
const judge = (metric: ExactMatch, gold: string, predicted: string): ExactVerdict =>
  metric.judgePair({ id: 'q', group: 'q', database: CONCERTS, gold, predicted });

const JOIN = 'SELECT T2.Name FROM Concert AS T1 JOIN Stadium AS T2 ON T1.Stadium_Id = T2.Id';

describe('ExactMatch', () => {
  it.each([
    ['distinct', 'SELECT DISTINCT Name FROM Singer', 'SELECT Name FROM Singer'],
    ['distinct', 'SELECT count(DISTINCT Name) FROM Singer', 'SELECT count(Name) FROM Singer'],
    ['joins', JOIN, 'SELECT T2.Name FROM Concert AS T1 JOIN Stadium AS T2 ON T1.Concert_Id = T2.Id'],
    ['joins', JOIN, 'SELECT T2.Name FROM Concert AS T1 JOIN Stadium AS T2'],
    ['foreign-keys', 'SELECT Stadium_Id FROM Concert', 'SELECT Spare_Id FROM Concert'],
    [
      'connectors',
      'SELECT Name FROM Singer WHERE Age > 3 OR Age < 2 AND Country = "a"',
      'SELECT Name FROM Singer WHERE Age > 3 AND Age < 2 OR Country = "a"',
    ],
    [
      'compared-columns',
      'SELECT Name FROM Singer WHERE Age = Singer_Id',
      'SELECT Name FROM Singer WHERE Age = Country',
    ],
    [
      'order-terms',
      'SELECT Name FROM Singer ORDER BY Age DESC, Name DESC',
      'SELECT Name FROM Singer ORDER BY Age, Name DESC',
    ],
  ])('distinguishes what the published script takes for the same: %s', (reason, gold, predicted) => {
    expect(judge(SPIDER, gold, predicted).outcome).toBe('correct');
    expect(judge(OURS, gold, predicted)).toMatchObject({ outcome: 'wrong', differences: [reason] });
  });

  it.each([
    [
      'halves',
      'SELECT Name FROM Singer UNION SELECT Name FROM Stadium',
      'SELECT Name FROM Stadium UNION SELECT Name FROM Singer',
    ],
    [
      'ranges',
      'SELECT Name FROM Singer WHERE Age BETWEEN 3 AND 5',
      'SELECT Name FROM Singer WHERE Age >= 3 AND Age <= 5',
    ],
    [
      'sequence',
      'SELECT Name FROM Stadium WHERE Id IN (SELECT Stadium_Id FROM Concert WHERE Year = 1 AND Name = "a")',
      'SELECT Name FROM Stadium WHERE Id IN (SELECT Stadium_Id FROM Concert WHERE Name = "a" AND Year = 1)',
    ],
    ['operands', 'SELECT Age + Singer_Id FROM Singer', 'SELECT Singer_Id + Age FROM Singer'],
    ['old-parser-cannot', 'SELECT Name FROM Singer WHERE Age != 3', 'SELECT Name FROM Singer WHERE (Age <> 3)'],
    ['old-parser-cannot', JOIN, 'SELECT s.Name FROM Concert c, Stadium s WHERE c.Stadium_Id = s.Id'],
  ])('takes for the same what the published script distinguishes: %s', (reason, gold, predicted) => {
    const expected = reason === 'old-parser-cannot' && predicted.includes(',') ? 'wrong' : 'correct';
    expect(judge(SPIDER, gold, predicted).outcome).not.toBe('correct');
    expect(judge(OURS, gold, predicted).outcome).toBe(expected);
    if (expected === 'correct') expect(judge(OURS, gold, predicted).differences).toEqual([reason]);
  });

  it('counts columns as one that the joins of the query set equal', () => {
    const other = 'SELECT T2.Name FROM Stadium AS T2 JOIN Concert AS T1 ON T2.Id = T1.Stadium_Id GROUP BY T2.Id';
    expect(judge(OURS, `${JOIN} GROUP BY T1.Stadium_Id`, other).outcome).toBe('correct');
  });

  it('ignores values unless told to compare them', () => {
    const [gold, predicted] = [
      'SELECT Name FROM Singer WHERE Age > 3 LIMIT 3',
      'SELECT Name FROM Singer WHERE Age > 4 LIMIT 3',
    ];
    const withValues = new ExactMatch({ values: 'compared' });
    expect(judge(OURS, gold, predicted).outcome).toBe('correct');
    expect(judge(withValues, gold, predicted)).toMatchObject({ outcome: 'wrong', differences: ['values'] });
    expect(judge(withValues, gold, gold).outcome).toBe('correct');
    expect(judge(withValues, gold, gold.replace('LIMIT 3', 'LIMIT 30')).outcome).toBe('wrong');
  });

  it.each([
    ['empty', '  '],
    ['unparsable', 'SELECT FROM WHERE'],
    ['unparsable', 'I do not know.'],
  ])('puts a prediction that says nothing into a bucket: %s', (outcome, predicted) => {
    for (const metric of [OURS, SPIDER]) {
      const verdict = judge(metric, 'SELECT Name FROM Singer', predicted);
      expect(verdict).toMatchObject({ outcome, hardness: 'easy', published: { exact: false, parsed: false } });
      expect(verdict.components?.select).toEqual({ gold: 1, predicted: 0, matched: 0 });
    }
  });

  it.each(['SELECT Colour FROM Singer', 'SELECT Name FROM Singers', 'SELECT T1.Year FROM Singer AS T1'])(
    'puts names that the schema lacks where execution does, and the script’s rules keep the script’s outcome: %s',
    (predicted) => {
      const gold = 'SELECT Name FROM Singer';
      expect(judge(OURS, gold, predicted)).toMatchObject({ outcome: 'failing', published: { exact: false } });
      expect(judge(SPIDER, gold, predicted).outcome).toBe('unparsable');
    },
  );

  it('judges gold that Spider’s structure has no form for, but not as the script does', () => {
    const gold = 'SELECT CASE WHEN Age > 3 THEN 1 END FROM Singer';
    const other = judge(OURS, gold, 'SELECT CASE WHEN Age < 3 THEN 1 END FROM Singer');
    expect(judge(OURS, gold, gold)).toMatchObject({ outcome: 'correct', differences: ['old-parser-cannot-gold'] });
    expect(other).toMatchObject({ outcome: 'wrong', components: { select: { gold: 1, predicted: 1, matched: 0 } } });
    expect(judge(SPIDER, gold, gold)).toMatchObject({ outcome: 'bad-gold', published: null });
    const { published, unreadGold } = summarizeExact([judge(OURS, gold, gold), other]);
    expect([published, unreadGold?.count, unreadGold?.id]).toEqual([null, 2, other.id]);
    expect(unreadGold?.reason).toMatch(/\S/);
    expect(summarizeExact([judge(OURS, 'SELECT Name FROM Singer', '')])).not.toHaveProperty('unreadGold');
  });

  it('compares joins where it is adapted, and is Spider’s script otherwise', () => {
    const adapted = new ExactMatch({ compat: 'adapted' });
    const joined = (on: string): string => `SELECT T1.Name FROM Concert AS T1 JOIN Stadium AS T2 ${on}`;
    const gold = joined('ON T1.Stadium_Id = T2.Id');
    for (const [on, outcome] of [
      ['ON T2.Id = T1.Stadium_Id', 'correct'],
      ['ON T1.Spare_Id = T2.Id', 'wrong'],
      ['', 'wrong'],
    ] as const) {
      expect(judge(adapted, gold, joined(on)).outcome).toBe(outcome);
      expect(judge(SPIDER, gold, joined(on)).outcome).toBe('correct');
    }
    expect(judge(adapted, 'SELECT DISTINCT Name FROM Singer', 'SELECT Name FROM Singer').outcome).toBe('correct');
  });

  it('reads the bare word value, and comparisons cut in two', () => {
    expect(
      judge(OURS, 'SELECT Name FROM Singer WHERE Age = 3', 'SELECT Name FROM Singer WHERE Age = value').outcome,
    ).toBe('correct');
    const gold = `SELECT Name FROM Singer WHERE Age ! = 3 AND Name = "a ! = b"`;
    expect(judge(OURS, gold, gold).outcome).toBe('correct');
  });

  it('counts components partially', () => {
    const { components } = judge(
      OURS,
      'SELECT Name, Age FROM Singer WHERE Age > 3',
      'SELECT Name FROM Singer WHERE Age < 3',
    );
    expect(components).toMatchObject({
      select: { gold: 2, predicted: 1, matched: 1 },
      where: { gold: 1, predicted: 1, matched: 0 },
      'where(no OP)': { gold: 1, predicted: 1, matched: 1 },
    });
  });

  it('does not take one schema for another of the same id', () => {
    const renamed = {
      ...CONCERTS,
      tables: CONCERTS.tables.map((table) => ({
        ...table,
        columns: table.columns.map((column) => ({ ...column, originalName: `${column.originalName}_x` })),
      })),
    };
    const pair = {
      id: 'q',
      group: 'q',
      database: CONCERTS,
      gold: 'SELECT Age FROM Singer',
      predicted: 'SELECT Age FROM Singer',
    };
    for (const metric of [new ExactMatch(), new ExactMatch({ compat: 'spider' })]) {
      expect(metric.judgePair(pair).outcome).toBe('correct');
      expect(metric.judgePair({ ...pair, database: renamed }).outcome).toBe('bad-gold');
    }
  });

  it('ends on hostile text', () => {
    for (const unit of ['order by ', "'", '"', '(', 'a.', '< ', 'SELECT (', 'a OR ', 'union all ']) {
      const predicted = `SELECT Name FROM Singer WHERE ${unit.repeat(20_000)}`;
      // Quotes that are even in number are one string, of quotes.
      const outcome = unit === "'" || unit === '"' ? 'wrong' : 'unparsable';
      expect(judge(OURS, 'SELECT Name FROM Singer', predicted).outcome).toBe(outcome);
    }
  });

  it('stays small on queries in queries', () => {
    const nest = (depth: number): string =>
      depth === 0 ? 'SELECT Age FROM Singer' : `SELECT Age FROM Singer WHERE Age IN (${nest(depth - 1)})`;
    expect(judge(OURS, nest(60), nest(60)).outcome).toBe('correct');
    expect(judge(OURS, nest(60), nest(59)).outcome).toBe('wrong');
  });
});
