import { describe, expect, it } from 'vitest';
import { guessColumnType } from '../../src/retriever/corpus-reader.js';

describe('guessColumnType', () => {
  it.each([
    ['population', ['1,234', '5 678', ''], 'number'],
    ['change', ['-3.5', '+2', '−1 %'], 'number'],
    ['price', ['$ 12.50', '€3'], 'number'],
    ['year', ['1999', '2004'], 'number'],
    ['born', ['1999-01-31', '2004-12-01T10:00'], 'time'],
    ['born', ['March 3, 1999', '4 Apr 2001', 'may 2010'], 'time'],
    ['start', ['10:30', '9:05 pm'], 'time'],
    ['is open', ['yes', 'No'], 'boolean'],
    ['phone', ['555-1234', '+1 (202) 555'], 'text'],
    ['name', ['Ann', '7'], 'text'],
    ['release date', [], 'time'],
    ['name', ['', ' '], 'text'],
  ])('%s %j: %s', (name, values, type) => {
    expect(guessColumnType(name, values)).toBe(type);
  });
});
