import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL as ITEMS, MANIFEST, RunFolder, type RunManifest } from '../run/run-folder.js';
import { isOwn, type Shard } from '../run/shard.js';
import type { CorpusFilter } from './corpus-filter.js';
import type { CorpusReader } from './corpus-reader.js';
import { renderCorpusTable, TABLE_CONTEXT_VERSION } from './table-context.js';
import { embedChecked, type TextEmbedder } from './text-embedder.js';
import { VectorJournal } from './vector-journal.js';
import { quantize } from './vector-table.js';
import { zip } from '../present.js';

const BATCH_SIZE = 32;
const SHARD_VECTORS = /^vectors-\d+-of-\d+\.journal$/;

/** Checks if an entry of an index folder comes from shards that were merged there. */
export function isOfShards(name: string): boolean {
  return name === MANIFEST || name === ITEMS || SHARD_VECTORS.test(name);
}

/** Opens the journal of vectors that were computed for an index. */
export function openVectorJournal(path: string, embedder: TextEmbedder): Promise<VectorJournal> {
  return VectorJournal.open(path, embedder.dimension, `${embedder.fingerprint}:${TABLE_CONTEXT_VERSION}`);
}

interface IndexShardOptions {
  readonly corpus: CorpusReader;
  /** Folder of the shard. */
  readonly folder: string;
  readonly embedder: TextEmbedder;
  readonly filter: CorpusFilter;
  readonly signal: AbortSignal;
  readonly shard: Shard;
  /** The inputs that the index is made from. */
  readonly manifest: Omit<RunManifest, 'complete'>;
  readonly onProgress?: (embedded: number) => void;
}

/**
 * Computes the vectors of a shard's tables, by the hash of their texts. All shards read the whole corpus, as a filter
 * leaves out tables that it has seen before.
 * @throws ShardFinished when they are all there; RunFolderError, InputFormatError or ModelFileError as `buildIndex`
 */
export async function embedShard(options: IndexShardOptions): Promise<void> {
  const { corpus, folder: path, embedder, filter, signal, shard, manifest, onProgress } = options;
  const folder = RunFolder.open<never>(path, manifest, shard);
  try {
    const journal = await openVectorJournal(join(path, `vectors-${shard.index}-of-${shard.count}.journal`), embedder);
    try {
      const batch = new Set<string>();
      const write = async (): Promise<void> => {
        const texts = [...batch];
        batch.clear();
        const vectors = await embedChecked(embedder, texts, signal);
        await journal.append(zip(texts, vectors).map(([text, vector]) => ({ text, vector: quantize(vector) })));
        onProgress?.(journal.size);
      };
      for await (const entry of corpus.read(signal)) {
        signal.throwIfAborted();
        const table = filter.keep(entry);
        if (table === null) continue;
        const text = renderCorpusTable(table);
        if (!isOwn(shard, text) || batch.has(text) || (await journal.find(text)) !== null) continue;
        if (batch.add(text).size >= BATCH_SIZE) await write();
      }
      await write();
    } finally {
      await journal.close();
    }
    folder.endShard();
  } finally {
    folder.close();
  }
}

/**
 * Takes over the vectors of shards that were merged into a folder.
 * @throws RunFolderError where they were made of another corpus, encoder or settings
 */
export async function absorbShards(
  folder: string,
  journal: VectorJournal,
  manifest: (() => Omit<RunManifest, 'complete'>) | undefined,
): Promise<void> {
  if (manifest === undefined || !existsSync(join(folder, MANIFEST))) return;
  RunFolder.preview(folder, manifest());
  for (const name of readdirSync(folder)) if (SHARD_VECTORS.test(name)) await journal.absorb(join(folder, name));
}

/** Removes what came from shards: an index does not say how it was made. */
export function forgetShards(folder: string): void {
  for (const name of readdirSync(folder)) if (isOfShards(name)) rmSync(join(folder, name));
}
