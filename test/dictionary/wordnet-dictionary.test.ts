import { describe, expect, it } from 'vitest';
import { WordNetDictionary } from '../../src/dictionary/wordnet-dictionary.js';
import { wordnet } from './dictionary-fixture.js';

const plain = new WordNetDictionary(wordnet);
const textsOf = async (word: string, pos: 'noun' | 'verb' | 'adjective' = 'noun'): Promise<string[] | null> =>
  (await plain.synonyms(word, { pos }))?.map((synonym) => synonym.text) ?? null;

describe('WordNetDictionary', () => {
  it('gives the synonyms of the most frequent sense', async () => {
    expect(await textsOf('country')).toContain('nation');
    expect(await textsOf('physician')).toContain('doctor');
    const [first] = (await plain.synonyms('country', { pos: 'noun' })) ?? [];
    expect(first).toMatchObject({ pos: 'noun', inflected: false });
  });

  it('drops words that rarely have the sense: no "land" for country, no "eld" for age', async () => {
    expect(await textsOf('country')).not.toContain('land');
    expect(await textsOf('age')).not.toContain('eld');
  });

  it('drops fragments, spelling variants, clipped forms and gerunds', async () => {
    expect(await textsOf('phone number')).toEqual(['telephone number']);
    expect(await textsOf('color')).not.toContain('colour');
    expect(await textsOf('professor')).not.toContain('prof');
    expect(await textsOf('departure')).not.toContain('leaving');
    expect(await textsOf('night')).not.toContain('dark');
  });

  it('takes no names and acronyms', async () => {
    expect(await textsOf('us')).toEqual([]);
    for (const word of ['capital', 'id', 'turkey', 'china'])
      for (const text of (await textsOf(word)) ?? []) expect(text).toMatch(/^[a-z -]+$/);
  });

  it('tells unknown words from words without synonyms', async () => {
    expect(await textsOf('xyzzy')).toBeNull();
    expect(await textsOf('established')).toBeNull();
    expect(await textsOf('symptom')).toEqual([]);
  });

  it('takes no sense that the context does not have, nor a rare one, given vectors', async () => {
    const near: Record<string, string[]> = {
      employment: ['occupation', 'profession'],
      errand: ['task', 'chore', 'duty'],
    };
    const similarity = (a: string, b: string): number => {
      const topic = near[b];
      return topic === undefined ? 0.6 : topic.some((word) => a.split(' ').includes(word)) ? 0.9 : 0.1;
    };
    const dictionary = new WordNetDictionary(wordnet, { similarity });
    const at = async (context: string): Promise<string[]> =>
      ((await dictionary.synonyms('job', { pos: 'noun', context: [context] })) ?? []).map((synonym) => synonym.text);
    expect(await at('employment')).toContain('occupation');
    expect(await at('errand')).toEqual([]);
  });

  it('drops synonyms below the least similarity, and words without a vector', async () => {
    const far = new WordNetDictionary(wordnet, { similarity: () => 0.1 });
    const without = new WordNetDictionary(wordnet, { similarity: () => null });
    expect(await far.synonyms('country', { pos: 'noun' })).toEqual([]);
    expect(await without.synonyms('country', { pos: 'noun' })).toEqual([]);
  });

  it('drops synonyms that no column name uses, given the words of headers', async () => {
    const usual = new WordNetDictionary(wordnet, { headerWords: new Set(['doctor', 'nation']) });
    const of = async (word: string) => (await usual.synonyms(word, { pos: 'noun' }))?.map(({ text }) => text);
    expect(await of('physician')).toEqual(['doctor']);
    expect(await of('automobile')).toEqual([]);
    expect(usual.fingerprint).not.toBe(plain.fingerprint);
  });

  it('puts its settings into the fingerprint', () => {
    const other = new WordNetDictionary(wordnet, { maxSenses: 1 });
    expect(other.fingerprint).not.toBe(plain.fingerprint);
    expect(new WordNetDictionary(wordnet).fingerprint).toBe(plain.fingerprint);
  });
});
