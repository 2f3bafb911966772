import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SentenceEncoder } from '../../src/inference/sentence-encoder.js';
import { sha256Of } from '../../src/run/sha256.js';

const TEXTS_PER_CALL = 256;

/**
 * Vectors of texts by the real encoder, `[texts, dimension]`, kept in `folder` under the hash of encoder and texts, since
 * they take minutes.
 */
export async function embedCached(
  folder: string,
  texts: readonly string[],
  encoder: SentenceEncoder,
): Promise<Float32Array> {
  const key = sha256Of(JSON.stringify([encoder.fingerprint, texts])).slice(0, 16);
  const file = join(folder, `vectors-${key}.f32`);
  if (!existsSync(file)) {
    const vectors = await embedAll(texts, encoder);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, new Uint8Array(vectors.buffer));
  }
  const bytes = readFileSync(file);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** Vectors of texts, `[texts, dimension]`. */
export async function embedAll(texts: readonly string[], encoder: SentenceEncoder): Promise<Float32Array> {
  const { signal } = new AbortController();
  const vectors = new Float32Array(texts.length * encoder.dimension);
  for (let first = 0; first < texts.length; first += TEXTS_PER_CALL) {
    const part = await encoder.embed(texts.slice(first, first + TEXTS_PER_CALL), signal);
    for (const [i, vector] of part.entries()) vectors.set(vector, (first + i) * encoder.dimension);
  }
  return vectors;
}
