import { describe, expect, it } from 'vitest';
import { SchemaThesaurus } from '../../src/dictionary/schema-thesaurus.js';
import { englishWords } from '../../src/naturalness/english-words.js';
import { inflector, wordnet } from '../dictionary/dictionary-fixture.js';

const words = englishWords({ wordnet, inflector, thesaurus: new SchemaThesaurus(), frequencyRank: () => 7 });

describe('englishWords', () => {
  it.each(['city', 'cities', 'founded', 'written', 'taller', 'postal code'])('knows %j', (word) => {
    expect(words.isWord(word)).toBe(true);
  });

  it.each(['custmer', 'nmae', 'xyzzy'])('does not know %j', (word) => {
    expect(words.isWord(word)).toBe(false);
  });

  it('finds the thesaurus’s words familiar, also in the plural', () => {
    expect(words.isFamiliar?.('postcode')).toBe(true);
    expect(words.isFamiliar?.('birthplaces')).toBe(true);
    expect(words.isFamiliar?.('sodbuster')).toBe(false);
  });

  it('passes frequencies and noun forms on', () => {
    expect(words.frequencyRank('city')).toBe(7);
    expect(words.nounForm('home towns')).toEqual({ base: 'home town', number: 'plural' });
  });
});
