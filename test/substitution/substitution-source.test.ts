import { describe, expect, test } from 'vitest';
import { MaskedWords, type MaskedModel } from '../../src/substitution/masked-words.js';
import {
  type Substitute,
  SubstitutionSource,
  type WordSlot,
  type WordSubstitutes,
} from '../../src/substitution/substitution-source.js';
import type { StageContext, TargetTable } from '../../src/stage.js';
import { createContext, createTarget } from '../dictionary/dictionary-fixture.js';

const words: Readonly<Record<string, readonly Substitute[]>> = {
  song: [
    { word: 'ballad', score: 0.9 },
    { word: 'songs', score: 0.85 },
    { word: 'boiler', score: 0.8 },
  ],
  name: [{ word: 'title', score: 0.7 }],
};

/** Finds what the list above has. */
const listed: WordSubstitutes = {
  id: 'neighbors',
  fingerprint: 'listed',
  find: async (slots: readonly WordSlot[]) => slots.map((slot) => words[slot.words[slot.at]!] ?? []),
};

/** One direction for all sentences but those of boilers. */
const embedder = {
  fingerprint: 'flat',
  dimension: 2,
  model: { name: 'flat', revision: '1', sha256: '0' },
  embed: async (texts: readonly string[]) =>
    texts.map((text) => Float32Array.from(text.includes('boiler') ? [0.6, 0.8] : [1, 0])),
};

function sourceOf(substitutes: WordSubstitutes): SubstitutionSource {
  return new SubstitutionSource({ substitutes, embedder, similarity: (a, b) => (a.length - b.length) / 100 });
}

function named(names: readonly string[], table = 'singer'): TargetTable {
  const target = createTarget(table, names, 'text');
  return {
    ...target,
    values: names.map((name) => (name === 'song name' ? ['Sun', 'Love', 'Sun', 'Gate', 'Day'] : [])),
  };
}

const proposed = async (source: SubstitutionSource, target: TargetTable, context: StageContext = createContext()) =>
  source.propose(
    target.table.columns.map((_, column) => ({ target, column })),
    context,
  );

describe('SubstitutionSource', () => {
  test('replaces one word or two, best first, each name once whatever its number', async () => {
    const [candidates] = await proposed(sourceOf(listed), named(['song name']));
    // "songs name" is the column's own name but for the number, "boiler name" has lost the sentence's meaning.
    expect(candidates?.map(({ name }) => name)).toEqual(['ballad name', 'ballad title', 'songs title']);
    expect(candidates?.[0]).toEqual({ name: 'ballad name', source: 'neighbors', origin: null, similarity: 0.02 });
  });

  test('leaves function words and ids alone, and columns of which nothing is known', async () => {
    const asked: string[] = [];
    const find: WordSubstitutes['find'] = async (slots) => {
      asked.push(...slots.map((slot) => slot.words[slot.at]!));
      return slots.map(() => []);
    };
    const target = named(['name of song', 'id']);
    expect(await proposed(sourceOf({ ...listed, find }), target)).toEqual([[], []]);
    expect(asked).toEqual(['name', 'song']);
  });

  test('gives a column the same names whatever stands next to it in the call', async () => {
    const both = named(['song name', 'name']);
    const [alone] = await sourceOf(listed).propose([{ target: both, column: 0 }], createContext());
    expect((await proposed(sourceOf(listed), both))[0]).toEqual(alone);
  });

  test('stops where it is told to', async () => {
    const controller = new AbortController();
    const context = createContext(1, controller.signal);
    controller.abort(new Error('enough'));
    const aborting = new SubstitutionSource({
      substitutes: listed,
      embedder: {
        ...embedder,
        embed: async (texts: readonly string[], signal: AbortSignal) => {
          signal.throwIfAborted();
          return embedder.embed(texts);
        },
      },
      similarity: () => null,
    });
    await expect(proposed(aborting, named(['song name']), context)).rejects.toThrow('enough');
  });
});

describe('MaskedWords', () => {
  test('shows the model the table with one word hidden, and drops the word itself and function words', async () => {
    const texts: string[] = [];
    const model: MaskedModel = {
      fingerprint: 'model',
      maskToken: async () => '<mask>',
      predict: async (asked, k) => {
        texts.push(...asked);
        expect(k).toBe(48);
        return asked.map(() => ['song', 'the', 'id', 'track'].map((word, i) => ({ word, logProbability: -1 - i })));
      },
    };
    const target = named(['song name', 'Country']);
    const slots = [0, 1].map((at): WordSlot => ({ target: { target, column: 0 }, words: ['song', 'name'], at }));
    const found = await new MaskedWords(model).find(slots, createContext());
    expect(texts).toEqual([
      'singer | country | <mask> name: Sun, Love, Gate',
      'singer | country | song <mask>: Sun, Love, Gate',
    ]);
    expect(found[0]).toEqual([{ word: 'track', score: -4 }]);
    expect(found[1]?.map(({ word }) => word)).toEqual(['song', 'track']);
  });

  test('starts no model for nothing', async () => {
    const model = { fingerprint: 'model' } as MaskedModel;
    expect(await new MaskedWords(model).find([], createContext())).toEqual([]);
  });
});
