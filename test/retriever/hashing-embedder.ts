import { createHash } from 'node:crypto';
import type { TextEmbedder } from '../../src/retriever/text-embedder.js';

function wordVector(word: string, dimension: number): Float64Array {
  const bytes = createHash('sha512').update(word).digest();
  return Float64Array.from({ length: dimension }, (_, place) => (bytes[place % bytes.length]! - 127.5) / 127.5);
}

function embedText(text: string, dimension: number): Float32Array {
  const sum = new Float64Array(dimension);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['(empty)'];
  for (const word of words) wordVector(word, dimension).forEach((value, place) => (sum[place]! += value));
  const norm = Math.hypot(...sum);
  return Float32Array.from(sum, (value) => value / norm);
}

/** A bag of hashed words in place of a model: texts that share words are near each other. */
export class HashingEmbedder implements TextEmbedder {
  readonly fingerprint: string;
  readonly dimension: number;
  readonly model: TextEmbedder['model'];
  /** Texts that were embedded so far. */
  texts = 0;
  /** Called before each batch with the number of texts so far. */
  beforeBatch: (texts: number) => void = () => undefined;

  constructor(dimension = 32, name = 'hashing') {
    this.dimension = dimension;
    this.model = { name, revision: '1', sha256: createHash('sha256').update(name).digest('hex') };
    this.fingerprint = `hashing:${name}:${dimension}`;
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    this.beforeBatch(this.texts);
    signal.throwIfAborted();
    this.texts += texts.length;
    return texts.map((text) => embedText(text, this.dimension));
  }
}
