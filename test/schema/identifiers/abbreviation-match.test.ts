import { expect, test } from 'vitest';
import { matchAbbreviation } from '../../../src/schema/identifiers/name-letters.js';

test.each([
  ['descr', 'description', 'truncated'],
  ['wdth', 'width', 'skeleton'],
  ['adrs', 'address', 'skeleton'],
  ['dsch', 'discharge', 'short-skeleton'],
  ['dept', 'department', 'contracted'],
  ['rcvd', 'received', 'skeleton'],
  ['xfer', 'transfer', null],
  ['name', 'name', null],
  ['names', 'name', null],
  ['tme', 'date', null],
])('%s of %s: %s', (letters, word, kind) => {
  expect(matchAbbreviation(letters, word)?.kind ?? null).toBe(kind);
});

test('counts the consonants that were left out, double letters as one', () => {
  expect(matchAbbreviation('acct', 'account')).toMatchObject({ lostConsonants: 1, strayVowels: 0 });
  expect(matchAbbreviation('adres', 'address')).toMatchObject({ lostConsonants: 0 });
});
