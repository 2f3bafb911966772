import type { SlotKind } from './phrase-frames.js';
import type { WordNet } from './wordnet-reader.js';

/** Roots of WordNet's noun tree, by a lemma and its definition's sense rank. */
const ROOTS = { event: 'event', thing: 'physical entity' } as const;
/** Senses of a noun that are looked at: the first two name what it mostly means. */
const SENSES_READ = 2;

/** Tells from WordNet's hypernyms what kind of thing a noun names. */
export class NounKinds {
  readonly #wordnet: WordNet;
  readonly #roots: Readonly<Record<keyof typeof ROOTS, string>>;
  readonly #cache = new Map<string, boolean>();

  constructor(wordnet: WordNet) {
    this.#wordnet = wordnet;
    const root = (lemma: string): string => wordnet.senses(lemma, 'noun')[0]?.synset ?? '';
    this.#roots = { event: root(ROOTS.event), thing: root(ROOTS.thing) };
  }

  /** Whether a noun in base form is used as `kind`; for `noun`, whether it is a noun far more often than an adjective. */
  is(noun: string, kind: SlotKind): boolean {
    const key = `${kind}:${noun}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const answer = this.#isNoun(noun) && (kind === 'noun' || this.#isBelow(noun, kind));
    this.#cache.set(key, answer);
    return answer;
  }

  #isNoun(noun: string): boolean {
    const tags = this.#wordnet.tagTotal(noun, 'noun');
    const lowerCase = this.#wordnet
      .senses(noun, 'noun')
      .some((sense) => this.#wordnet.spellings(sense.synset).includes(noun));
    return lowerCase && (tags > 0 || noun.length > 3) && tags >= 2 * this.#wordnet.tagTotal(noun, 'adjective');
  }

  #isBelow(noun: string, kind: keyof typeof ROOTS): boolean {
    const read = kind === 'thing' ? 1 : SENSES_READ;
    const senses = this.#wordnet.senses(noun, 'noun').slice(0, read);
    return senses.some((sense) => this.#ancestors(sense.synset).has(this.#roots[kind]));
  }

  #ancestors(synset: string, seen = new Set<string>()): ReadonlySet<string> {
    if (seen.has(synset)) return seen;
    seen.add(synset);
    for (const above of this.#wordnet.related(synset, 'hypernym')) this.#ancestors(above, seen);
    return seen;
  }
}
