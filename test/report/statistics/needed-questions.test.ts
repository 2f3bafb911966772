import { describe, expect, it } from 'vitest';
import { neededQuestions, testMcNemar } from '../../../src/report/statistics/mcnemar.js';
import { createRng } from '../../../src/seeded-rng.js';

const RUNS = 1500;

/** The share of runs of so many questions in which McNemar's test sees a drop. */
function powerOf(questions: number, broken: number, repaired: number): number {
  const rng = createRng(1, `${questions}`);
  let seen = 0;
  for (let run = 0; run < RUNS; run++) {
    const counts = [0, 0];
    for (let i = 0; i < questions; i++) {
      const drawn = rng.next();
      if (drawn < broken) counts[0]!++;
      else if (drawn < broken + repaired) counts[1]!++;
    }
    seen += Number(testMcNemar(counts[0]!, counts[1]!).midP < 0.05);
  }
  return seen / RUNS;
}

describe('neededQuestions', () => {
  it('is enough for a power of 80 %, as drawn questions and McNemar’s test tell', () => {
    for (const [broken, repaired] of [
      [0.15, 0.05],
      [0.08, 0.03],
    ] as const) {
      // prettier-ignore
      const questions = neededQuestions(broken - repaired, broken + repaired);
      expect(powerOf(questions, broken, repaired)).toBeGreaterThan(0.76);
      expect(powerOf(questions, broken, repaired)).toBeLessThan(0.86);
    }
  });

  it('asks for more the smaller the drop and the more flips there are', () => {
    expect(neededQuestions(0.01, 0.1)).toBeGreaterThan(3.9 * neededQuestions(0.02, 0.1));
    expect(neededQuestions(0.02, 0.2)).toBeGreaterThan(neededQuestions(0.02, 0.1));
    expect(neededQuestions(0.05, 0)).toBe(neededQuestions(0.05, 0.05));
  });
});
