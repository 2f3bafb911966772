import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countSets, scoreSets } from '../../../src/evaluate/linking/schema-linking.js';
import { SchemaUseMatch, summarizeSchemaUse } from '../../../src/evaluate/linking/schema-use.js';
import { CONCERTS } from '../concert-database.js';

const metric = new SchemaUseMatch();
const judge = (gold: string, predicted: string) =>
  metric.judgePair({ id: 'q', group: 'q', database: CONCERTS, gold, predicted });

describe('SchemaUseMatch', () => {
  it.each([
    ['SELECT Name FROM Singer WHERE Age > 3', 'SELECT T1.AGE FROM Singer AS T1 ORDER BY T1.name', 'correct'],
    ['SELECT Name FROM Singer WHERE Age > 3', 'SELECT name FROM Singer WHERE age > value', 'correct'],
    ['SELECT Name FROM Singer WHERE Age > 3', 'SELECT Name FROM Singer', 'wrong'],
    ['SELECT Name FROM Singer', 'SELECT Name FROM Stadium', 'wrong'],
    ['SELECT count(*) FROM Singer', 'SELECT count(*) FROM Concert', 'wrong'],
    ['SELECT Name FROM Singer', 'SELECT Colour FROM Singer', 'failing'],
    ['SELECT Name FROM Singer', 'no idea', 'unparsable'],
    ['SELECT Name FROM Singer', ' ', 'empty'],
    ['SELECT Colour FROM Singer', 'SELECT Name FROM Singer', 'bad-gold'],
  ])('of %s and %s says %s', (gold, predicted, outcome) => {
    expect(judge(gold, predicted).outcome).toBe(outcome);
  });

  it('counts columns and tables over all pairs', () => {
    const verdicts = [
      judge('SELECT Name, Age FROM Singer', 'SELECT Name, Country FROM Singer'),
      judge('SELECT count(*) FROM Concert', 'SELECT T1.Year FROM Concert AS T1 JOIN Stadium AS T2'),
      judge('SELECT Country FROM Singer', ''),
    ];
    const { columns, tables, outcomes } = summarizeSchemaUse(verdicts);
    expect(columns).toMatchObject({ gold: 3, predicted: 3, matched: 1, precision: 1 / 3, recall: 1 / 3, f1: 1 / 3 });
    expect(tables).toMatchObject({ gold: 3, predicted: 3, matched: 2 });
    expect(outcomes).toMatchObject({ wrong: 2, empty: 1 });
  });
});

describe('scoreSets', () => {
  it('is the harmonic mean of precision and recall', () => {
    const keys = fc.uniqueArray(fc.integer({ min: 0, max: 9 }).map(String));
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, keys)), (pairs) => {
        const { precision, recall, f1 } = scoreSets(pairs.map(([a, b]) => countSets(new Set(a), new Set(b))));
        if (precision === null || recall === null) return;
        const expected = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
        expect(f1).toBeCloseTo(expected, 10);
      }),
    );
  });

  it('is null of nothing', () => {
    expect(scoreSets([])).toEqual({ gold: 0, predicted: 0, matched: 0, precision: null, recall: null, f1: null });
  });
});
