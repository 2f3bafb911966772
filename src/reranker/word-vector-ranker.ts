import type { Candidate, CandidateRanker, RetrievedColumn, StageContext } from '../stage.js';
import { compareText } from '../present.js';
import { memoize } from '../schema/memoize.js';
import { columnNameKey, spacedName } from '../schema/name-identity.js';
import { cosine, phraseVector } from './phrase-vector.js';
import { nearestTerms, type NearTerm } from './nearest-terms.js';
import type { VectorFile } from './vector-file.js';

/** ADVETA §4.2: the top 20 similar columns are kept per target column. */
export const KEPT_CANDIDATES = 20;

/** Raised when ranking changes for the same vectors. */
const RANKER_VERSION = 1;

/** Names longer than this are no column names; they are looked up by their beginning, so that time stays bounded. */
const LONGEST_NAME = 300;

interface Target {
  readonly name: string;
  readonly retrieved: readonly RetrievedColumn[];
}

/** Most similar first, those without a vector last; equal ones by name. */
function compareCandidates(a: Candidate, b: Candidate): number {
  const bySimilarity = (b.similarity ?? -2) - (a.similarity ?? -2);
  return bySimilarity === 0 ? compareText(a.name, b.name) : bySimilarity;
}

/**
 * Ranks retrieved columns by the cosine of their word vectors with the target's name (ADVETA §4.2, the Numberbatch reranker).
 *
 * Names that differ by case, spaces, underscores, punctuation or plural count once: the most similar form is kept, with the
 * origin that was retrieved first. The target's own name is left out. Candidates are named in natural words, lower case.
 *
 * @example
 * ranker.similarity('country', 'nation'); // 0.91…
 */
export class WordVectorRanker implements CandidateRanker {
  readonly id: string;
  readonly fingerprint: string;
  readonly #vectors: VectorFile;
  readonly #vector: (name: string) => Float32Array | null;

  constructor(vectors: VectorFile) {
    this.#vectors = vectors;
    this.#vector = memoize((name) => phraseVector(vectors, name.slice(0, LONGEST_NAME)));
    this.id = vectors.name;
    this.fingerprint = `word-vectors-${RANKER_VERSION}:${vectors.header.sha256}`;
  }

  async rank(
    targets: readonly Target[],
    keep: number,
    context: StageContext,
  ): Promise<readonly (readonly Candidate[])[]> {
    const ranked = targets.map((target) => {
      context.signal.throwIfAborted();
      return this.#rankOne(target, keep);
    });
    const unknown = targets.filter(({ name }) => this.#vector(name) === null).length;
    if (unknown > 0) context.emit({ kind: 'count', name: 'reranker.targets-without-vector', by: unknown });
    return ranked;
  }

  similarity(a: string, b: string): number | null {
    const first = this.#vector(a);
    const second = this.#vector(b);
    return first === null || second === null ? null : cosine(first, second);
  }

  /**
   * The `k` terms of the vocabulary nearest to a name, most similar first, without the name itself and with one form of
   * each word; empty when the name has no vector. Linear in the vocabulary: about 10 ms for 60k × 100.
   */
  nearestTerms(name: string, k: number): readonly NearTerm[] {
    const vector = this.#vector(name);
    return vector === null ? [] : nearestTerms(this.#vectors, vector, k, [columnNameKey(name)]);
  }

  /** How common a single word is, 0 for the most frequent; null when unknown: see {@link VectorFile.frequencyRank}. */
  frequencyRank(word: string): number | null {
    return this.#vectors.frequencyRank(word);
  }

  #rankOne(target: Target, keep: number): Candidate[] {
    const own = columnNameKey(target.name);
    const best = new Map<string, Candidate>();
    for (const { name: written, origin } of target.retrieved) {
      const key = columnNameKey(written);
      if (key === '' || key === own) continue;
      const similarity = this.similarity(target.name, written);
      const candidate: Candidate = { name: spacedName(written), source: 'retrieval', origin, similarity };
      const kept = best.get(key);
      // Strictly better only: of equal ones the first retrieved has the better origin.
      if (kept === undefined || compareCandidates(candidate, kept) < 0) best.set(key, candidate);
    }
    return [...best.values()].sort(compareCandidates).slice(0, keep);
  }
}
