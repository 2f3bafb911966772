import { getOrMake } from '../present.js';
import type { Candidate, CandidateSource, StageContext, TargetColumn } from '../stage.js';
import type { WordVectorRanker } from './word-vector-ranker.js';

/** ADVETA appendix D (W2V): RPL is drawn from the nearest 15 terms, ADD from the nearest 15 to 50. */
const W2V_ADD_TERMS = 50;

/**
 * Proposes the terms of the embedding vocabulary that are nearest to each column's name, most similar first (the W2V
 * baseline of ADVETA appendix D); the recipe draws from them. A name without a vector gets no candidates.
 */
export class VocabularySource implements CandidateSource {
  readonly id = 'vocabulary';
  readonly fingerprint: string;
  readonly #ranker: WordVectorRanker;
  readonly #terms: number;

  constructor(ranker: WordVectorRanker, terms = W2V_ADD_TERMS) {
    this.#ranker = ranker;
    this.#terms = terms;
    this.fingerprint = `vocabulary-1:${terms}:${ranker.fingerprint}`;
  }

  async propose(columns: readonly TargetColumn[], context: StageContext): Promise<readonly (readonly Candidate[])[]> {
    const byName = new Map<string, readonly Candidate[]>();
    return columns.map(({ target, column }) => {
      context.signal.throwIfAborted();
      const name = target.table.columns[column]?.name;
      if (name === undefined) throw new RangeError(`table ${target.table.name} has no column ${column}`);
      return getOrMake(byName, name, () => this.#proposeFor(name));
    });
  }

  #proposeFor(name: string): readonly Candidate[] {
    return this.#ranker
      .nearestTerms(name, this.#terms)
      .map((term) => ({ name: term.name, source: 'vocabulary', origin: null, similarity: term.similarity }));
  }
}
