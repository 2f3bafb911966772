import { describe, expect, it } from 'vitest';
import { chooseAllRound, type GoldResults } from '../../../src/testsuite/distill/choose-all-round.js';

/** Results by the letter of their content, as often as it has rows; a dot where there is none. */
const results = (...texts: readonly string[]): GoldResults =>
  texts.map((text) =>
    text === '.' ? null : { hash: text, rows: text.length, columns: 1, hasLargeReals: false, isEmpty: false },
  );

describe('chooseAllRound', () => {
  it('takes databases that give most golds large and different results', () => {
    const databases = [
      results('a', '.', '.'),
      results('a', 'b', '.'),
      results('aaaa', 'bbbb', 'cc'),
      results('.', '.', 'd'),
    ];
    expect(chooseAllRound(databases, 1)).toEqual([2]);
    expect(chooseAllRound(databases, 2)).toEqual([1, 2]);
    expect(chooseAllRound(databases, 9)).toEqual([1, 2, 3]);
  });

  it('prefers what a gold does not have yet to more of the same', () => {
    const databases = [results('aaa', '.'), results('bbb', '.'), results('.', 'ccc')];
    expect(chooseAllRound(databases, 2)).toEqual([0, 2]);
  });

  it('takes none that no gold finds anything new in', () => {
    expect(chooseAllRound([results('a'), results('a'), results('.')], 3)).toEqual([0]);
    expect(chooseAllRound([], 3)).toEqual([]);
    expect(chooseAllRound([results('a')], 0)).toEqual([]);
  });
});
