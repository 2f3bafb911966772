import { expect, test } from 'vitest';
import type { NaturalnessContext } from '../../src/naturalness/naturalness-rule.js';
import { rarerWord } from '../../src/naturalness/rules.js';
import { createTarget } from '../dictionary/dictionary-fixture.js';

const RANKS: Readonly<Record<string, number>> = {
  country: 150,
  nation: 700,
  commonwealth: 3_653,
  identifier: 25_000,
  mill: 4_500,
  mills: 4_600,
  prominence: 9_600,
  renown: 9_000,
  salience: 28_000,
};
const context: NaturalnessContext = {
  frequencyRank: (word) => RANKS[word] ?? null,
  isWord: () => true,
  nounForm: (phrase) => ({ base: phrase.replace(/s$/, ''), number: 'singular' }),
  isFamiliar: (word) => word === 'identifier',
};

function check(column: string, name: string): string | null {
  const target = { target: createTarget('mills', [column]), column: 0 };
  return rarerWord(context).check(name, target, { name, source: 'dictionary', origin: null, similarity: null });
}

test('keeps out a word that is rarer than all that it stands for', () => {
  expect(check('country', 'commonwealth')).toBe('"commonwealth" is rarer than what it replaces');
  expect(check('prominence', 'salience')).toBe('"salience" is rarer than what it replaces');
  expect(check('country', 'unheard')).toBe('"unheard" is rarer than what it replaces');
});

test.each([
  ['country', 'nation', 'a common word, though rarer'],
  ['prominence', 'renown', 'a word more common than the column’s'],
  ['country', 'identifier', 'a word that schemas use'],
  ['country', 'country of mill', 'the table’s own word'],
  ['country area', 'commonwealth', 'a word for a phrase'],
])('for "%s" lets "%s" stand: %s', (column, name) => {
  const known = { ...RANKS, of: 3 } as Readonly<Record<string, number>>;
  const target = { target: createTarget('mills', [column]), column: 0 };
  const rule = rarerWord({ ...context, frequencyRank: (word) => known[word] ?? null });
  expect(rule.check(name, target, { name, source: 'dictionary', origin: null, similarity: null })).toBeNull();
});

test('guards replacements alone', () => {
  expect(rarerWord(context).appliesTo).toBe('RPL');
});
