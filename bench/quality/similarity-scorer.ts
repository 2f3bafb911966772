import { cosine } from '../../src/reranker/phrase-vector.js';
import type { EntailmentPair, EntailmentScore, EntailmentScorer, StageContext } from '../../src/stage.js';

/** What stands in for entailment where names are compared by vectors: a cosine, the same in both directions. */
function asEntailment(value: number): EntailmentScore {
  return { entailment: value, neutral: 0, contradiction: 0, entailmentLogit: value, reading: null };
}

/** Embeds texts as unit vectors; `SentenceEncoder` is one. */
export interface Embedder {
  readonly fingerprint: string;
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

/** The encoder's cosine in the place of entailment; each distinct text is embedded once. */
export class CosineScorer implements EntailmentScorer {
  readonly id = 'cosine';
  readonly fingerprint: string;
  readonly #encoder: Embedder;
  readonly #vectors = new Map<string, Promise<Float32Array>>();

  constructor(encoder: Embedder) {
    this.#encoder = encoder;
    this.fingerprint = encoder.fingerprint;
  }

  async score(pairs: readonly EntailmentPair[], context: StageContext): Promise<readonly EntailmentScore[]> {
    this.#enqueue(new Set(pairs.flatMap(({ premise, hypothesis }) => [premise, hypothesis])), context.signal);
    const vectorOf = (text: string): Promise<Float32Array> => this.#vectors.get(text)!;
    return Promise.all(
      pairs.map(async ({ premise, hypothesis }) =>
        asEntailment(cosine(await vectorOf(premise), await vectorOf(hypothesis))),
      ),
    );
  }

  #enqueue(texts: ReadonlySet<string>, signal: AbortSignal): void {
    const fresh = [...texts].filter((text) => !this.#vectors.has(text));
    if (fresh.length === 0) return;
    const embedded = this.#encoder.embed(fresh, signal);
    fresh.forEach((text, i) =>
      this.#vectors.set(
        text,
        embedded.then((vectors) => vectors[i]!),
      ),
    );
  }
}

/** The word-vector cosine in the place of entailment; -1 where either name has no vector, as the reranker sorts them. */
export class WordVectorScorer implements EntailmentScorer {
  readonly id: string;
  readonly fingerprint: string;
  readonly #similarity: (a: string, b: string) => number | null;

  constructor(ranker: {
    readonly id: string;
    readonly fingerprint: string;
    similarity(a: string, b: string): number | null;
  }) {
    this.id = ranker.id;
    this.fingerprint = ranker.fingerprint;
    this.#similarity = (a, b) => ranker.similarity(a, b);
  }

  score(pairs: readonly EntailmentPair[]): Promise<readonly EntailmentScore[]> {
    return Promise.resolve(
      pairs.map(({ premise, hypothesis }) => asEntailment(this.#similarity(premise, hypothesis) ?? -1)),
    );
  }
}
