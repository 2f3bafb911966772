import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IndexMismatchError } from '../../src/errors.js';
import { buildCells, cellCount } from '../../src/retriever/cell-builder.js';
import { CellSearch } from '../../src/retriever/cell-search.js';
import { ExactRetriever } from '../../src/retriever/exact-retriever.js';
import { HnswRetriever } from '../../src/retriever/hnsw-retriever.js';
import { openIndex } from '../../src/retriever/open-index.js';
import type { TableIndex } from '../../src/retriever/table-index.js';
import { HashingEmbedder } from './hashing-embedder.js';
import { build, createContext, createFolder, createTables, createTarget, readFolder } from './retriever-fixture.js';
import { describeTableRetriever } from './table-retriever-conformance.js';

const SIZE = 900;
const TABLES = createTables(SIZE);
const embedder = new HashingEmbedder();
const inCells = { cellsOver: 100 };
const target = createTarget('orchestra', ['founder', 'year'], ['Which orchestra was founded first?']);

let folder: string;
let index: TableIndex;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perturbql-cells-'));
  await build(folder, TABLES, inCells);
  index = await openIndex(folder, embedder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describeTableRetriever('hnsw over cells', () => HnswRetriever.create(index, embedder));
describeTableRetriever('exact next to cells', async () => new ExactRetriever(index, embedder));

async function errorOf(attempt: () => Promise<unknown>): Promise<IndexMismatchError> {
  const error: unknown = await attempt().then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof IndexMismatchError)) throw new Error(`no IndexMismatchError but ${String(error)}`);
  expect(error.fix).toContain('perturbql index build --from');
  return error;
}

/** An index in a folder of its own, whose files a test may damage. */
async function createCells(): Promise<string> {
  const own = await createFolder();
  await build(own, TABLES.slice(0, 300), inCells);
  return own;
}

async function search(own: string): Promise<unknown> {
  const retriever = await HnswRetriever.create(await openIndex(own, embedder), embedder);
  return retriever.retrieve([target], 50, createContext());
}

async function flip(path: string, at: (length: number) => number): Promise<void> {
  const bytes = await readFile(path);
  bytes[at(bytes.length)]! ^= 1;
  await writeFile(path, bytes);
}

describe('an index divided into cells', () => {
  it('holds all tables in order, read on demand', () => {
    expect(index.graph).toBeNull();
    expect(index.cells?.manifest.cells).toBe(cellCount(SIZE));
    expect([...index.tables()]).toEqual(TABLES);
    expect(index.table(SIZE - 1)).toEqual(TABLES[SIZE - 1]);
    expect(() => index.table(SIZE)).toThrow(RangeError);
  });

  it('finds what exact search finds, with the same scores', async () => {
    const exact = await new ExactRetriever(index, embedder).retrieve([target], 50, createContext());
    const found = await (await HnswRetriever.create(index, embedder)).retrieve([target], 50, createContext());
    expect(found).toEqual(exact);
  });

  it('gives the same bytes again, and has no graph', async () => {
    const [one, two] = [await createCells(), await createCells()];
    const files = await readFolder(one);
    expect(await readFolder(two)).toEqual(files);
    expect(Object.keys(files)).toEqual([
      'cells.bin',
      'cells.i8',
      'cells.json',
      'manifest.json',
      'tables.jsonl',
      'vectors.i8',
    ]);
    await rm(join(two, 'cells.bin'));
    await buildCells(two, { signal: new AbortController().signal });
    expect(await readFolder(two)).toEqual(files);
  });

  it('has the fingerprint that the tables have with a graph, but its retriever another', async () => {
    const own = await createFolder();
    await build(own, TABLES);
    const whole = await openIndex(own, embedder);
    expect(whole.fingerprint).toBe(index.fingerprint);
    const [graph, cells] = [await HnswRetriever.create(whole, embedder), await HnswRetriever.create(index, embedder)];
    expect(graph.fingerprint).not.toBe(cells.fingerprint);
  });

  it('reuses its vectors when it grows, and becomes a graph where it shrinks', async () => {
    const own = await createCells();
    expect(await build(own, TABLES.slice(0, 310), inCells)).toMatchObject({
      reused: 300,
      embedded: 10,
      search: 'cells',
    });
    expect(await build(own, TABLES.slice(0, 90), inCells)).toMatchObject({ reused: 90, search: 'graph' });
    expect(Object.keys(await readFolder(own)).filter((name) => name.startsWith('cells'))).toEqual([]);
    expect(await build(own, TABLES.slice(0, 310), inCells)).toMatchObject({ reused: 90, search: 'cells' });
    expect(Object.keys(await readFolder(own)).filter((name) => name.startsWith('hnsw'))).toEqual([]);
  });

  it('embeds again where its vectors are damaged', async () => {
    const own = await createCells();
    await flip(join(own, 'vectors.i8'), (length) => length - 1);
    expect(await build(own, TABLES.slice(0, 300), inCells)).toMatchObject({ reused: 0, embedded: 300 });
  });

  it('reads no more cells than a query needs', async () => {
    const many = await createFolder();
    await build(many, createTables(12_000), inCells);
    const { cells, manifest } = await openIndex(many, embedder);
    const reader = new CellSearch({ folder: many, dimension: manifest.dimension, directory: cells!.directory });
    expect(reader.readTables).toBe(0);
    const query = (await embedder.embed(['museum founder'], new AbortController().signal))[0]!;
    expect(reader.search(query, 10).positions).toHaveLength(200);
    expect(reader.readTables).toBeGreaterThan(9_000);
    expect(reader.readTables).toBeLessThan(12_000);
  });

  it('stops building when it is aborted', async () => {
    const own = await createCells();
    const signal = AbortSignal.abort(new Error('stopped by the test'));
    await expect(buildCells(own, { signal })).rejects.toThrow('stopped by the test');
  });
});

describe('a damaged index that is divided into cells', () => {
  it.each(['cells.bin', 'cells.i8', 'tables.jsonl', 'vectors.i8'])(
    'is refused at opening when %s is cut or missing',
    async (file) => {
      const own = await createCells();
      const path = join(own, file);
      await truncate(path, (await readFile(path)).length - 1);
      expect((await errorOf(() => openIndex(own, embedder))).message).toContain('bytes');
      await rm(path);
      const error = await errorOf(() => openIndex(own, embedder));
      expect(error.message).toContain(`has no ${file}`);
      expect(error.where.file).toBe(path);
    },
  );

  it('is refused at opening when its directory was changed', async () => {
    const own = await createCells();
    await flip(join(own, 'cells.bin'), (length) => length >> 1);
    expect((await errorOf(() => openIndex(own, embedder))).message).toContain('sha256');
  });

  it.each([
    ['cells.i8', /cell \d+ of \d+ is damaged/u],
    ['tables.jsonl', /table \d+ is damaged/u],
  ])('is refused at the search that reads a changed part of %s', async (file, message) => {
    const own = await createCells();
    const path = join(own, file);
    const bytes = await readFile(path);
    for (let at = 3; at < bytes.length; at += 20) bytes[at]! ^= 1;
    await writeFile(path, bytes);
    const error = await errorOf(() => search(own));
    expect(error.message).toMatch(message);
    expect(error.where.file).toBe(path);
  });

  it('is built again over a changed table, to the bytes of a fresh build', async () => {
    const tables = createTables(1100);
    const [own, fresh] = [await createFolder(), await createFolder()];
    for (const each of [own, fresh]) await build(each, tables, inCells);
    await flip(join(own, 'tables.jsonl'), (length) => length - 10);
    // Vectors are taken over by 1,024; the changed table comes after the first of these.
    expect(await build(own, tables, inCells)).toMatchObject({ reused: 1024, embedded: 76 });
    expect(await readFolder(own)).toEqual(await readFolder(fresh));
  });

  it('is refused by exact search when vectors.i8 was changed', async () => {
    const own = await createCells();
    await flip(join(own, 'vectors.i8'), (length) => length >> 1);
    const retriever = new ExactRetriever(await openIndex(own, embedder), embedder);
    expect((await errorOf(() => retriever.retrieve([target], 5, createContext()))).message).toContain('sha256');
  });

  it('is refused when the cells are of other tables, or no cells', async () => {
    const own = await createCells();
    for (const file of ['cells.bin', 'cells.i8', 'cells.json']) {
      await writeFile(join(own, file), await readFile(join(folder, file)));
    }
    expect((await errorOf(() => openIndex(own, embedder))).message).toContain('other tables');
    await writeFile(join(own, 'cells.json'), '{"kind":"perturbql-table-graph"}');
    expect((await errorOf(() => openIndex(own, embedder))).message).toContain('cells.json');
    await writeFile(join(own, 'cells.json'), 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1\n');
    expect((await errorOf(() => openIndex(own, embedder))).message).toContain('LFS');
  });

  it('is searched exactly, with a warning, when it has lost its cells', async () => {
    const own = await createCells();
    await rm(join(own, 'cells.json'));
    const context = createContext();
    const retriever = await HnswRetriever.create(await openIndex(own, embedder), embedder);
    expect((await retriever.retrieve([target], 3, context))[0]).toHaveLength(3);
    expect(context.events.filter(({ kind }) => kind === 'warning')).toHaveLength(1);
  });
});
