import { type FileHandle, open, readdir, readFile, rm } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { formatCount } from '../counts.js';
import { ConfigError, IndexMismatchError, InputFormatError, NativeModuleError, RunFolderError } from '../errors.js';
import type { CorpusTable } from '../stage.js';
import type { CorpusFilter, SkippedCount } from './corpus-filter.js';
import type { CorpusReader } from './corpus-reader.js';
import { commitFile, writeDurably } from '../run/durable-file.js';
import type { RunManifest } from '../run/run-folder.js';
import { buildCells, CELLS_OVER } from './cell-builder.js';
import { buildGraph, type LoadHnsw } from './hnsw-graph.js';
import { absorbShards, forgetShards, isOfShards, openVectorJournal } from './index-shard.js';
import { describeFile, INDEX_FILES, INDEX_KIND, INDEX_VERSION, type IndexManifest } from './index-manifest.js';
import { openIndex } from './open-index.js';
import { renderCorpusTable, TABLE_CONTEXT_VERSION } from './table-context.js';
import { embedChecked, type TextEmbedder } from './text-embedder.js';
import { readLines } from './text-stream.js';
import type { VectorJournal } from './vector-journal.js';
import { quantize } from './vector-table.js';
import { itemAt, zip } from '../present.js';
import { makeFolder } from '../run/output-place.js';
import { releaseLock, takeLock } from '../run/process-lock.js';

const LOCK = 'build.lock';
/** Vectors computed so far by an unfinished build. */
const JOURNAL = 'vectors.journal';

/** Entries permitted in the folder of a first build: an unfinished build, the corpus, and papers about it. */
const EXPECTED = new Set<string>([JOURNAL, 'corpus', 'README.md', 'LICENSE', 'LICENSE.md']);
const OWN_FILES = new Set<string>(Object.values(INDEX_FILES));

function isExpected(name: string): boolean {
  return (
    EXPECTED.has(name) ||
    name === LOCK ||
    name.startsWith(`${LOCK}.`) ||
    name.startsWith('.') ||
    isOfShards(name) ||
    (name.endsWith('.tmp') && OWN_FILES.has(name.slice(0, -4)))
  );
}

async function holdsIndex(folder: string): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, INDEX_FILES.manifest), 'utf8')) as unknown;
    return typeof manifest === 'object' && manifest !== null && 'kind' in manifest && manifest.kind === INDEX_KIND;
  } catch {
    return false;
  }
}

/** True where a build was killed after it had begun to put its files in place. */
function isUnfinished(names: readonly string[]): boolean {
  return names.includes(JOURNAL) && names.every((name) => isExpected(name) || OWN_FILES.has(name));
}

async function refuseOtherContent(folder: string): Promise<void> {
  const names = await readdir(folder);
  const other = names.find((name) => !isExpected(name));
  if (other === undefined || isUnfinished(names) || (await holdsIndex(folder))) return;
  throw new ConfigError(`the folder holds something else than an index: ${other}`, {
    fix: 'Name an empty or new folder for the index.',
    where: { file: folder },
  });
}

function lock(folder: string): void {
  const path = join(folder, LOCK);
  const owner = takeLock(path);
  if (owner === null) return;
  throw new RunFolderError(`process ${owner} is building an index there`, {
    fix: `Wait for it, or name another folder. If no such build runs, delete ${path}.`,
    where: { file: folder },
  });
}

/**
 * Makes a folder ready for a build and keeps others out until `release` is called; the lock of a dead process is
 * taken over.
 * @throws ConfigError when the folder holds anything but an index, an unfinished one, or a `corpus` folder.
 * @throws RunFolderError when another process builds there.
 */
async function claimIndexFolder(folder: string): Promise<{ release(): void }> {
  makeFolder(folder);
  await refuseOtherContent(folder);
  lock(folder);
  return { release: () => releaseLock(join(folder, LOCK)) };
}

const BATCH_SIZE = 32;
const CELL_FILES = [INDEX_FILES.cells, INDEX_FILES.cellVectors] as const;

/** Where a build is: `total` is null while the corpus is read, since its length is not known; `graph` may be cells. */
export interface BuildProgress {
  readonly step: 'read' | 'embed' | 'graph';
  readonly done: number;
  readonly total: number | null;
}

export interface BuildOptions {
  readonly corpus: CorpusReader;
  /** Folder of the index; created where missing. */
  readonly folder: string;
  readonly embedder: TextEmbedder;
  /** A new filter: it remembers the tables that it has seen. */
  readonly filter: CorpusFilter;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: BuildProgress) => void;
  /** Indexes of more tables are divided into cells, smaller ones get a graph; 20,000 unless given. */
  readonly cellsOver?: number;
  /** The manifest of shards whose vectors may have been merged into the folder. */
  readonly manifest?: () => Omit<RunManifest, 'complete'>;
  /** In place of the native module, for tests. */
  readonly load?: LoadHnsw;
}

export interface BuildReport {
  readonly manifest: IndexManifest;
  /** Tables left out, by reason, with the first places. */
  readonly skipped: Readonly<Record<string, SkippedCount>>;
  /** Vectors computed in this run, and taken from an earlier one. */
  readonly embedded: number;
  readonly reused: number;
  /** The way to search the index; exactly if it needs a graph and hnswlib-node is missing. */
  readonly search: 'graph' | 'cells' | 'exact';
}

interface Item {
  readonly text: string;
  readonly vector: Int8Array | null;
}

/** One build: corpus → kept tables → vectors → files in place → graph. */
class IndexBuild {
  readonly #options: BuildOptions;
  readonly #journal: VectorJournal;
  readonly #ids = new Set<string>();
  #count = 0;
  #embedded = 0;
  #done = 0;

  constructor(options: BuildOptions, journal: VectorJournal) {
    this.#options = options;
    this.#journal = journal;
  }

  async run(): Promise<BuildReport> {
    await this.#reuseFormerVectors();
    await this.#writeTables();
    await this.#writeVectors();
    const manifest = await this.#commit();
    const search = await this.#prepareSearch();
    const { skipped } = this.#options.filter;
    return { manifest, skipped, embedded: this.#embedded, reused: this.#count - this.#embedded, search };
  }

  #path(file: string): string {
    return join(this.#options.folder, file);
  }

  #report(step: BuildProgress['step'], done: number, total: number | null): void {
    this.#options.onProgress?.({ step, done, total });
  }

  /** Takes over the vectors of a sound index of the same encoder, so that a grown corpus costs only its new tables. */
  async #reuseFormerVectors(): Promise<void> {
    if (this.#journal.size > 0) return;
    const former = await openIndex(this.#options.folder, this.#options.embedder).catch(() => null);
    const vectors = await former?.vectors().catch(() => null);
    if (former === null || vectors === null || vectors === undefined) return;
    try {
      for (let first = 0; first < former.size; first += 1024) {
        const positions = Array.from({ length: Math.min(1024, former.size - first) }, (_, offset) => first + offset);
        await this.#journal.append(
          positions.map((position) => ({
            text: renderCorpusTable(former.table(position)),
            vector: vectors.stored(position),
          })),
        );
      }
    } catch (error) {
      // An index in cells is checked as it is read: from its damaged part on, vectors are computed again.
      if (!(error instanceof IndexMismatchError)) throw error;
    }
  }

  async #writeTables(): Promise<void> {
    const { corpus, filter, signal } = this.#options;
    const file = await open(this.#path(`${INDEX_FILES.tables}.tmp`), 'w');
    try {
      let read = 0;
      let lines: string[] = [];
      for await (const entry of corpus.read(signal)) {
        signal.throwIfAborted();
        const table = filter.keep(entry);
        if (table !== null) lines.push(this.#renderLine(table));
        if (++read % 256 !== 0) continue;
        this.#report('read', read, null);
        await file.appendFile(lines.join(''));
        lines = [];
      }
      await file.appendFile(lines.join(''));
      this.#report('read', read, read);
    } finally {
      await file.close();
    }
    if (this.#count === 0) throw this.#emptyError();
  }

  #renderLine(table: CorpusTable): string {
    this.#count++;
    const { title, columns, types, rows } = table;
    return `${JSON.stringify({ id: this.#uniqueId(table.id), title, columns, types, rows })}\n`;
  }

  /** Ids order equal scores, so they must be unique even where files of a corpus use the same ones. */
  #uniqueId(id: string): string {
    let unique = id;
    for (let number = 2; this.#ids.has(unique); number++) unique = `${id}~${number}`;
    this.#ids.add(unique);
    return unique;
  }

  #emptyError(): InputFormatError {
    const reasons = Object.entries(this.#options.filter.skipped).map(
      ([reason, { count }]) => `${reason}: ${formatCount(count)}`,
    );
    const why = reasons.length === 0 ? 'it holds no table' : reasons.join(', ');
    return new InputFormatError(`no table of the corpus can be used (${why})`, {
      fix: 'Name a corpus of English tables with headers, or change the limits on their columns.',
      where: { file: this.#options.corpus.name },
    });
  }

  async #writeVectors(): Promise<void> {
    const file = await open(this.#path(`${INDEX_FILES.vectors}.tmp`), 'w');
    try {
      let batch: Item[] = [];
      for await (const line of readLines(createReadStream(this.#path(`${INDEX_FILES.tables}.tmp`)))) {
        const text = renderCorpusTable(JSON.parse(line ?? '') as CorpusTable);
        batch.push({ text, vector: await this.#journal.find(text) });
        if (batch.length < BATCH_SIZE) continue;
        await this.#writeBatch(file, batch);
        batch = [];
      }
      await this.#writeBatch(file, batch);
    } finally {
      await file.close();
    }
  }

  async #writeBatch(file: FileHandle, batch: readonly Item[]): Promise<void> {
    this.#options.signal.throwIfAborted();
    const missing = batch.filter((item) => item.vector === null).map((item) => item.text);
    const vectors = await embedChecked(this.#options.embedder, missing, this.#options.signal);
    const fresh = vectors.map(quantize);
    if (missing.length > 0) {
      await this.#journal.append(zip(missing, fresh).map(([text, vector]) => ({ text, vector })));
    }
    this.#embedded += missing.length;
    let next = 0;
    const inOrder = batch.map((item) => item.vector ?? itemAt(fresh, next++));
    const bytes = inOrder.map(({ buffer, byteOffset, length }) => new Uint8Array(buffer, byteOffset, length));
    await file.appendFile(Buffer.concat(bytes));
    this.#done += batch.length;
    this.#report('embed', this.#done, this.#count);
  }

  async #commit(): Promise<IndexManifest> {
    const { embedder, filter, folder } = this.#options;
    const { name, revision, sha256 } = embedder.model;
    const describe = (file: string) => describeFile(join(folder, `${file}.tmp`));
    const manifest: IndexManifest = {
      kind: INDEX_KIND,
      version: INDEX_VERSION,
      encoder: { name, revision, sha256 },
      contextVersion: TABLE_CONTEXT_VERSION,
      dimension: embedder.dimension,
      count: this.#count,
      columns: { min: filter.minColumns, max: filter.maxColumns },
      files: {
        [INDEX_FILES.tables]: await describe(INDEX_FILES.tables),
        [INDEX_FILES.vectors]: await describe(INDEX_FILES.vectors),
      },
      skipped: Object.fromEntries(Object.entries(filter.skipped).map(([reason, { count }]) => [reason, count])),
    };
    await this.#putInPlace(manifest);
    return manifest;
  }

  /** The manifest comes last: a build killed in between leaves files that disagree with it, which opening reports. */
  async #putInPlace(manifest: IndexManifest): Promise<void> {
    for (const file of [INDEX_FILES.graphManifest, INDEX_FILES.cellManifest])
      await rm(this.#path(file), { force: true });
    for (const file of [INDEX_FILES.tables, INDEX_FILES.vectors])
      commitFile(this.#path(`${file}.tmp`), this.#path(file));
    writeDurably(this.#path(INDEX_FILES.manifest), `${JSON.stringify(manifest, null, 2)}\n`);
  }

  async #prepareSearch(): Promise<BuildReport['search']> {
    const { folder, signal, cellsOver = CELLS_OVER } = this.#options;
    if (this.#count <= cellsOver) {
      for (const file of CELL_FILES) await rm(this.#path(file), { force: true });
      return this.#tryGraph();
    }
    await rm(this.#path(INDEX_FILES.graph), { force: true });
    await buildCells(folder, { signal, onProgress: (done, total) => this.#report('graph', done, total) });
    return 'cells';
  }

  async #tryGraph(): Promise<'graph' | 'exact'> {
    const { folder, signal, load } = this.#options;
    const onProgress = (done: number, total: number): void => this.#report('graph', done, total);
    try {
      await buildGraph(folder, { signal, onProgress, ...(load === undefined ? {} : { load }) });
      return 'graph';
    } catch (error) {
      if (!(error instanceof NativeModuleError)) throw error;
      await rm(this.#path(INDEX_FILES.graph), { force: true });
      return 'exact';
    }
  }
}

/**
 * Builds an index folder from a corpus: `tables.jsonl`, `vectors.i8`, `manifest.json`, and the graph (`hnsw.*`) or, of
 * more than 20,000 tables, the cells (`cells.*`). The same corpus, encoder and limits give the same bytes on one kind
 * of machine. A build that was killed goes on with the vectors it had when it is called again, and gives the same bytes
 * as an uninterrupted one.
 * @throws ConfigError when the folder holds something else.
 * @throws RunFolderError when another process builds there, or shards of another index were merged there.
 * @throws InputFormatError when no table of the corpus is kept, or a single corpus file is broken.
 * @throws ModelFileError when the encoder returns a vector that is none.
 */
export async function buildIndex(options: BuildOptions): Promise<BuildReport> {
  options.signal.throwIfAborted();
  const claim = await claimIndexFolder(options.folder);
  try {
    const path = join(options.folder, JOURNAL);
    const journal = await openVectorJournal(path, options.embedder);
    try {
      await absorbShards(options.folder, journal, options.manifest);
      const report = await new IndexBuild(options, journal).run();
      forgetShards(options.folder);
      await rm(path);
      return report;
    } finally {
      await journal.close();
    }
  } finally {
    claim.release();
  }
}
