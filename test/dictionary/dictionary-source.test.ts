import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DictionarySource,
  KEEP_PROBABILITY,
  MAX_CANDIDATES,
  MAX_REPEATS,
  type DictionarySourceOptions,
} from '../../src/dictionary/dictionary-source.js';
import type { SynonymDictionary } from '../../src/dictionary/synonym-dictionary.js';
import type { Candidate, TargetColumn } from '../../src/stage.js';
import { createContext, createPlanner, createTarget, StubDictionary } from './dictionary-fixture.js';

const shipped = new DictionarySource(createPlanner());

function stubbed(entries: Record<string, string[]>, options: DictionarySourceOptions = {}): DictionarySource {
  return new DictionarySource(createPlanner(new StubDictionary(entries)), options);
}

async function propose(source: DictionarySource, name: string, seed = 1): Promise<readonly Candidate[]> {
  const target = createTarget('tables', [name]);
  return (await source.propose([{ target, column: 0 }], createContext(seed)))[0] ?? [];
}

async function namesOf(source: DictionarySource, name: string, seed = 1): Promise<string[]> {
  return (await propose(source, name, seed)).map((candidate) => candidate.name);
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const wordsStartingWith = (start: string): string[] => [...letters].map((letter) => `${start}${letter}`);

describe('the sampling of ADVETA §4.3', () => {
  it('has the paper’s numbers, not the notebook’s (10 candidates, p of 0 to 0.5 by length)', () => {
    expect([KEEP_PROBABILITY, MAX_CANDIDATES, MAX_REPEATS]).toEqual([0.25, 20, 5]);
  });

  it('stops at 20 distinct candidates', async () => {
    const source = stubbed({ alpha: wordsStartingWith('ala'), beta: wordsStartingWith('beta') });
    const names = await namesOf(source, 'alpha beta');
    expect(names).toHaveLength(20);
    expect(new Set(names).size).toBe(20);
  });

  it('stops after 5 repeats when there is little to draw', async () => {
    const source = stubbed({ alpha: ['omega'] });
    expect(await namesOf(source, 'alpha')).toEqual(['omega']);
    expect(await namesOf(stubbed({}), 'alpha')).toEqual([]);
  });

  it('proposes every name where there are few, with any seed', async () => {
    const source = stubbed({ alpha: ['omega'], beta: ['psi', 'chi'] });
    const all = ['alpha chi', 'alpha psi', 'omega beta', 'omega chi', 'omega psi'];
    for (let seed = 1; seed <= 20; seed++) expect((await namesOf(source, 'alpha beta', seed)).toSorted()).toEqual(all);
  });

  it('calls no number a name', async () => {
    const namesAs = async (type: 'number' | 'text'): Promise<string[]> => {
      const target = createTarget('makers', ['country'], type);
      return (await shipped.propose([{ target, column: 0 }], createContext())).flat().map(({ name }) => name);
    };
    expect([await namesAs('number'), await namesAs('text')]).toEqual([
      expect.not.arrayContaining(['country name']),
      expect.arrayContaining(['country name']),
    ]);
  });

  it('proposes whatever the thesaurus lists for a whole name, with any seed', async () => {
    const listed = ['date joined', 'date of joining', 'joining date'];
    for (let seed = 1; seed <= 30; seed++)
      expect(await namesOf(shipped, 'join date', seed), `seed ${seed}`).toEqual(expect.arrayContaining(listed));
  });

  it.each(['alpha', 'alpha beta', 'alpha beta gamma delta'])(
    'keeps each word of %j with probability 0.25',
    async (name) => {
      const words = name.split(' ');
      const entries = Object.fromEntries(words.map((word) => [word, wordsStartingWith(`${word}x`)]));
      const source = stubbed(entries, { maxCandidates: 1, maxRepeats: 1 });
      const runs = 600;
      let kept = 0;
      for (let seed = 0; seed < runs; seed++) {
        const [drawn = name] = await namesOf(source, name, seed);
        kept += words.filter((word, i) => drawn.split(' ')[i] === word).length;
      }
      expect(kept / (runs * words.length)).toBeCloseTo(0.25, 1);
    },
  );

  it('changes nothing with probability 1, everything with 0', async () => {
    const entries = { alpha: ['omega'], beta: ['psi'] };
    expect(await namesOf(stubbed(entries, { keepProbability: 1 }), 'alpha beta')).toEqual([]);
    expect(await namesOf(stubbed(entries, { keepProbability: 0 }), 'alpha beta')).toEqual(['omega psi']);
  });

  it('draws from the stream of its own column', async () => {
    const context = createContext();
    const target = createTarget('orders', ['total price', 'zip code']);
    await shipped.propose([{ target, column: 1 }], context);
    expect(context.asked).toEqual(['db.orders.zip_code:dictionary']);
  });

  it('gives the same candidates for the same seed, alone or in a batch, and others for another seed', async () => {
    const target = createTarget('orders', ['customer name', 'number of items', 'total price']);
    const columns = target.table.columns.map((_, column): TargetColumn => ({ target, column }));
    const batch = await shipped.propose(columns, createContext(7));
    const singles = await Promise.all(columns.map((column) => shipped.propose([column], createContext(7))));
    expect(batch).toEqual(singles.flat());
    expect(await shipped.propose([...columns].reverse(), createContext(7))).toEqual([...batch].reverse());
    const source = stubbed({ alpha: wordsStartingWith('ala') });
    expect(await namesOf(source, 'alpha', 1)).not.toEqual(await namesOf(source, 'alpha', 2));
  });

  it('handles an empty batch and stops when aborted', async () => {
    expect(await shipped.propose([], createContext())).toEqual([]);
    const columns = [{ target: createTarget('t', ['price']), column: 0 }];
    await expect(shipped.propose(columns, createContext(1, AbortSignal.abort()))).rejects.toThrow();
  });
});

describe('candidates', () => {
  it('say where they come from and how similar they are, most similar first', async () => {
    const similarity = (a: string): number | null => ({ omega: 0.2, psi: 0.9 })[a] ?? null;
    const source = stubbed({ alpha: ['omega', 'psi', 'chi'] }, { similarity, maxRepeats: 50 });
    expect(await propose(source, 'alpha')).toEqual([
      { name: 'psi', source: 'dictionary', origin: null, similarity: 0.9 },
      { name: 'omega', source: 'dictionary', origin: null, similarity: 0.2 },
      { name: 'chi', source: 'dictionary', origin: null, similarity: null },
    ]);
  });

  it.each(['', ' ', '_', '🙂', '!!!', '12', 'a'.repeat(300), 'id', 'of the'])('none for %j', async (name) => {
    expect(await namesOf(shipped, name)).toEqual([]);
  });

  it('hold the words they should', async () => {
    expect(await namesOf(shipped, 'zip code')).toEqual(expect.arrayContaining(['postal code']));
    expect(await namesOf(shipped, 'number of employees')).toEqual(expect.arrayContaining(['employee count']));
    expect(await namesOf(shipped, 'average salary')).toEqual(expect.arrayContaining(['mean salary']));
  });

  it('never equal the name, are never empty, keep digits, and come in bounded time', async () => {
    const word = fc.constantFrom(
      'average',
      'price',
      'of',
      'the',
      'zip',
      'code',
      '2',
      'x',
      'cities',
      'founded',
      'id',
      '_',
      'é',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 7 }), fc.integer(), async (words, seed) => {
        const name = words.join(' ');
        const names = await namesOf(shipped, name, seed);
        expect(names.length).toBeLessThanOrEqual(20);
        expect(new Set(names).size).toBe(names.length);
        for (const candidate of names) {
          expect(candidate).not.toBe(name);
          expect(candidate).toMatch(/\S/);
          expect(candidate.match(/\d/g)).toEqual(name.match(/\d/g));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('ends when synonyms never repeat', async () => {
    let count = 0;
    const endless: SynonymDictionary = {
      id: 'endless',
      fingerprint: 'endless',
      synonyms: async () => [{ text: `word${count++}`, pos: 'noun', inflected: false }],
    };
    const source = new DictionarySource(createPlanner(endless));
    expect((await namesOf(source, 'alpha beta')).length).toBeLessThanOrEqual(20);
  });
});

describe('names that the thesaurus lists', () => {
  it('are marked where they stand for the whole name, and not where words were put together', async () => {
    const marks = new Map((await propose(shipped, 'first name')).map(({ name, listedFor }) => [name, listedFor]));
    expect(marks.get('given name')).toBe('name');
    const parts = await propose(shipped, 'customer first name');
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.every(({ listedFor }) => listedFor === undefined)).toBe(true);
  });
});
