import { editDistance } from '../schema/edit-distance.js';
import type { PartOfSpeech } from './morphology.js';
import type { Synonym, SynonymDictionary, SynonymHint } from './synonym-dictionary.js';
import type { Sense, WordNet } from './wordnet-reader.js';
import { sha256Of } from '../run/sha256.js';

/** Cosine of two words or phrases, -1 to 1; null where either has no vector. */
export type Similarity = (a: string, b: string) => number | null;

export interface WordNetDictionaryOptions {
  /** Chooses the sense by its context and drops far synonyms; without it the most frequent sense is taken. */
  readonly similarity?: Similarity;
  /** Names the vectors behind `similarity`, for the fingerprint. */
  readonly similarityFingerprint?: string;
  /** How many senses the context may choose from. */
  readonly maxSenses?: number;
  /** Synonyms less similar than this are dropped, and words without a vector, which are rare. */
  readonly minSimilarity?: number;
  /**
   * Words that column names use; synonyms with others ("commonwealth" for a country) are dropped. Default: all words
   * are usual.
   */
  readonly headerWords?: ReadonlySet<string>;
}

const DEFAULT_MAX_SENSES = 4;
const DEFAULT_MIN_SIMILARITY = 0.55;
/** Weight of a sense's share of the tagged uses against its similarity to the context. */
const FREQUENCY_WEIGHT = 0.1;
/** Weight of what a gloss has in common with the words of any schema, which is no sign of this one. */
const GENERIC_WEIGHT = 0.3;
const GENERIC_CONTEXT = 'name number type date code status value description amount';
/** Senses that score so close to the best are rivals if they make up this share of the tagged uses. */
const RIVAL_MARGIN = 0.05;
const RIVAL_MIN_SHARE = 0.2;
/** The chosen sense must have this share of the word's tagged uses. */
const MIN_SENSE_SHARE = 0.5;
/** A synonym's own sense must be its first, or have this share of the uses of its first. */
const MIN_BACK_SHARE = 0.3;
/** Words of the context that senses are chosen by, at most: those of the name and of the table's first columns. */
const MAX_CONTEXT_WORDS = 14;
const ALL_POS: readonly PartOfSpeech[] = ['noun', 'adjective', 'verb', 'adverb'];

const GLOSS_STOP_WORDS = new Set(
  (
    'a an the of or and in to for by with on at from as is are was be been that which who whom whose it its into not ' +
    'some any something someone used usually especially having etc one more other such than this these those'
  ).split(' '),
);

/** Words of a gloss that carry meaning, without its examples and brackets. */
function glossWords(gloss: string): string {
  const definition = gloss.replace(/"[^"]*"/g, ' ').replace(/\([^)]*\)/g, ' ');
  const words = definition.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.filter((word) => word.length > 1 && !GLOSS_STOP_WORDS.has(word)).join(' ');
}

function squeezed(text: string): string {
  return text.replaceAll(/[ -]/g, '');
}

/**
 * Checks whether `text` only drops words of `word`: "number" for "phone number" says less, "bank rate" for "rate" more.
 */
function isFragment(text: string, word: string): boolean {
  const words = word.split(' ');
  return text.split(' ').every((part) => words.includes(part));
}

/** Checks whether both are spellings or numbers of one word: "color" and "colour", "content" and "contents". */
function isSpelling(text: string, word: string): boolean {
  if (squeezed(text) === squeezed(word)) return true;
  if (text.includes(' ') || word.length < 5 || text.slice(0, 3) !== word.slice(0, 3)) return false;
  return editDistance(text, word) <= 2;
}

/**
 * WordNet's synonyms of one sense of a word: the most frequent, or, given vectors and context, the one among the
 * frequent senses that is nearest to the context. A synonym is kept only if the sense is a frequent one of its own, too
 * ("age" gives no "eld", "team" no "side"). No proper nouns, acronyms or spelling variants.
 */
export class WordNetDictionary implements SynonymDictionary {
  readonly id = 'wordnet';
  readonly #wordnet: WordNet;
  readonly #similarity: Similarity | null;
  readonly #vectors: string;
  readonly #maxSenses: number;
  readonly #minSimilarity: number;
  readonly #headerWords: ReadonlySet<string> | null;

  constructor(wordnet: WordNet, options: WordNetDictionaryOptions = {}) {
    this.#wordnet = wordnet;
    this.#similarity = options.similarity ?? null;
    this.#vectors = options.similarityFingerprint ?? (this.#similarity === null ? 'none' : 'given');
    this.#maxSenses = options.maxSenses ?? DEFAULT_MAX_SENSES;
    this.#minSimilarity = options.minSimilarity ?? DEFAULT_MIN_SIMILARITY;
    this.#headerWords = options.headerWords ?? null;
  }

  get fingerprint(): string {
    const usual = this.#headerWords === null ? 'all' : sha256Of([...this.#headerWords].join(' ')).slice(0, 16);
    const settings = `senses=${this.#maxSenses},min=${this.#minSimilarity},vectors=${this.#vectors},words=${usual}`;
    return `wordnet-2:${settings}:${this.#wordnet.fingerprint.slice(0, 16)}`;
  }

  async synonyms(word: string, hint: SynonymHint = {}): Promise<readonly Synonym[] | null> {
    const lemma = word.toLowerCase();
    // Gerunds and present participles before a noun ("closing time") keep no meaning of their own.
    if (this.#isGerund(hint.surface ?? lemma)) return this.#wordnet.has(lemma) ? [] : null;
    const pos = hint.pos ?? ALL_POS.find((part) => this.#wordnet.has(lemma, part));
    if (pos === undefined) return null;
    const senses = this.#wordnet.senses(lemma, pos);
    if (senses.length === 0) return null;
    const [sense, ...rivals] = this.#choose(lemma, senses, (hint.context ?? []).slice(0, MAX_CONTEXT_WORDS));
    if (sense === undefined) return [];
    // Undecided between senses, only what both share is safe: "nation" for two senses of "country".
    const shared = rivals.map((rival) => this.#wordnet.words(rival.synset));
    return this.#synonymsOf(lemma, sense).filter(({ text }) => shared.every((words) => words.includes(text)));
  }

  /**
   * The sense that is meant, among the first few that are written in lower case, and its rivals after it; empty when
   * all senses are names. Without vectors or context the most frequent sense, without rivals.
   */
  #choose(lemma: string, senses: readonly Sense[], context: readonly string[]): readonly Sense[] {
    const common = senses.slice(0, this.#maxSenses).filter((sense) => this.#isCommon(lemma, sense));
    if (this.#similarity === null || context.length === 0) return common.slice(0, 1);
    const total = common.reduce((sum, sense) => sum + sense.tagCount + 1, 0);
    const scored = common
      .map((sense) => {
        const share = (sense.tagCount + 1) / total;
        return { sense, share, score: FREQUENCY_WEIGHT * share + this.#fit(lemma, sense, context) };
      })
      .sort((a, b) => b.score - a.score || a.sense.rank - b.sense.rank);
    const least = (scored[0]?.score ?? 0) - RIVAL_MARGIN;
    // Of a word with many senses none is safe: a racing circuit is no tour.
    if ((scored[0]?.share ?? 0) < MIN_SENSE_SHARE) return [];
    return scored
      .filter(({ score, share }, i) => i === 0 || (score >= least && share >= RIVAL_MIN_SHARE))
      .map(({ sense }) => sense);
  }

  #isCommon(lemma: string, sense: Sense): boolean {
    return this.#wordnet.spellings(sense.synset).includes(lemma) && !this.#wordnet.isInstance(sense.synset);
  }

  /** Similarity of a sense's gloss and hypernyms to the context, beyond that to any schema. */
  #fit(lemma: string, sense: Sense, context: readonly string[]): number {
    const cosine = (a: string, b: string): number => this.#similarity?.(a, b) ?? 0;
    const others = this.#wordnet.words(sense.synset).filter((word) => word !== lemma);
    const above = this.#wordnet.related(sense.synset, 'hypernym').flatMap((id) => this.#wordnet.words(id).slice(0, 1));
    const description = [...others.slice(0, 2), ...above, glossWords(this.#wordnet.gloss(sense.synset))].join(' ');
    return cosine(description, context.join(' ')) - GENERIC_WEIGHT * cosine(description, GENERIC_CONTEXT);
  }

  #synonymsOf(lemma: string, sense: Sense): readonly Synonym[] {
    return this.#wordnet
      .spellings(sense.synset)
      .filter((text) => this.#isUsable(text, lemma, sense))
      .map((text) => ({ text, pos: sense.pos, inflected: false }));
  }

  /** "leaving" for "departure" is grammatical, but no name for an attribute; "king" and "spring" are no gerunds. */
  #isGerund(word: string): boolean {
    if (!/^[a-z]+ing$/.test(word)) return false;
    const base = this.#wordnet.baseForm(word, 'verb');
    return base !== null && base !== word;
  }

  /** Checks whether a word is used as this part of speech at least half as often as any other: "dark" is no noun. */
  #isMostly(text: string, pos: PartOfSpeech): boolean {
    const others = ALL_POS.filter((part) => part !== pos).map((part) => this.#wordnet.tagTotal(text, part));
    return 2 * this.#wordnet.tagTotal(text, pos) >= Math.max(...others);
  }

  #isUsable(text: string, lemma: string, sense: Sense): boolean {
    if (!/^[a-z]+(?:[ -][a-z]+)*$/.test(text) || isSpelling(text, lemma)) return false;
    if (!text.split(/[ -]/).every((word) => this.#headerWords?.has(word) ?? true)) return false;
    if (
      isFragment(text, lemma) ||
      isFragment(lemma, text) ||
      // "prof" for "professor".
      lemma.startsWith(text) ||
      this.#isGerund(text.split(' ')[0] ?? '')
    )
      return false;
    if (!this.#isMostly(text, sense.pos)) return false;
    const own = this.#wordnet.senses(text, sense.pos);
    const back = own.find((other) => other.synset === sense.synset);
    if (back === undefined) return false;
    const top = Math.max(1, ...own.map((other) => other.tagCount));
    // WordNet's paraphrases ("sleeping accommodation") were never met in tagged text.
    if (text.includes(' ') && !lemma.includes(' ') && back.tagCount === 0) return false;
    if (back.rank > 0 && back.tagCount < MIN_BACK_SHARE * top) return false;
    if (this.#similarity === null) return true;
    const cosine = this.#similarity(text, lemma);
    return cosine === null ? text.includes(' ') : cosine >= this.#minSimilarity;
  }
}
