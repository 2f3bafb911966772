import { join } from 'node:path';
import { defaultCacheFolder } from './cache-folder.js';
import { openCache, RowCache, type RowLayout } from './row-cache.js';
import { sha256Of } from './sha256.js';
import type { ShardOption } from './shard.js';

const VECTORS: RowLayout = { what: 'vectors', table: 'vector', columns: ['vector BLOB NOT NULL'] };

interface VectorRow {
  readonly vector: Buffer;
}

/** An own copy: a buffer that SQLite gives may begin where no float32 can. */
function vectorOf({ vector }: VectorRow): Float32Array {
  return new Float32Array(Uint8Array.from(vector).buffer);
}

function rowOf(vector: Float32Array): readonly Buffer[] {
  return [Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)];
}

/** Vectors of texts on disk, float32 to the bit; an encoder or device with another fingerprint has a file of its own. */
export type VectorCache = RowCache<VectorRow, Float32Array>;

interface CachedRun extends ShardOption {
  /** Undefined = the platform's cache folder. */
  readonly cacheFolder?: string | undefined;
}

/**
 * Opens the vectors of an encoder, as `openCache`; null for a shard, as SQLite's locks do not hold on every network file
 * system. @throws as `openCache`
 */
export function openVectorCache(
  { shard, cacheFolder }: CachedRun,
  encoderFingerprint: string,
  warn: (message: string) => void,
): VectorCache | null {
  if (shard != null) return null;
  const file = `vectors-1-${sha256Of(encoderFingerprint).slice(0, 16)}.sqlite`;
  const open = (folder: string): VectorCache =>
    new RowCache(join(folder, file), VECTORS, { decode: vectorOf, encode: rowOf, warn });
  return openCache(VECTORS.what, cacheFolder ?? defaultCacheFolder(), warn, open);
}
