import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { HierarchicalNSW } from 'hnswlib-node';
import { NativeModuleError } from '../errors.js';
import { commitFile, writeDurably } from '../run/durable-file.js';
import {
  checkIndexFile,
  describeFile,
  GRAPH_KIND,
  INDEX_FILES,
  INDEX_VERSION,
  readIndexManifest,
  type GraphManifest,
} from './index-manifest.js';
import { VectorTable } from './vector-table.js';

/** hnswlib's defaults, after Malkov & Yashunin 2018; recall@100 was 1.0 at ef 200 on the shared tables. */
const GRAPH_SETTINGS = { space: 'ip', m: 16, efConstruction: 200, seed: 100 } as const;

const INSERTS_PER_TURN = 256;

/** The native module, or a part of it that tests put in its place. */
export interface HnswModule {
  readonly HierarchicalNSW: typeof HierarchicalNSW;
}
export type LoadHnsw = () => Promise<HnswModule>;

/**
 * Loads hnswlib-node, which is compiled at installation.
 * @throws NativeModuleError when it is missing or does not load.
 */
export async function loadHnsw(): Promise<HnswModule> {
  try {
    return (await import('hnswlib-node')).default;
  } catch (cause) {
    const fix = 'Run `npm install hnswlib-node`, which takes a C++ compiler, make and Python 3.';
    throw new NativeModuleError('hnswlib-node can not be loaded', { fix, cause });
  }
}

async function insertAll(
  graph: HierarchicalNSW,
  vectors: VectorTable,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const { m, efConstruction, seed } = GRAPH_SETTINGS;
  graph.initIndex(vectors.size, m, efConstruction, seed);
  for (let position = 0; position < vectors.size; position++) {
    if (position % INSERTS_PER_TURN === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      onProgress(position, vectors.size);
    }
    graph.addPoint(vectors.unit(position), position);
  }
  onProgress(vectors.size, vectors.size);
}

export interface GraphOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  readonly load?: LoadHnsw;
}

/**
 * Builds `hnsw.bin` and `hnsw.json` of an index folder from its vectors; needs no encoder, about 1 s per 1,700 tables.
 * Inserted by one thread in table order with a fixed seed, so the same vectors give the same bytes on the same machine.
 *
 * The graph is derived and not checked in: it is three times as large as the vectors, tied to the machine's word
 * size, and rounding differs between processors, whereas tables and vectors are the same bytes everywhere. `prepare`
 * calls this for the starter index.
 * @throws IndexMismatchError when the folder is no sound index.
 * @throws NativeModuleError when hnswlib-node can not be loaded.
 */
export async function buildGraph(folder: string, options: GraphOptions): Promise<GraphManifest> {
  const manifest = await readIndexManifest(folder);
  const source = manifest.files[INDEX_FILES.vectors];
  await checkIndexFile(folder, INDEX_FILES.vectors, source);
  const { HierarchicalNSW } = await (options.load ?? loadHnsw)();
  const vectors = new VectorTable(await readFile(join(folder, INDEX_FILES.vectors)), manifest.dimension);
  const graph = new HierarchicalNSW(GRAPH_SETTINGS.space, manifest.dimension);
  await insertAll(graph, vectors, options.signal, options.onProgress ?? (() => undefined));
  const path = join(folder, INDEX_FILES.graph);
  await graph.writeIndex(`${path}.tmp`);
  await rm(join(folder, INDEX_FILES.graphManifest), { force: true });
  commitFile(`${path}.tmp`, path);
  return writeGraphManifest(folder, source.sha256);
}

async function writeGraphManifest(folder: string, vectorsSha256: string): Promise<GraphManifest> {
  const files = { [INDEX_FILES.graph]: await describeFile(join(folder, INDEX_FILES.graph)) };
  const manifest: GraphManifest = { kind: GRAPH_KIND, version: INDEX_VERSION, ...GRAPH_SETTINGS, vectorsSha256, files };
  writeDurably(join(folder, INDEX_FILES.graphManifest), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** Reads a graph whose file was checked against its manifest. @throws NativeModuleError as `loadHnsw` does. */
export async function readGraph(path: string, dimension: number, load: LoadHnsw): Promise<HierarchicalNSW> {
  const { HierarchicalNSW } = await load();
  const graph = new HierarchicalNSW(GRAPH_SETTINGS.space, dimension);
  await graph.readIndex(path);
  return graph;
}
