import { ABBREVIATIONS } from './abbreviations.js';
import { singularOf } from './noun-number.js';
import { remembered } from './remembered.js';

/** What segmentation asks about words; given from outside, so that it needs no files. */
export interface WordFrequencies {
  /** Place of a dictionary's word in the order of frequency, 0 = most frequent; null for any other word. */
  rank(word: string): number | null;
  /** Whether a word is one of its own, in any dictionary or list: such a word is never split. */
  isWord(word: string): boolean;
}

/** Shorter names are acronyms as often as they are two words: "dept", "mcmid". */
const SHORTEST_JOINED = 6;
/** Longer runs of letters are no names. */
const LONGEST_JOINED = 100;
const LONGEST_PART = 24;

/** The words of two letters that names hold; dictionaries have another hundred, nearly all of them acronyms. */
const SHORT_WORDS = new Set('of in on at by to id no is or up vs'.split(' '));

/** Nats that a word of the given length costs beyond its frequency: short ones fit into any run of letters. */
const SHORTNESS: Readonly<Record<number, number>> = { 2: 2.5, 3: 2 };
/** Words of three letters that are rarer are acronyms and interjections. */
const RAREST_OF_THREE = 10_000;
/** Next to a run that is no word, words must be common ones. */
const RAREST_NEXT_TO_UNKNOWN = 10_000;
/** Rare words as long as this are not there by chance. */
const UNMISTAKABLE = 7;
const RANK_SHIFT = 10;
const WORD_BASE = 2.4;
/** Names hold common words more often than Zipf's law gives them to prose. */
const ZIPF = 1.2;
/** Plurals that the list lacks are rarer than it is long at its middle. */
const RARER_PLURAL = 20_000;
const ID_COST = 7;
const ABBREVIATION_RANK = 500;
/** A run of letters that is no word, kept whole: an acronym or a proper name. */
const UNKNOWN_BASE = 9.5;
const UNKNOWN_LETTER = 2.2;
const MAX_UNKNOWN_SHARE = 0.5;

interface Part {
  readonly text: string;
  /** Place in the order of frequency; null for a run that is no word. */
  readonly rank: number | null;
}

/** The cheapest way to write the first letters of a name. */
interface Prefix {
  readonly cost: number;
  readonly last: Part | null;
  readonly before: Prefix | null;
}

function partsOf(prefix: Prefix): readonly Part[] {
  const parts: Part[] = [];
  for (let at: Prefix | null = prefix; at?.last != null; at = at.before) parts.unshift(at.last);
  return parts;
}

const lettersIn = (parts: readonly Part[]): number => parts.reduce((sum, { text }) => sum + text.length, 0);

/** Whether a segmentation is sure enough: words for the greater part, one of them no short one, and one unknown at most. */
function isConvincing(parts: readonly Part[]): boolean {
  const [known, unknown] = [parts.filter(({ rank }) => rank !== null), parts.filter(({ rank }) => rank === null)];
  if (!known.some(({ text }) => text.length > 3)) return false;
  if (unknown.length === 0) return true;
  const share = lettersIn(unknown) / lettersIn(parts);
  return unknown.length === 1 && share <= MAX_UNKNOWN_SHARE && known.every(isFamiliar);
}

const isFamiliar = ({ text, rank }: Part): boolean =>
  rank !== null && (rank <= RAREST_NEXT_TO_UNKNOWN || text.length >= UNMISTAKABLE);

const PREFIX = /^(?:un|re|non|pre|mis|dis|anti|semi)(?=[a-z]{4})/;
const SUFFIXES: readonly (readonly [RegExp, string])[] = [
  [/(?:ed|ing|er|ers)$/, ''],
  [/(?:ed|ing|er|ers)$/, 'e'],
  [/(?:ly|ness|less)$/, ''],
];

/** What a word may be formed from: "roosters" from rooster, "undrafted" from drafted. */
function basesOf(word: string): readonly string[] {
  const bases = SUFFIXES.filter(([suffix]) => suffix.test(word)).map(([suffix, ending]) =>
    word.replace(suffix, ending),
  );
  return [singularOf(word), word.replace(PREFIX, ''), ...bases].filter((base) => base !== word && base.length >= 4);
}

/**
 * Splits names that are written together into words, by the likeliest sequence of a dictionary's words (dynamic
 * programming over their frequencies): "unitdischargetime" → unit, discharge, time. A word of its own is never split, and
 * a name that no sequence of words explains stays whole.
 */
export class WordSegmenter {
  readonly #frequencies: WordFrequencies;
  readonly #segment = remembered((letters) => this.#segmentLetters(letters));

  constructor(frequencies: WordFrequencies) {
    this.#frequencies = frequencies;
  }

  /** The words of a run of letters in lower case; the run itself where it is one word, or nothing is known of it. */
  segment(letters: string): readonly string[] {
    const isRun = /^[a-z]+$/.test(letters) && letters.length >= SHORTEST_JOINED && letters.length <= LONGEST_JOINED;
    return isRun && !this.isWord(letters) ? this.#segment(letters) : [letters];
  }

  /** Whether a word in lower case is one of its own, inflected or not. */
  isWord(word: string): boolean {
    const isWord = (text: string): boolean => this.#frequencies.isWord(text);
    return isWord(word) || basesOf(word).some((base) => isWord(base) || basesOf(base).some(isWord));
  }

  #segmentLetters(letters: string): readonly string[] {
    const prefixes: Prefix[] = [{ cost: 0, last: null, before: null }];
    for (let end = 1; end <= letters.length; end++) {
      const cheapest = this.#cheapest(letters, end, prefixes);
      prefixes.push(cheapest);
    }
    const parts = partsOf(prefixes.at(-1) as Prefix);
    return isConvincing(parts) ? parts.map(({ text }) => text) : [letters];
  }

  #cheapest(letters: string, end: number, prefixes: readonly Prefix[]): Prefix {
    let best: Prefix = { cost: Infinity, last: null, before: null };
    for (const [start, before] of prefixes.entries()) {
      const text = letters.slice(start, end);
      const rank = this.#rankOf(text);
      const cost = before.cost + costOf(text, rank, end === letters.length);
      if (cost < best.cost) best = { cost, last: { text, rank }, before };
    }
    return best;
  }

  /** The rank of a word that can be a part of a name; null for what is none. */
  #rankOf(text: string): number | null {
    if (text.length < 2 || text.length > LONGEST_PART) return null;
    if (Object.hasOwn(ABBREVIATIONS, text)) return ABBREVIATION_RANK;
    if (text.length === 2) return SHORT_WORDS.has(text) ? this.#frequencies.rank(text) : null;
    const own = this.#frequencies.rank(text);
    if (text.length === 3) return own !== null && own <= RAREST_OF_THREE ? own : null;
    const singular = this.#frequencies.rank(singularOf(text));
    return own ?? (singular === null ? null : singular + RARER_PLURAL);
  }
}

/** Nats of a part by Zipf's law, or of a run that is no word. */
function costOf(text: string, rank: number | null, isLast: boolean): number {
  if (rank === null) return text.length < 2 ? Infinity : UNKNOWN_BASE + UNKNOWN_LETTER * text.length;
  // No name is without an "id", and it is always the last word.
  if (text === 'id' && isLast) return ID_COST;
  return WORD_BASE + ZIPF * Math.log(rank + RANK_SHIFT) + (SHORTNESS[text.length] ?? 0);
}
