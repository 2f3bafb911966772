import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExactRetriever } from '../../src/retriever/exact-retriever.js';
import { openIndex } from '../../src/retriever/open-index.js';
import { RandomSource } from '../../src/retriever/random-source.js';
import { RetrievalSource } from '../../src/retriever/retrieval-source.js';
import type { TableIndex } from '../../src/retriever/table-index.js';
import type { CandidateRanker, CandidateSource, TableRetriever, TargetColumn, TargetTable } from '../../src/stage.js';
import { HashingEmbedder } from './hashing-embedder.js';
import { build, createContext, createTables, createTarget } from './retriever-fixture.js';

/** Keeps the first distinct names, in the order in which they were retrieved. */
const ranker: CandidateRanker = {
  id: 'first',
  fingerprint: 'first',
  similarity: () => null,
  async rank(targets, keep) {
    return targets.map(({ name, retrieved }) => {
      const distinct = new Map(retrieved.filter((one) => one.name !== name).map((one) => [one.name, one]));
      return [...distinct.values()]
        .slice(0, keep)
        .map(({ name: found, origin }) => ({ name: found, source: 'retrieval', origin, similarity: null }));
    });
  },
};

/** As `ranker`, with the origin that was retrieved first, as the product's keeps it. */
const firstRanker: CandidateRanker = {
  ...ranker,
  rank: (targets, keep, context) =>
    ranker.rank(
      targets.map((target) => ({ ...target, retrieved: [...target.retrieved].reverse() })),
      keep,
      context,
    ),
};

/** Counts what is asked of a retriever. */
function counting(inner: TableRetriever): TableRetriever & { asked: { targets: readonly TargetTable[]; k: number }[] } {
  const asked: { targets: readonly TargetTable[]; k: number }[] = [];
  const { id, fingerprint, size } = inner;
  return {
    asked,
    id,
    fingerprint,
    size,
    retrieve(targets, k, context) {
      asked.push({ targets, k });
      return inner.retrieve(targets, k, context);
    },
  };
}

const SINGER = createTarget('singer', ['singer name', 'age', 'country'], ['Who is the oldest singer?']);
const STADIUM = createTarget('stadium', ['capacity', 'owner']);

function columnsOf(target: TargetTable): TargetColumn[] {
  return target.table.columns.map((_, column) => ({ target, column }));
}
const COLUMNS = [...columnsOf(SINGER), ...columnsOf(STADIUM)];

let folder: string;
let index: TableIndex;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perturbql-sources-'));
  await build(folder, createTables(120));
  index = await openIndex(folder, new HashingEmbedder());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function createRetrieval(): RetrievalSource {
  return new RetrievalSource(new ExactRetriever(index, new HashingEmbedder()), ranker, {
    k: 8,
    keep: 5,
    domainFloor: 0,
    ownEntityFirst: false,
  });
}

describe.each<[string, () => CandidateSource]>([
  ['RetrievalSource', createRetrieval],
  ['RandomSource', () => new RandomSource(index, 5)],
])('%s as a CandidateSource', (_, create) => {
  it('keeps order, answers an empty batch, and a batch as singles', async () => {
    const source = create();
    expect(await source.propose([], createContext())).toEqual([]);
    const batch = await source.propose(COLUMNS, createContext());
    expect(await source.propose([...COLUMNS].reverse(), createContext())).toEqual([...batch].reverse());
    const singles = await Promise.all(
      COLUMNS.map(async (column) => (await create().propose([column], createContext()))[0]),
    );
    expect(singles).toEqual(batch);
  });

  it('gives the same bytes for the same seed', async () => {
    const bytes = async (): Promise<string> => JSON.stringify(await create().propose(COLUMNS, createContext(5)));
    expect(await bytes()).toBe(await bytes());
    expect(create().fingerprint).toBe(create().fingerprint);
  });

  it('gives distinct names whose origins are columns of the index', async () => {
    const names = new Map([...index.tables()].map((table) => [table.id, table.columns]));
    for (const candidates of await create().propose(COLUMNS, createContext())) {
      expect(candidates.length).toBeGreaterThan(0);
      expect(new Set(candidates.map(({ name }) => name)).size).toBe(candidates.length);
      for (const { name, origin } of candidates) expect(names.get(origin!.table)).toContain(name);
    }
  });

  it('stops when it is aborted, and leaves its input as it was', async () => {
    const aborted = createContext(1, AbortSignal.abort(new Error('stopped by the test')));
    await expect(create().propose(COLUMNS, aborted)).rejects.toThrow('stopped by the test');
    const input = structuredClone(COLUMNS);
    await create().propose(input, createContext());
    expect(input).toEqual(COLUMNS);
  });
});

describe('RetrievalSource', () => {
  it('retrieves once per table, also where columns hold copies of it', async () => {
    const retriever = counting(new ExactRetriever(index, new HashingEmbedder()));
    const source = new RetrievalSource(retriever, ranker, { k: 8, keep: 5, domainFloor: 0, ownEntityFirst: false });
    await source.propose([...COLUMNS, ...columnsOf(structuredClone(SINGER))], createContext());
    expect(retriever.asked).toEqual([{ targets: [SINGER, STADIUM], k: 8 }]);
  });

  it('asks again for a table of the same name with other questions', async () => {
    const retriever = counting(new ExactRetriever(index, new HashingEmbedder()));
    const other = { ...SINGER, questions: ['Which country has museums?'] };
    await new RetrievalSource(retriever, ranker).propose([...columnsOf(SINGER), ...columnsOf(other)], createContext());
    expect(retriever.asked[0]?.targets).toEqual([SINGER, other]);
  });

  it('takes 5 % of a small index unless told otherwise', () => {
    expect(new RetrievalSource(new ExactRetriever(index, new HashingEmbedder()), ranker).k).toBe(6);
    expect(createRetrieval().k).toBe(8);
  });

  it('gives origins from the nearest table first', async () => {
    const [candidates] = await createRetrieval().propose([{ target: SINGER, column: 0 }], createContext());
    expect(candidates![0]!.origin!.title).toContain('singer');
  });
});

describe('RandomSource', () => {
  it('draws otherwise for another seed and another column, and never a name of the table itself', async () => {
    const target = createTarget('singer', ['singer name', 'Singer Age']);
    const source = new RandomSource(index, 100);
    const [first, second] = await source.propose(columnsOf(target), createContext(1));
    expect(first).not.toEqual(second);
    expect((await source.propose(columnsOf(target), createContext(2)))[0]).not.toEqual(first);
    const names = first!.map(({ name }) => name);
    expect(names).not.toContain('singer name');
    expect(names).not.toContain('singer age');
    expect(new Set(names).size).toBe(names.length);
    expect(first!.every(({ source: kind }) => kind === 'random')).toBe(true);
  });
});

describe('the domain floor', () => {
  const tables = Array.from({ length: 20 }, (_, rank) => ({
    table: { id: `t${rank}`, title: `Table ${rank}`, columns: [`name ${rank}`], types: ['text' as const], rows: [] },
    score: rank < 16 ? 0.5 : 0.2,
  }));
  const retriever: TableRetriever = {
    id: 'fixed',
    fingerprint: 'fixed',
    size: tables.length,
    retrieve: (targets) => Promise.resolve(targets.map(() => tables)),
  };
  const proposed = async (domainFloor: number): Promise<string[]> => {
    const source = new RetrievalSource(retriever, ranker, { k: 20, keep: 50, domainFloor, ownEntityFirst: false });
    const [candidates] = await source.propose(COLUMNS.slice(0, 1), createContext());
    return [...new Set(candidates!.map(({ origin }) => origin!.table))];
  };

  it('leaves out tables that score far below the nearest one, but never the first dozen', async () => {
    expect(await proposed(0)).toHaveLength(20);
    expect(await proposed(0.65)).toHaveLength(16);
    expect(await proposed(1)).toHaveLength(16);
  });

  it('says in each origin how near its table is', async () => {
    const source = new RetrievalSource(retriever, ranker, { k: 20, keep: 50, domainFloor: 0, ownEntityFirst: false });
    const [candidates] = await source.propose(COLUMNS.slice(0, 1), createContext());
    expect(new Set(candidates!.map(({ origin }) => origin!.score))).toEqual(new Set([0.5, 0.2]));
  });
});

describe('a name that several tables have', () => {
  const tables = Array.from({ length: 30 }, (_, rank) => ({
    table: {
      id: `t${rank}`,
      title: rank === 25 ? 'Singers' : `Contracts of singers ${rank}`,
      columns: [`name ${rank}`, 'vocal range'],
      types: ['text' as const, 'text' as const],
      rows: [],
    },
    score: rank < 13 ? 0.5 : 0.2,
  }));
  const retriever: TableRetriever = {
    id: 'fixed',
    fingerprint: 'fixed',
    size: tables.length,
    retrieve: (targets) => Promise.resolve(targets.map(() => tables)),
  };
  const propose = async (ownEntityFirst: boolean): Promise<Map<string, string>> => {
    const settings = { k: 30, keep: 50, domainFloor: 0.7, ownEntityFirst };
    const source = new RetrievalSource(retriever, firstRanker, settings);
    const [candidates] = await source.propose(COLUMNS.slice(0, 1), createContext());
    return new Map(candidates!.map(({ name, origin }) => [name, origin!.table]));
  };

  it('comes from the table of the target’s very entity, which no domain floor cuts', async () => {
    const origins = await propose(true);
    expect(origins.get('vocal range')).toBe('t25');
    expect(origins.get('name 25')).toBe('t25');
    expect(origins.has('name 24')).toBe(false);
  });

  it('comes from the nearest table otherwise, as in the paper', async () => {
    const origins = await propose(false);
    expect(origins.get('vocal range')).toBe('t0');
    expect(origins.has('name 25')).toBe(false);
  });
});
