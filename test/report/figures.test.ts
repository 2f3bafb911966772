import { describe, expect, it } from 'vitest';
import { countNoun } from '../../src/counts.js';
import { formatPointRange, formatRange, renderSeconds } from '../../src/report/figures.js';

describe('countNoun', () => {
  it.each([
    [0, '0 schemas'],
    [1, '1 schema'],
    [1_234_567, '1,234,567 schemas'],
  ])('%i', (count, text) => {
    expect(countNoun(count, 'schema')).toBe(text);
  });

  it('takes another plural', () => {
    expect([1, 2].map((count) => countNoun(count, 'query', 'queries'))).toEqual(['1 query', '2 queries']);
  });
});

describe('renderSeconds', () => {
  it.each([
    [0, '1 s'],
    [40.2, '41 s'],
    [90, '2 min'],
    [9000, '2.5 h'],
  ])('%d', (seconds, text) => {
    expect(renderSeconds(seconds)).toBe(text);
  });
});

describe('formatRange', () => {
  it('says which units are too few where there is no interval', () => {
    const few = { low: null, high: null };
    expect(formatRange(few, 'databases', String)).toBe('fewer than 5 databases: no interval');
    expect(formatPointRange(few, 'questions')).toBe('fewer than 5 questions: no interval');
    expect(formatRange({ low: 1, high: 2 }, 'databases', String)).toBe('1 to 2');
  });
});
