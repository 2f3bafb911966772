import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/errors.js';
import { parseRewardFormula, REWARD_PARTS, rewardOf } from '../../../src/evaluate/rewards/reward-judge.js';
import { errorOf } from '../../error-of.js';

describe('the formula of a reward', () => {
  it('weighs the parts that are correct', () => {
    const formula = parseRewardFormula('suite + 0.1*exact - .5 * columns + 2');
    expect(formula.parts).toEqual(['suite', 'exact', 'columns']);
    expect(rewardOf(formula, (part) => part !== 'columns')).toBeCloseTo(3.1);
    expect(rewardOf(formula, (part) => part === 'columns')).toBeCloseTo(1.5);
    expect(rewardOf(parseRewardFormula('execution*0.25'), () => true)).toBe(0.25);
  });

  it.each(['', 'suite exact', 'suite +', '2', 'suite * exact', 'linking', 'suite + 0,1*exact', '(suite)'])(
    'refuses %j with what to write',
    (text) => {
      expect(errorOf(ConfigError, () => parseRewardFormula(text)).fix).toContain('suite + 0.1*exact');
    },
  );

  it('gives the sum of the weights of correct parts, whatever the spaces', () => {
    const term = fc.record({
      part: fc.constantFrom(...REWARD_PARTS),
      weight: fc.nat(50),
      gap: fc.constantFrom('', ' '),
    });
    fc.assert(
      fc.property(fc.array(term, { minLength: 1 }), fc.constantFrom(...REWARD_PARTS), (terms, correct) => {
        const text = terms.map(({ part, weight, gap }) => `${weight}${gap}*${gap}${part}`).join('+');
        const sum = terms.reduce((all, { part, weight }) => all + (part === correct ? weight : 0), 0);
        expect(rewardOf(parseRewardFormula(text), (part) => part === correct)).toBe(sum);
      }),
    );
  });
});
