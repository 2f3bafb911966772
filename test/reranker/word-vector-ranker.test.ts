import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VocabularySource } from '../../src/reranker/vocabulary-source.js';
import { WordVectorRanker } from '../../src/reranker/word-vector-ranker.js';
import type { RetrievedColumn, TargetColumn } from '../../src/stage.js';
import { collectingContext, temporaryFolder, vectorsOf } from './vector-fixture.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const WORDS = {
  country: [1, 0, 0],
  nation: [0.9, 0.1, 0],
  state: [0.8, 0.3, 0],
  region: [0.8, 0.3, 0],
  salary: [0, 0, 1],
  wage: [0, 0.2, 0.9],
  home_country: [0.7, 0.5, 0.1],
  countries: [0.99, 0.01, 0],
  anti: [-1, 0, 0],
};

let ranker: WordVectorRanker;
beforeAll(async () => {
  ranker = new WordVectorRanker(await vectorsOf(folder.path, WORDS, 5));
});

function retrieved(...names: string[]): RetrievedColumn[] {
  return names.map((name, i) => ({
    name,
    origin: { table: `t${i}`, title: `Table ${i}`, column: name, type: 'text', score: 0.5 },
  }));
}

async function rankedNames(name: string, columns: readonly RetrievedColumn[], keep = 20): Promise<string[]> {
  const [candidates = []] = await ranker.rank([{ name, retrieved: columns }], keep, collectingContext());
  return candidates.map((candidate) => candidate.name);
}

describe('WordVectorRanker', () => {
  test('orders by cosine, ties by name, unknown names last', async () => {
    const columns = retrieved('xqzzt', 'salary', 'state', 'anti', 'region', 'nation', 'bqzzt');
    expect(await rankedNames('country', columns)).toEqual([
      ...['nation', 'region', 'state', 'salary', 'anti', 'bqzzt', 'xqzzt'],
    ]);
  });

  test('keeps distinct names only, the best at most', async () => {
    const columns = retrieved('Nation', 'nations', ' NATION ', 'home_country', 'Home  Country', 'wage', '', '  ');
    expect(await rankedNames('country', columns)).toEqual(['nation', 'home country', 'wage']);
    expect(await rankedNames('country', columns, 2)).toEqual(['nation', 'home country']);
    expect(await rankedNames('country', columns, 0)).toEqual([]);
  });

  test('leaves out the name of the target in any of its forms', async () => {
    expect(await rankedNames('Country', retrieved('COUNTRIES', 'country', ' country_', 'nation'))).toEqual(['nation']);
  });

  test('keeps the origin that was retrieved first', async () => {
    const [candidates = []] = await ranker.rank(
      [{ name: 'country', retrieved: retrieved('wage', 'Nation', 'nation') }],
      20,
      collectingContext(),
    );
    expect(candidates[0]).toMatchObject({
      name: 'nation',
      source: 'retrieval',
      origin: { table: 't1', column: 'Nation' },
    });
  });

  test('answers an empty batch, empty lists and targets without a vector', async () => {
    const context = collectingContext();
    expect(await ranker.rank([], 20, context)).toEqual([]);
    expect(context.events).toEqual([]);
    const targets = [
      { name: 'country', retrieved: [] },
      { name: 'xqzzt', retrieved: retrieved('wage', 'nation') },
    ];
    const [none, unknown] = await ranker.rank(targets, 20, context);
    expect(none).toEqual([]);
    expect(unknown?.map(({ name, similarity }) => [name, similarity])).toEqual([
      ['nation', null],
      ['wage', null],
    ]);
    expect(context.events).toEqual([{ kind: 'count', name: 'reranker.targets-without-vector', by: 1 }]);
  });

  test('ranks a batch as it ranks each target alone, in input order, and changes no input', async () => {
    const targets = ['country', 'salary', 'xqzzt'].map((name) =>
      Object.freeze({ name, retrieved: Object.freeze(retrieved(...Object.keys(WORDS)).map((c) => Object.freeze(c))) }),
    );
    const batch = await ranker.rank(targets, 5, collectingContext());
    const singles = await Promise.all(targets.map((target) => ranker.rank([target], 5, collectingContext())));
    expect(batch).toEqual(singles.map(([candidates]) => candidates));
  });

  test('gives the same names and similarities whatever the order of retrieval', async () => {
    const names = fc.constantFrom(...Object.keys(WORDS), 'Nation', 'NATIONS', 'Home Country', 'xqzzt', 'States');
    await fc.assert(
      fc.asyncProperty(fc.array(names, { maxLength: 12 }), fc.integer({ min: 0, max: 12 }), async (list, turn) => {
        const turned = [...list.slice(turn), ...list.slice(0, turn)];
        const results = await ranker.rank(
          [list, turned, [...list].reverse()].map((order) => ({ name: 'region', retrieved: retrieved(...order) })),
          6,
          collectingContext(),
        );
        const [first, ...others] = results.map((r) => r.map(({ name, similarity }) => ({ name, similarity })));
        for (const other of others) expect(other).toEqual(first);
      }),
    );
  });

  test('stops when aborted', async () => {
    const context = collectingContext(AbortSignal.abort(new Error('stop')));
    await expect(ranker.rank([{ name: 'country', retrieved: [] }], 20, context)).rejects.toThrow('stop');
  });

  test('has similarity null, never NaN, for names without a vector', () => {
    expect(ranker.similarity('country', '😀')).toBeNull();
    expect(ranker.similarity('', '')).toBeNull();
    expect(ranker.similarity('x'.repeat(100_000), 'country')).toBeNull();
    expect(ranker.similarity('country', 'anti')).toBe(-1);
  });

  test('has a fingerprint that follows the vectors', async () => {
    const other = new WordVectorRanker(await vectorsOf(folder.path, { ...WORDS, more: [1, 1, 1] }));
    expect(other.fingerprint).not.toBe(ranker.fingerprint);
    expect(other.id).toBe('tiny');
  });
});

describe('nearest terms', () => {
  test('leave out the name itself and further forms of a word', () => {
    expect(ranker.nearestTerms('countries', 4).map(({ name }) => name)).toEqual([
      ...['nation', 'state', 'region', 'home country'],
    ]);
  });

  test('are the largest cosines in order, as many as there are', () => {
    const all = ranker.nearestTerms('wage', 100);
    expect(all).toHaveLength(Object.keys(WORDS).length - 2); // itself, and one of country and countries
    const similarities = all.map(({ similarity }) => similarity);
    expect(similarities).toEqual([...similarities].sort((a, b) => b - a));
    expect(ranker.nearestTerms('wage', 3)).toEqual(all.slice(0, 3));
    expect(ranker.nearestTerms('xqzzt', 3)).toEqual([]);
    expect(ranker.nearestTerms('wage', 0)).toEqual([]);
  });
});

describe('VocabularySource', () => {
  const table = {
    name: 'job',
    originalName: 'Job',
    columns: ['salary', 'xqzzt', 'country'].map((name) => ({ name, originalName: name, type: 'text' as const })),
  };
  const target = { dbId: 'jobs', table, questions: [], values: [] };
  const columns: TargetColumn[] = [0, 1, 2, 0].map((column) => ({ target, column }));

  test('proposes terms of the vocabulary in input order, spaces for underscores', async () => {
    const source = new VocabularySource(ranker, 4);
    const [salary, unknown, country, again] = await source.propose(columns, collectingContext());
    expect(salary?.[0]).toMatchObject({ name: 'wage', source: 'vocabulary', origin: null });
    expect(unknown).toEqual([]);
    expect(country?.map(({ name }) => name)).toContain('home country');
    expect(again).toEqual(salary);
    expect(await source.propose([], collectingContext())).toEqual([]);
  });

  test('refuses a column that the table has not', async () => {
    const source = new VocabularySource(ranker);
    await expect(source.propose([{ target, column: 9 }], collectingContext())).rejects.toThrow(RangeError);
  });
});
