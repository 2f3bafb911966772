import { ModelFileError } from '../errors.js';

/** The part of a table-context encoder that the retriever needs; `src/inference` implements it. */
export interface TextEmbedder {
  /** Name, settings and weights: part of the cache key of whatever was computed with it. */
  readonly fingerprint: string;
  /** Length of every vector. */
  readonly dimension: number;
  readonly model: { readonly name: string; readonly revision: string; readonly sha256: string };
  /**
   * One unit vector (float32, `[dimension]`) per text, in input order. A text's vector must not depend on its
   * neighbors in the batch: resumed builds and single queries rely on it.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
  /** As `embed`, for queries, where the encoder has a tower of its own for them. */
  embedQueries?(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

function faultOf(vector: Float32Array | undefined, dimension: number): string | null {
  if (vector === undefined) return 'no vector';
  if (vector.length !== dimension) return `a vector of ${vector.length} instead of ${dimension} dimensions`;
  if (!vector.every((value) => Number.isFinite(value))) return 'a vector with NaN or infinity';
  return vector.some((value) => value !== 0) ? null : 'a vector of zeros';
}

/** Embeds queries, as `embedChecked` does tables. @throws ModelFileError as that. */
export function embedQueriesChecked(
  embedder: TextEmbedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const embed = embedder.embedQueries?.bind(embedder) ?? embedder.embed.bind(embedder);
  const { fingerprint, dimension, model } = embedder;
  return embedChecked({ fingerprint, dimension, model, embed }, texts, signal);
}

/**
 * Embeds texts and checks what came back; hnswlib would take NaN, zeros and wrong lengths without a word.
 * @throws ModelFileError when a vector is missing, of another dimension, not finite or zero.
 */
export async function embedChecked(
  embedder: TextEmbedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const vectors = texts.length === 0 ? [] : await embedder.embed(texts, signal);
  signal.throwIfAborted();
  for (const [position, text] of texts.entries()) {
    const fault = faultOf(vectors[position], embedder.dimension);
    if (fault === null) continue;
    throw new ModelFileError(`the encoder ${embedder.model.name} returned ${fault} for "${text.slice(0, 80)}"`, {
      fix: 'Check the model files with `perturbql doctor`.',
    });
  }
  return vectors;
}
