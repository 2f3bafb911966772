import { describe, expect, test } from 'vitest';
import { hashedRows, hashString, wordShape } from '../../../src/compositional/parser/parser-networks.js';

describe('hashes of words', () => {
  // spacy.strings.hash_string
  test.each([
    ['apple', 8566208034543834098n],
    ['a text that is longer than eight bytes', 1620827023215905750n],
    ['Zoë 北京', 5572740803933674161n],
  ])('are spaCy’s: %s', (text, hash) => {
    expect(hashString(text)).toBe(hash);
  });

  // thinc.api.NumpyOps().hash
  test('pick rows as thinc does', () => {
    expect(hashedRows(8566208034543834098n, 8, 5000)).toEqual([3934, 1080, 901, 472]);
  });
});

test.each([
  ['Apple', 'Xxxxx'],
  ['abcdefgh', 'xxxx'],
  ['C3PO-x', 'XdXX-x'],
  ['x'.repeat(100), 'LONG'],
])('the shape of %s is %s', (text, shape) => {
  expect(wordShape(text)).toBe(shape);
});
