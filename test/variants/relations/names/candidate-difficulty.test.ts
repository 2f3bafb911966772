import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DifficultyRater, rateDifficulty } from '../../../../src/variants/relations/names/candidate-difficulty.js';
import { planTables } from '../../../../src/variants/candidates/plan-tables.js';
import { BIRTH_YEAR, datasetOf, decision, example, HOME_COUNTRY } from './garden-schema.js';

const COUNTRY = 'SELECT home_country FROM gardener';
const asked = (question: string, id: string): ReturnType<typeof example> => ({ ...example(COUNTRY, id), question });
const dataset = datasetOf([asked('Which lands do they come from?', 'dev:0'), asked('Which country?', 'dev:1')]);
const rater = new DifficultyRater(dataset, planTables(dataset, 'mentioned').mentions);

describe('rateDifficulty', () => {
  it('is from 0 to 1, and for one kind what is left to 1 for the other', () => {
    const names = fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,6}){0,2}$/);
    const similarities = fc.option(fc.double({ min: -1, max: 1, noNaN: true }));
    fc.assert(
      fc.property(names, names, similarities, (candidate, column, similarity) => {
        const [rpl, add] = (['RPL', 'ADD'] as const).map((kind) =>
          rateDifficulty(kind, { candidate, column, similarity }),
        );
        expect(rpl).toBeGreaterThanOrEqual(0);
        expect(rpl).toBeLessThanOrEqual(1);
        expect(rpl! + add!).toBeCloseTo(1, 3);
      }),
    );
  });

  it('is 0 for a name of the column’s own words, and 1 for one without any, where nothing else is known', () => {
    const rate = (candidate: string): number =>
      rateDifficulty('RPL', { candidate, column: 'home country', similarity: null });
    expect([rate('Home_Countries'), rate('home nation'), rate('native land')]).toEqual([0, 0.5, 1]);
  });
});

describe('DifficultyRater', () => {
  it('takes a new name that the column’s questions use for easier, and an addition for harder', () => {
    const of = (candidate: string, bucket: 'RPL' | 'ADD', ref = HOME_COUNTRY): number =>
      rater.rate(decision(ref, candidate, { bucket })).difficulty!;
    expect(of('land', 'RPL')).toBeLessThan(of('origin', 'RPL'));
    expect(of('land', 'ADD')).toBeGreaterThan(of('origin', 'ADD'));
    expect(of('land', 'RPL', BIRTH_YEAR)).toBe(of('origin', 'RPL', BIRTH_YEAR));
  });

  it('keeps a difficulty that is there, and rates no rejected name', () => {
    const rated = decision(HOME_COUNTRY, 'land', { difficulty: 0.25 });
    expect(rater.rate(rated)).toBe(rated);
    const rejected = decision(HOME_COUNTRY, 'nonsense', { bucket: 'rejected', reason: 'misspelled' });
    expect(rater.rate(rejected)).toBe(rejected);
    expect(rater.difficultyOf(rejected, 'ADD')).toBeGreaterThanOrEqual(0);
  });
});
