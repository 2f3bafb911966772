import { describe, expect, it } from 'vitest';
import { softF1, vesReward } from '../../../src/sql/execution/bird-scores.js';
import type { QueryRows, SqlRow } from '../../../src/sql/execution/query-outcome.js';

const rows = (...given: readonly SqlRow[]): QueryRows => ({
  kind: 'rows',
  columns: given[0]?.map(() => 'c') ?? [],
  rows: given,
});

// What the functions of BIRD's evaluation_f1.py give.
describe('softF1', () => {
  it.each([
    ['empty results', rows(), rows(), 1],
    ['an empty prediction', rows([1n]), rows(), 0],
    ['an empty gold', rows(), rows([1n]), 0],
    ['equal rows', rows([1n, 'a'], [2n, null]), rows([1n, 'a'], [2n, null]), 1],
    ['cells in another sequence', rows([1n, 'a']), rows(['a', 1n]), 1],
    ['rows in another sequence', rows([1n], [2n]), rows([2n], [1n]), 0],
    ['rows that come twice', rows([1n], [1n], [2n]), rows([1n], [2n], [2n]), 1],
    ['a column too many', rows([1n]), rows([1n, 2n]), 2 / 3],
    ['a column too few', rows([1n, 2n]), rows([1n]), 2 / 3],
    ['a row too few', rows([1n], [2n]), rows([1n]), 2 / 3],
    ['numbers by value, texts apart', rows([1n, '1']), rows([1, '2']), 1 / 2],
  ] as const)('of %s', (_, gold, predicted, expected) => {
    expect(softF1(gold, predicted)).toBeCloseTo(expected, 12);
  });
});

describe('vesReward', () => {
  it.each([
    [[2, 2, 2], 1.25],
    [[1, 1.5], 1],
    [[0.5, 0.9], 0.75],
    [[0.3], 0.5],
    [[0.1, 0.2], 0.25],
    [[...new Array<number>(99).fill(1), 500], 1],
  ])('of the ratios %s', (ratios, reward) => {
    expect(vesReward(ratios)).toBe(reward);
  });
});
