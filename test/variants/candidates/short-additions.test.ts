import { expect, it } from 'vitest';
import { describeShortAdditions } from '../../../src/variants/candidates/generate-candidates.js';

const coverage = (none: number, few: number): Parameters<typeof describeShortAdditions>[0] => ({
  targetColumns: 10,
  withAdd: { columns: 10 - none, share: 0 },
  withThreeAdd: { columns: 10 - few, share: 0 },
});

const told = (filler: boolean, recipe: 'cta' | 'cta+llm' | 'random', few = 4): string =>
  describeShortAdditions(coverage(1, few), { recipe, settings: { attributes: { keep: 40, filler } } }).join();

it('counts columns with few additions, and names what gets more of them', () => {
  expect(told(false, 'cta')).toBe(
    '4 of 10 columns have fewer than the three ADD candidates that people chose at least, 1 of them none; for more: --set attributes.filler=true, or --recipe cta+llm',
  );
  expect(told(true, 'cta')).toMatch(/; for more: --recipe cta\+llm$/);
  expect(told(true, 'cta+llm')).toMatch(/1 of them none$/);
  expect(told(false, 'random')).toMatch(/; for more: --recipe cta$/);
});

it('says nothing where no column has few', () => {
  expect(told(false, 'cta', 0)).toBe('');
});
