import { describe, expect, it } from 'vitest';
import { ExactMatch } from '../../../src/evaluate/exact/exact-match.js';
import type { EvaluationPair, Outcome, Verdict } from '../../../src/evaluate/metric.js';
import { summarizeExact } from '../../../src/evaluate/kinds/exact-kind.js';
import {
  accuracyInterval,
  compareVerdicts,
  summarizeInteractions,
  summarizeOutcomes,
} from '../../../src/evaluate/summary/accuracy.js';
import { createRng } from '../../../src/seeded-rng.js';
import { CONCERTS } from '../concert-database.js';
import { hasVerdicts, NEEDS_VERDICTS, readPairs } from '../evaluation-files.js';

const pair = (id: string, group = id, gold = 'SELECT 1', predicted = gold): EvaluationPair => ({
  id,
  group,
  database: CONCERTS,
  gold,
  predicted,
});
const verdicts = (outcomes: readonly Outcome[]): Verdict[] => outcomes.map((outcome, i) => ({ id: `q${i}`, outcome }));
const rngFor = (id: string): ReturnType<typeof createRng> => createRng(5, id);

describe('summarizeOutcomes', () => {
  it('keeps outcomes apart, and counts only what is correct', () => {
    const summary = summarizeOutcomes(verdicts(['correct', 'wrong', 'timed-out', 'bad-gold', 'correct']));
    expect(summary).toMatchObject({ pairs: 5, correct: 2, accuracy: 0.4 });
    expect(summary.outcomes).toMatchObject({ wrong: 1, 'timed-out': 1, 'bad-gold': 1, refused: 0 });
    expect(summarizeOutcomes([]).accuracy).toBeNull();
  });
});

describe('summarizeInteractions', () => {
  it('counts interactions whose turns are all correct, and turns by their place', () => {
    const pairs = [pair('q0', 'a'), pair('q1', 'a'), pair('q2', 'b'), pair('q3', 'c'), pair('q4', 'c')];
    const judged = verdicts(['correct', 'correct', 'wrong', 'correct', 'empty']);
    const summary = summarizeInteractions(pairs, judged)!;
    expect(summary).toMatchObject({ interactions: 3, correct: 1, accuracy: 1 / 3 });
    expect(summary.byTurn.map(({ pairs: n, correct }) => [n, correct])).toEqual([
      [3, 2],
      [2, 1],
    ]);
    expect(summarizeInteractions([pair('q0')], verdicts(['correct']))).toBeNull();
  });
});

describe('summarizeExact', () => {
  it('makes the tables by hardness and component', () => {
    const metric = new ExactMatch();
    const judged = [
      pair('a', 'a', 'SELECT Name FROM Singer', 'SELECT Name FROM Singer'),
      pair('b', 'b', 'SELECT Name, Age FROM Singer WHERE Age > 3', 'SELECT Name FROM Singer WHERE Age > 1'),
      pair('c', 'c', 'SELECT Name FROM Singer WHERE Age > 3', ''),
      pair('d', 'd', 'SELECT DISTINCT Name FROM Singer', 'SELECT Name FROM Singer'),
    ].map((one) => metric.judgePair(one));
    const { levels, published, differences } = summarizeExact(judged);
    expect(levels.all).toMatchObject({ pairs: 4, correct: 1, accuracy: 0.25 });
    expect(levels.easy).toMatchObject({ pairs: 3, correct: 1, outcomes: { empty: 1, wrong: 1 } });
    expect(levels.medium).toMatchObject({ pairs: 1, correct: 0 });
    expect(levels.all.components.where.whole).toEqual({ precision: 1, recall: 0.5, f1: 2 / 3 });
    expect(levels.medium.components.select.parts).toEqual({ precision: 1, recall: 0.5, f1: 2 / 3 });
    expect(levels.all.components.order.whole).toEqual({ precision: null, recall: null, f1: null });
    const printed = summarizeExact(judged, true).levels.all.components;
    expect(printed.order.whole).toEqual({ precision: 0, recall: 0, f1: 1 });
    expect(printed.where.whole).toEqual(levels.all.components.where.whole);
    expect(published).toEqual({ correct: 2, accuracy: 0.5, unparsed: 1 });
    expect(differences).toEqual({ '-distinct': 1 });
  });
});

describe('compareVerdicts', () => {
  const pairs = Array.from({ length: 40 }, (_, i) => pair(`q${i}`));
  const first = verdicts(pairs.map((_, i) => (i < 30 ? 'correct' : 'wrong')));
  const second = verdicts(pairs.map((_, i) => (i < 10 || i >= 38 ? 'correct' : 'wrong')));

  it('gives both accuracies, their difference and the paired test, the same for the same seed', () => {
    const comparison = compareVerdicts(pairs, first, second, rngFor);
    expect(comparison.first?.mean).toBe(0.75);
    expect(comparison.difference?.mean).toBeCloseTo(-0.45, 10);
    expect(comparison.difference?.high).toBeLessThan(0);
    expect(comparison.mcNemar).toMatchObject({ onlyFirst: 20, onlySecond: 2 });
    expect(comparison).toEqual(compareVerdicts(pairs, first, second, rngFor));
    expect(accuracyInterval(pairs, first, rngFor('bootstrap:first'))).toEqual(comparison.first);
  });

  it('refuses verdicts of other pairs', () => {
    expect(() => compareVerdicts(pairs, first, second.slice(1), rngFor)).toThrow(RangeError);
    expect(() => compareVerdicts(pairs, first, [...second].reverse(), rngFor)).toThrow(RangeError);
  });
});

describe.skipIf(!hasVerdicts)(`the published numbers${NEEDS_VERDICTS}`, () => {
  it('has 8.4 % of the 322 turns of predict.txt exact, in 132 interactions', async () => {
    const pairs = readPairs('predict');
    const metric = new ExactMatch({ compat: 'spider' });
    const judged = pairs.map((one) => metric.judgePair(one));
    expect(summarizeExact(judged).levels.all.accuracy?.toFixed(3)).toBe('0.084');
    expect(summarizeInteractions(pairs, judged)?.interactions).toBe(132);
  });
});
