import { splitName, WordRoles } from '../dictionary/column-words.js';
import type { Inflector } from '../dictionary/inflection.js';
import type { Lexicon, PartOfSpeech } from '../dictionary/morphology.js';
import type { NearTerm } from '../reranker/nearest-terms.js';
import type { StageContext } from '../stage.js';
import type { Substitute, WordSlot, WordSubstitutes } from './substitution-source.js';

/** TextFooler (Jin et al. 2020) §3: the 50 nearest words. No least cosine: ADVETA draws ADD from ranks 15 to 50. */
const NEIGHBORS = 50;
/** Nearest terms that are looked at: some are phrases, some another part of speech. */
const LOOKED_AT = 3 * NEIGHBORS;

/** Word vectors, as far as they are needed here. */
interface Neighborhood {
  readonly fingerprint: string;
  nearestTerms(word: string, k: number): readonly NearTerm[];
}

/** TextFooler's word transformer: the nearest words in word vectors that are the same part of speech in their place. */
export class NeighborWords implements WordSubstitutes {
  readonly id = 'neighbors';
  readonly fingerprint: string;
  readonly #vectors: Neighborhood;
  readonly #inflector: Inflector;
  readonly #roles: WordRoles;
  readonly #near = new Map<string, readonly Substitute[]>();

  constructor(vectors: Neighborhood, lexicon: Lexicon, inflector: Inflector) {
    this.#vectors = vectors;
    this.#inflector = inflector;
    this.#roles = new WordRoles(lexicon, inflector);
    this.fingerprint = `neighbors-1:${NEIGHBORS}:${vectors.fingerprint}`;
  }

  async find(slots: readonly WordSlot[], context: StageContext): Promise<readonly (readonly Substitute[])[]> {
    return slots.map(({ words, at }) => {
      context.signal.throwIfAborted();
      const { pos } = this.#roles.roleOf(words, at, 1);
      const fitting = this.#nearest(words[at] ?? '').filter(({ word }) => this.#is(pos, words.with(at, word), at));
      return fitting.slice(0, NEIGHBORS);
    });
  }

  #nearest(word: string): readonly Substitute[] {
    const known = this.#near.get(word);
    if (known !== undefined) return known;
    const near = this.#vectors
      .nearestTerms(word, LOOKED_AT)
      .filter(({ name }) => splitName(name).length === 1)
      .map(({ name, similarity }) => ({ word: name, score: similarity }));
    this.#near.set(word, near);
    return near;
  }

  /** Checks whether the word is that part of speech where it is, and can be it at all. */
  #is(pos: PartOfSpeech, words: readonly string[], at: number): boolean {
    const word = words[at] ?? '';
    if (this.#roles.roleOf(words, at, 1).pos !== pos) return false;
    return pos !== 'noun' || this.#inflector.nounForm(word) !== null;
  }
}
