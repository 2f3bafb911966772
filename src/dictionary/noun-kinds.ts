import { getOrMake } from '../present.js';
import type { SlotKind } from './phrase-frames.js';
import type { WordNet } from './wordnet-reader.js';

/** Roots in WordNet's noun tree, each by a lemma of which it is the first sense. */
const ROOTS = {
  event: ['event'],
  thing: ['physical entity'],
  named: ['person', 'administrative district', 'organization', 'body of water', 'geological formation', 'facility'],
} as const;
/** Senses of a noun that are looked at; an event is often the second ("opening"). */
const SENSES_READ = { event: 2, thing: 1, named: 1 } as const;
/** Tagged uses from which a word that is an adjective, too, counts as a noun. */
const SURE_TAGS = 5;
/** How much more often it must be one: "official" is a noun twice as often, yet an adjective in column names. */
const SURE_RATIO = 4;

/** Tells from WordNet's hypernyms what kind of thing a noun names. */
export class NounKinds {
  readonly #wordnet: WordNet;
  readonly #roots: Readonly<Record<keyof typeof ROOTS, readonly string[]>>;
  readonly #cache = new Map<string, boolean>();

  constructor(wordnet: WordNet) {
    this.#wordnet = wordnet;
    const roots = (lemmas: readonly string[]) => lemmas.map((lemma) => wordnet.senses(lemma, 'noun')[0]?.synset ?? '');
    this.#roots = { event: roots(ROOTS.event), thing: roots(ROOTS.thing), named: roots(ROOTS.named) };
  }

  /**
   * Checks whether a noun in base form is used as `kind`; for `noun`, whether it is a noun far more often than an
   * adjective.
   */
  is(noun: string, kind: SlotKind): boolean {
    const key = `${kind}:${noun}`;
    return getOrMake(this.#cache, key, () => this.#isNoun(noun) && (kind === 'noun' || this.#isBelow(noun, kind)));
  }

  /**
   * The nearest of some nouns that a noun in base form is a kind of: of "lawyer" among person and organization,
   * "person". Each noun stands for its most frequent sense. Null where it is none.
   */
  nearestAbove(noun: string, kinds: ReadonlySet<string>): string | null {
    const first = this.#wordnet.senses(noun, 'noun').find(({ synset }) => this.#isCommon(noun, synset));
    if (first === undefined) return null;
    const roots = new Map([...kinds].map((kind) => [this.#wordnet.senses(kind, 'noun')[0]?.synset ?? '', kind]));
    const nearest = [...this.#ancestors(first.synset)].find((synset) => roots.has(synset));
    return roots.get(nearest ?? '') ?? null;
  }

  /** Checks whether a sense is no proper name's: "teach" is a pirate's. */
  #isCommon(noun: string, synset: string): boolean {
    return this.#wordnet.spellings(synset).includes(noun) && !this.#wordnet.isInstance(synset);
  }

  #isNoun(noun: string): boolean {
    const tags = this.#wordnet.tagTotal(noun, 'noun');
    const lowerCase = this.#wordnet
      .senses(noun, 'noun')
      .some((sense) => this.#wordnet.spellings(sense.synset).includes(noun));
    if (this.#wordnet.has(noun, 'adjective'))
      return lowerCase && tags >= SURE_TAGS && tags >= SURE_RATIO * this.#wordnet.tagTotal(noun, 'adjective');
    return lowerCase && (tags > 0 || noun.length > 3);
  }

  #isBelow(noun: string, kind: keyof typeof ROOTS): boolean {
    const senses = this.#wordnet.senses(noun, 'noun').slice(0, SENSES_READ[kind]);
    return senses.some((sense) => {
      const ancestors = this.#ancestors(sense.synset);
      return this.#roots[kind].some((root) => ancestors.has(root));
    });
  }

  #ancestors(synset: string, seen = new Set<string>()): ReadonlySet<string> {
    if (seen.has(synset)) return seen;
    seen.add(synset);
    for (const above of this.#wordnet.related(synset, 'hypernym')) this.#ancestors(above, seen);
    return seen;
  }
}
