import { describe, expect, it } from 'vitest';
import type { Outcome, Verdict } from '../../../src/evaluate/metric.js';
import { errorRates } from '../../../src/evaluate/summary/accuracy.js';

const verdicts = (...outcomes: readonly Outcome[]): Verdict[] =>
  outcomes.map((outcome, i) => ({ id: String(i), outcome }));

describe('errorRates', () => {
  it('counts what a metric says otherwise than the suite, over all and by hardness', () => {
    const metric = verdicts('correct', 'correct', 'wrong', 'unparsable', 'wrong');
    const suite = verdicts('correct', 'wrong', 'correct', 'correct', 'failing');
    const { all, hardness } = errorRates(metric, suite, ['easy', 'easy', 'hard', 'hard', null]);
    expect(all).toEqual({
      pairs: 5,
      falsePositives: 1,
      falsePositiveRate: 0.2,
      falseNegatives: 2,
      falseNegativeRate: 0.4,
    });
    expect(hardness.easy).toMatchObject({ pairs: 2, falsePositives: 1, falseNegatives: 0 });
    expect(hardness.hard).toMatchObject({ pairs: 2, falsePositives: 0, falseNegativeRate: 1 });
    expect(hardness.medium).toMatchObject({ pairs: 0, falsePositiveRate: null, falseNegativeRate: null });
    expect(hardness.unknown).toMatchObject({ pairs: 1, falsePositives: 0, falseNegatives: 0 });
  });

  it('says nothing of unknown hardness where all is known', () => {
    expect(errorRates(verdicts('wrong'), verdicts('wrong'), ['easy']).hardness).not.toHaveProperty('unknown');
  });
});
