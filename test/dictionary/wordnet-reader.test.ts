import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DictionaryError } from '../../src/errors.js';
import { WordNet, wordnetFolder } from '../../src/dictionary/wordnet-reader.js';
import { wordnet } from './dictionary-fixture.js';

describe('WordNet', () => {
  it('takes under 150 MB a load', () => {
    const before = process.memoryUsage().rss;
    const loaded = [1, 2, 3, 4].map(() => WordNet.load(wordnetFolder()));
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6 * loaded.length);
  });

  it('orders senses by frequency and counts their uses', () => {
    const [first, second] = wordnet.senses('city', 'noun');
    expect(first).toEqual({ synset: 'n08542298', pos: 'noun', rank: 0, tagCount: 103 });
    expect(second).toMatchObject({ rank: 1, tagCount: 13 });
    expect(wordnet.tagTotal('city', 'noun')).toBe(117);
  });

  it('gives the senses of every part of speech, nouns first', () => {
    const parts = wordnet.senses('fast').map((sense) => sense.pos);
    expect(new Set(parts)).toEqual(new Set(['noun', 'verb', 'adjective', 'adverb']));
    expect(parts[0]).toBe('noun');
  });

  it('finds words of several parts with spaces, in any case', () => {
    expect(wordnet.senses('Last Name', 'noun')).toHaveLength(1);
    expect(wordnet.words('n06348274')).toEqual(expect.arrayContaining(['surname', 'family name', 'last name']));
  });

  it('does not take a prefix for a word', () => {
    expect(wordnet.senses('cit')).toEqual([]);
    expect(wordnet.senses('')).toEqual([]);
    expect(wordnet.senses('city hall of')).toEqual([]);
  });

  it('counts the uses of adjective satellites', () => {
    expect(wordnet.tagTotal('maximum', 'adjective')).toBeGreaterThan(0);
  });

  it('keeps the spelling of names, drops adjective markers', () => {
    const washington = wordnet.senses('washington', 'noun')[0]?.synset ?? '';
    expect(wordnet.spellings(washington)).toContain('Washington');
    expect(wordnet.isInstance(washington)).toBe(true);
    expect([...wordnet.words(wordnet.senses('galore', 'adjective')[0]?.synset ?? '')]).toContain('galore');
  });

  it('follows relations between synsets', () => {
    const [dog] = wordnet.senses('dog', 'noun');
    const above = wordnet.related(dog?.synset ?? '', 'hypernym').flatMap((id) => wordnet.words(id));
    expect(above).toContain('canine');
    const [big] = wordnet.senses('big', 'adjective');
    expect(wordnet.related(big?.synset ?? '', 'antonym').flatMap((id) => wordnet.words(id))).toContain('little');
  });

  it('answers unknown synsets with nothing', () => {
    for (const id of ['', 'n', 'x00000000', 'n99999999', 'n00001741', 'n0000174'])
      expect([wordnet.words(id), wordnet.gloss(id), wordnet.related(id, 'hypernym')]).toEqual([[], '', []]);
  });

  it('lists every lemma once', () => {
    const lemmas = [...wordnet.lemmas()];
    expect(new Set(lemmas).size).toBe(lemmas.length);
    expect(lemmas.length).toBeGreaterThan(140_000);
    expect(lemmas).toEqual(expect.arrayContaining(['zip code', 'quickly', 'establish']));
  });

  it.each([
    ['cities', 'noun', 'city'],
    ['indices', 'noun', 'index'],
    ['children', 'noun', 'child'],
    ['address', 'noun', 'address'],
    ['founded', 'verb', 'found'],
    ['written', 'verb', 'write'],
    ['stopped', 'verb', 'stop'],
    ['filling', 'verb', 'fill'],
    ['larger', 'adjective', 'larger'],
    ['taller', 'adjective', 'tall'],
    ['xyzzy', 'noun', null],
  ] as const)('%s as a %s is a form of %s', (word, pos, base) => {
    expect(wordnet.baseForm(word, pos)).toBe(base);
  });

  it('has a fingerprint of its files', () => {
    expect(wordnet.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(WordNet.load(wordnetFolder()).fingerprint).toBe(wordnet.fingerprint);
  });
});

describe('WordNet.load of bad folders', () => {
  function folderOf(content: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'perturbql-wordnet-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const names = ['noun', 'verb', 'adj', 'adv'].flatMap((pos) => [`index.${pos}`, `data.${pos}`]);
    for (const name of [...names, 'index.sense']) writeFileSync(join(folder, name), content);
    return folder;
  }

  it('names the missing file', () => {
    expect(() => WordNet.load('/nowhere')).toThrow(DictionaryError);
    expect(() => WordNet.load('/nowhere')).toThrow(/can’t be read/);
  });

  it.each(['', 'not a database\n', '\n\n\n'])('refuses files that hold %j', (content) => {
    const folder = folderOf(content);
    expect(() => WordNet.load(folder)).toThrow(DictionaryError);
  });
});
