import { sha256Of } from './sha256.js';
import type { ShardOption } from './shard.js';
import { type ExchangedValues, KEY_BYTES, openShardExchange } from './shard-exchange.js';

/** Vectors in a file, 1.5 kB each: those of a few tables. */
const PUBLISH_EVERY = 128;

/** Vectors of an encoder as shards exchange them: float32, to the bit. */
function exchangedVectors(fingerprint: string, dimension: number): ExchangedValues<Float32Array> {
  return {
    name: `vectors-${sha256Of(fingerprint).slice(0, 16)}`,
    bytes: dimension * Float32Array.BYTES_PER_ELEMENT,
    publishEvery: PUBLISH_EVERY,
    encode: ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
    decode: (bytes) => new Float32Array(Uint8Array.from(bytes).buffer),
  };
}

const keyOf = (text: string): Buffer => Buffer.from(sha256Of(text), 'hex').subarray(0, KEY_BYTES);

/** The texts' vectors that the shards of a run give one another; null where this is no shard, or there are no others. */
export function openShardVectors(
  { out, shard }: ShardOption & { readonly out: string },
  { fingerprint, dimension }: { readonly fingerprint: string; readonly dimension: number },
  warn: (message: string) => void,
): { get(text: string): Float32Array | null; put(text: string, vector: Float32Array): void; close(): void } | null {
  if (shard == null) return null;
  const exchange = openShardExchange({ out, shard }, exchangedVectors(fingerprint, dimension), warn);
  if (exchange === null) return null;
  return {
    get: (text) => exchange.get(keyOf(text)),
    put: (text, vector) => exchange.put(keyOf(text), vector),
    close: () => exchange.close(),
  };
}
