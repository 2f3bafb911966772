import { describe, expect, test } from 'vitest';
import { NeighborWords } from '../../src/substitution/neighbor-words.js';
import { createContext, createTarget, inflector, wordnet } from '../dictionary/dictionary-fixture.js';

/** Neighbors of any word, nearest first. */
function neighborsOf(...names: readonly string[]): NeighborWords {
  const nearestTerms = (_: string, k: number) =>
    names.slice(0, k).map((name, i) => ({ name, similarity: 1 - i / 1000 }));
  return new NeighborWords({ fingerprint: 'list', nearestTerms }, wordnet, inflector);
}

async function find(source: NeighborWords, name: string, at: number): Promise<readonly string[]> {
  const words = name.split(' ');
  const target = { target: createTarget('t', [name]), column: 0 };
  const [found] = await source.find([{ target, words, at }], createContext());
  return found!.map(({ word }) => word);
}

describe('NeighborWords', () => {
  test('takes neighbors of the same part of speech, in their order, and no phrases', async () => {
    const neighbors = neighborsOf('areas', 'capital city', 'regional', 'happily', 'zone', 'xyzzq');
    expect(await find(neighbors, 'region', 0)).toEqual(['areas', 'zone']);
  });

  test('judges a word in its place: before a head also adjectives stand', async () => {
    const neighbors = neighborsOf('regional', 'country', 'foreign');
    expect(await find(neighbors, 'national team', 0)).toEqual(['regional', 'foreign']);
    expect(await find(neighbors, 'team', 0)).toEqual(['country']);
  });

  test('takes 50 at most', async () => {
    const nouns = [...wordnet.lemmas()].filter((word) => /^[a-z]{5,}$/.test(word) && wordnet.has(word, 'noun'));
    expect(await find(neighborsOf(...nouns.slice(0, 120)), 'region', 0)).toHaveLength(50);
  });
});
