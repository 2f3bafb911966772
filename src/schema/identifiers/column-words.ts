import { singularOf } from '../noun-number.js';
import type { ColumnType } from '../schema.js';
import { itemAt } from '../../present.js';
import { addTo, dot } from '../../vectors.js';

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

/** Where a name begins and ends, as a word of the pairs. */
export const EDGE = '.';

/** Components of a word's topic. */
const TOPICS = 32;
/** Share of the words of names that the lists don't hold. */
const UNSEEN_SHARE = 0.02;
/** Counts that a pair is believed to have before it is counted, parted by the share of its second word. */
const PAIR_PRIOR = 20;

/** Types that are counted, and their shares among all columns. */
const TYPES: readonly ColumnType[] = ['text', 'number', 'time', 'boolean'];
const TYPE_SHARES = [0.5, 0.35, 0.1, 0.05];
const TYPE_PRIOR = 4;

/** The words of a language; given from outside, so that they need no files. */
export interface LanguageWords {
  /** Place of a dictionary's word in the order of frequency, 0 = most frequent; null for any other word. */
  rank(word: string): number | null;
  /** Whether a word is one of its own, in any dictionary or list, proper names included. */
  isWord(word: string): boolean;
}

/**
 * What the names of columns are made of: how often each word stands in one, which follow one another, and what a word is
 * about. Made from our own lists (data/identifiers).
 */
export class ColumnWords {
  readonly #counts = new Map<string, number>();
  readonly #places = new Map<string, number>();
  readonly #pairs = new Map<string, Map<string, number>>();
  readonly #byLetter = new Map<string, string[]>();
  readonly #types = new Map<string, readonly number[]>();
  readonly #topics: readonly (Int8Array | null)[];
  readonly #shares = new Map<string, number>();
  readonly #language: LanguageWords;
  readonly #total: number;

  /**
   * `text`: lines of a word and its count, an empty line, lines of a word and those that follow it, each with its count, an empty line,
   * lines of a word and how many columns that end with it are text, number, time, boolean.
   */
  constructor(text: string, topics: Int8Array, language: LanguageWords) {
    const [words = '', pairs = '', types = ''] = text.split('\n\n');
    this.#language = language;
    let total = 0;
    for (const line of words.split('\n')) {
      const [word = '', count = '0'] = line.split(' ');
      this.#places.set(word, this.#counts.size);
      this.#counts.set(word, Number(count));
      total += Number(count);
      const initial = word.charAt(0);
      const list = this.#byLetter.get(initial);
      if (list === undefined) this.#byLetter.set(initial, [word]);
      else list.push(word);
    }
    this.#total = total;
    this.#topics = Array.from({ length: this.#counts.size }, (_, place) => {
      const topic = topics.subarray(place * TOPICS, (place + 1) * TOPICS);
      return topic.some((value) => value !== 0) ? topic : null;
    });
    for (const line of types.trim().split('\n')) {
      const [word = '', ...counts] = line.split(' ');
      this.#types.set(word, counts.map(Number));
    }
    for (const line of pairs.trim().split('\n')) {
      const [first = '', ...rest] = line.split(' ');
      const next = new Map<string, number>();
      for (let i = 0; i < rest.length; i += 2) {
        const [word = '', count] = rest.slice(i, i + 2);
        next.set(word, Number(count));
      }
      this.#pairs.set(first, next);
    }
  }

  /** Whether names of the lists hold a word. */
  has(word: string): boolean {
    return this.#counts.has(word);
  }

  /** Whether it is a word of names or of the language, inflected or not. */
  isWord(word: string): boolean {
    return (
      this.#isListed(word) || basesOf(word).some((base) => this.#isListed(base) || basesOf(base).some(this.#isListed))
    );
  }

  readonly #isListed = (word: string): boolean => this.#counts.has(word) || this.#language.isWord(word);

  /** Words that begin with a letter, most frequent first. */
  startingWith(letter: string): readonly string[] {
    return this.#byLetter.get(letter) ?? [];
  }

  /** Natural logarithm of a word's share among the words of names. */
  logShare(word: string): number {
    let share = this.#shares.get(word);
    if (share === undefined) this.#shares.set(word, (share = this.#logShareOf(word)));
    return share;
  }

  #logShareOf(word: string): number {
    const counted = (this.#counts.get(word) ?? 0) / this.#total;
    const rank = this.#language.rank(word);
    // Zipf's law over the language's 50,000 words.
    const unseen = rank === null ? 1e-7 : 1 / (rank + 50) / 7;
    return Math.log((1 - UNSEEN_SHARE) * counted + UNSEEN_SHARE * unseen);
  }

  /** How much likelier the second word is behind the first than anywhere, in nats; 0 where nothing is known. */
  pairGain(first: string, second: string): number {
    const next = this.#pairs.get(first);
    if (next === undefined) return 0;
    const share = Math.exp(this.logShare(second));
    const before = first === EDGE ? this.#total / 2 : (this.#counts.get(first) ?? 0);
    return Math.log(((next.get(second) ?? 0) + PAIR_PRIOR * share) / (before + PAIR_PRIOR) / share);
  }

  /** How much likelier a column is of a type where this is the last word of its name, in nats; 0 where nothing is known. */
  typeGain(word: string, type: ColumnType): number {
    const place = TYPES.indexOf(type);
    const counts = this.#types.get(word);
    if (place === -1 || counts === undefined) return 0;
    const total = counts.reduce((sum, count) => sum + count, 0);
    const [count, share] = [itemAt(counts, place), itemAt(TYPE_SHARES, place)];
    return Math.log((count + TYPE_PRIOR * share) / (total + TYPE_PRIOR) / share);
  }

  /** Direction of a word's topic, int8 [32], about 127 long; null where none is known. */
  topic(word: string): Int8Array | null {
    const place = this.#places.get(word);
    if (place === undefined) return null;
    return this.#topics[place] ?? null;
  }

  /** Cosine of the topics of two words, -1 to 1; 0 where one is not known. */
  nearness(a: string, b: string): number {
    const [first, second] = [this.topic(a), this.topic(b)];
    return first === null || second === null ? 0 : topicCosine(first, second);
  }
}

/** Mean direction of topics, each with its weight, of unit length; null without any. */
export function meanTopic(topics: Iterable<readonly [Int8Array, number]>): Float64Array | null {
  const sum = new Float64Array(TOPICS);
  for (const [topic, weight] of topics) addTo(sum, topic, weight);
  const length = Math.hypot(...sum);
  return length === 0 ? null : sum.map((value) => value / length);
}

/** Cosine of two topics, -1 to 1; 0 where one has no direction. */
export function topicCosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [squareA, squareB] = [dot(a, a), dot(b, b)];
  return squareA === 0 || squareB === 0 ? 0 : dot(a, b) / Math.sqrt(squareA * squareB);
}
