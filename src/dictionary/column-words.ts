import { headIndex, type Inflector } from './inflection.js';
import type { Lexicon, PartOfSpeech } from './morphology.js';
import type { WordPosition } from './synonym-dictionary.js';

/** Words that keep their place and form in every candidate: function words, auxiliaries, ordinals, id. */
const FIXED_WORDS = new Set(
  (
    'a an the of in on at by for per to from with within without and or not no nor than then as if into onto out up down ' +
    'off over under above below between among during until till since after before about is are was were be been being ' +
    'has have had do does did can could will would shall should may might must this that these those its it his her ' +
    'their our your my i you he she we they who whom whose which what when where why how many much more most less ' +
    'least all any some each every both few other another such only own same so too very last next first second third ' +
    'fourth fifth id ids pk fk one two three four five six seven eight nine ten half'
  ).split(' '),
);

const PREPOSITIONS = new Set('of in on at by for per to from with within'.split(' '));

/** Splits a column name on spaces and underscores, in lower case; punctuation stays with its word. */
export function splitName(name: string): readonly string[] {
  return name
    .toLowerCase()
    .split(/[\s_]+/)
    .filter((word) => word !== '');
}

/**
 * Checks whether a word is never replaced on its own: not letters only, no vowel ("kg", "qty"), a function word, or
 * "id".
 */
export function isFixed(word: string): boolean {
  return FIXED_WORDS.has(word) || word.length < 2 || !/^[a-z]+(?:-[a-z]+)*$/.test(word) || !/[aeiouy]/.test(word);
}

/**
 * Checks whether a word has letters but no vowel: an abbreviation, which only the project's own thesaurus reads
 * ("ldh").
 */
export function isAbbreviation(word: string): boolean {
  return !FIXED_WORDS.has(word) && /^[bcdfghj-np-tv-xz]{2,}$/.test(word);
}

const IDIOM_PREPOSITIONS = new Set('in on at by'.split(' '));

/**
 * Checks whether word `at` follows a preposition with which it says more than itself: "officer in charge", "time in
 * seconds".
 */
export function isIdiomatic(words: readonly string[], at: number): boolean {
  return IDIOM_PREPOSITIONS.has(words[at - 1] ?? '');
}

/** Part of speech and place of a word or term in its name. */
export interface WordRole {
  readonly pos: PartOfSpeech;
  readonly position: WordPosition;
}

/** Start (inclusive) and end (exclusive) of the noun phrase around word `at`, between prepositions. */
function phraseAround(words: readonly string[], at: number): [number, number] {
  let start = at;
  while (start > 0 && !PREPOSITIONS.has(words[start - 1] ?? '')) start--;
  let end = at + 1;
  while (end < words.length && !PREPOSITIONS.has(words[end] ?? '')) end++;
  return [start, end];
}

/**
 * Tells the part of speech of words in column names: heads are nouns, words before them nouns, adjectives or
 * participles.
 */
export class WordRoles {
  readonly #lexicon: Lexicon;
  readonly #inflector: Inflector;

  constructor(lexicon: Lexicon, inflector: Inflector) {
    this.#lexicon = lexicon;
    this.#inflector = inflector;
  }

  /** Role of the term of `length` words that starts at `start`; the term's own head decides. */
  roleOf(words: readonly string[], start: number, length: number): WordRole {
    const at = start + headIndex(words.slice(start, start + length));
    const [from, to] = phraseAround(words, at);
    const phrase = words.slice(from, to);
    const head = from + this.#headOf(phrase);
    const position = length === words.length ? 'whole' : head >= start && head < start + length ? 'head' : 'modifier';
    return { pos: length > 1 ? 'noun' : this.#posOf(words[at] ?? '', position), position };
  }

  /** The last word that is a noun, so that in "date founded" it is "date"; else the last word. */
  #headOf(phrase: readonly string[]): number {
    const last = phrase.findLastIndex((word) => !isFixed(word) && this.#isNoun(word));
    return last === -1 ? phrase.length - 1 : last;
  }

  #isNoun(word: string): boolean {
    if (this.#inflector.nounForm(word) === null) return false;
    return !(this.#isParticiple(word) && this.#lexicon.tagTotal(word, 'noun') === 0);
  }

  #isParticiple(word: string): boolean {
    const form = this.#inflector.verbForm(word)?.form;
    return form === 'participle' || form === 'past' || (form === 'ing' && !this.#lexicon.has(word, 'noun'));
  }

  #posOf(word: string, position: WordPosition): PartOfSpeech {
    if (position !== 'modifier' && this.#isNoun(word)) return 'noun';
    if (this.#isParticiple(word)) return 'verb';
    const noun = this.#inflector.nounForm(word);
    const nounTags = noun === null ? -1 : this.#lexicon.tagTotal(noun.base, 'noun');
    if (!this.#lexicon.has(word, 'adjective')) return 'noun';
    // Rare as both, it is rather a noun: "suspect name".
    const adjectiveTags = this.#lexicon.tagTotal(word, 'adjective');
    return noun === null || adjectiveTags > 2 * Math.max(nounTags, 1) ? 'adjective' : 'noun';
  }
}
