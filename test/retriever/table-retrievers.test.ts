import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NativeModuleError } from '../../src/errors.js';
import { Bm25Retriever } from '../../src/retriever/bm25-retriever.js';
import { ExactRetriever } from '../../src/retriever/exact-retriever.js';
import { HnswRetriever } from '../../src/retriever/hnsw-retriever.js';
import { openIndex } from '../../src/retriever/open-index.js';
import type { TableIndex } from '../../src/retriever/table-index.js';
import { HashingEmbedder } from './hashing-embedder.js';
import { build, createContext, createFolder, createTables, createTarget } from './retriever-fixture.js';
import { describeTableRetriever } from './table-retriever-conformance.js';

/** Over the search's breadth of 200, so that the graph is used and not the exact search for small indexes. */
const SIZE = 900;
const embedder = new HashingEmbedder();
const missingModule = (): Promise<never> =>
  Promise.reject(new NativeModuleError('hnswlib-node can not be loaded', { fix: 'Rebuild it.' }));

let folder: string;
let index: TableIndex;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perturbql-retrievers-'));
  await build(folder, createTables(SIZE));
  index = await openIndex(folder, embedder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describeTableRetriever('exact', async () => new ExactRetriever(index, embedder));
describeTableRetriever('hnsw', () => HnswRetriever.create(index, embedder));
describeTableRetriever('hnsw without its native module', () => HnswRetriever.create(index, embedder, missingModule));
describeTableRetriever('bm25', async () => new Bm25Retriever(index));

const target = createTarget('orchestra', ['founder', 'year'], ['Which orchestra was founded first?']);

describe('HnswRetriever', () => {
  it('finds what exact search finds, with the same scores', async () => {
    const exact = await new ExactRetriever(index, embedder).retrieve([target], 50, createContext());
    const approximate = await (await HnswRetriever.create(index, embedder)).retrieve([target], 50, createContext());
    const scores = new Map(exact[0]!.map(({ table, score }) => [table.id, score]));
    const found = approximate[0]!.filter(({ table, score }) => scores.get(table.id) === score);
    expect(found.length).toBeGreaterThanOrEqual(48);
  });

  it('searches exactly with one warning where the native module is missing', async () => {
    const retriever = await HnswRetriever.create(index, embedder, missingModule);
    const context = createContext();
    const results = await retriever.retrieve([target], 20, context);
    await retriever.retrieve([target], 20, context);
    expect(results).toEqual(await new ExactRetriever(index, embedder).retrieve([target], 20, createContext()));
    const warnings = context.events.filter((event) => event.kind === 'warning');
    expect(warnings).toEqual([{ kind: 'warning', message: expect.stringContaining('hnswlib-node') as string }]);
    expect(retriever.fingerprint).not.toBe((await HnswRetriever.create(index, embedder)).fingerprint);
  });

  it('searches exactly with a warning where the index has no graph', async () => {
    const other = await createFolder();
    const report = await build(other, createTables(30), { load: missingModule });
    expect(report.search).toBe('exact');
    const context = createContext();
    const retriever = await HnswRetriever.create(await openIndex(other, embedder), embedder);
    expect((await retriever.retrieve([target], 3, context))[0]).toHaveLength(3);
    expect(context.events).toContainEqual({
      kind: 'warning',
      message: expect.stringContaining('perturbql index build') as string,
    });
  });
});

describe('Bm25Retriever', () => {
  it('leaves out tables that share no word with the query', async () => {
    const [found] = await new Bm25Retriever(index).retrieve(
      [{ ...createTarget('', [], ['xylophone']), dbId: '' }],
      10,
      createContext(),
    );
    expect(found).toEqual([]);
  });
});

describe('a broken encoder', () => {
  it.each([
    ['NaN', new Float32Array(32).fill(NaN)],
    ['zeros', new Float32Array(32)],
    ['31 instead of 32', new Float32Array(31).fill(0.1)],
  ])('is an error that says %s', async (words, vector) => {
    const broken = {
      ...embedder,
      dimension: 32,
      fingerprint: 'broken',
      model: embedder.model,
      embed: async () => [vector],
    };
    const retriever = new ExactRetriever(index, broken);
    await expect(retriever.retrieve([target], 3, createContext())).rejects.toThrow(words);
  });
});
