import { describe, expect, it } from 'vitest';
import { chooseAllRound, type GoldResults } from '../../../src/testsuite/distill/choose-databases.js';

/** Results by the letter of their content, as often as it has rows; a dot where there is none. */
const results = (...texts: readonly string[]): GoldResults =>
  texts.map((text) =>
    text === '.' ? null : { hash: text, rows: text.length, columns: 1, hasLargeReals: false, isEmpty: false },
  );

/** Positions of the databases that are chosen. */
const chosen = (databases: readonly GoldResults[], count: number): readonly number[] =>
  chooseAllRound(
    databases.map((of, at) => ({ results: of, at })),
    count,
  ).map(({ at }) => at);

describe('chooseAllRound', () => {
  it('takes databases that give most golds large and different results', () => {
    const databases = [
      results('a', '.', '.'),
      results('a', 'b', '.'),
      results('aaaa', 'bbbb', 'cc'),
      results('.', '.', 'd'),
    ];
    expect(chosen(databases, 1)).toEqual([2]);
    expect(chosen(databases, 2)).toEqual([1, 2]);
    expect(chosen(databases, 9)).toEqual([1, 2, 3]);
  });

  it('prefers what a gold does not have yet to more of the same', () => {
    const databases = [results('aaa', '.'), results('bbb', '.'), results('.', 'ccc')];
    expect(chosen(databases, 2)).toEqual([0, 2]);
  });

  it('takes none that no gold finds anything new in', () => {
    expect(chosen([results('a'), results('a'), results('.')], 3)).toEqual([0]);
    expect(chosen([], 3)).toEqual([]);
    expect(chosen([results('a')], 0)).toEqual([]);
  });
});
