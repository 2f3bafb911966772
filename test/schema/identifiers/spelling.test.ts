import { expect, test } from 'vitest';
import { Spelling, SPELLING_SIZES } from '../../../src/schema/identifiers/spelling.js';

const even = new Spelling({
  keep: Array<number>(SPELLING_SIZES.keep).fill(0.5),
  stop: Array<number>(SPELLING_SIZES.stop).fill(0.25),
});

/** All letters that a word can be abbreviated to, its first letter among them. */
function abbreviationsOf(word: string): readonly string[] {
  return [...word.slice(1)].reduce<readonly string[]>(
    (found, letter) => [...found, ...found.map((letters) => letters + letter)],
    [word.charAt(0)],
  );
}

test.each(['date', 'total', 'class'])('the shares of all abbreviations of "%s" sum to one', (word) => {
  const shares = [...new Set(abbreviationsOf(word))].map((letters) => Math.exp(even.logShare(letters, word)));
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
});

test('letters that a word does not have are next to impossible', () => {
  expect(even.logShare('dx', 'date')).toBeLessThan(-20);
});
