import { getOrMake, itemAt, zip } from '../../present.js';
import { addTo, dot } from '../../vectors.js';
import type { ColumnType } from '../schema.js';

/** Where a name begins and ends, as a word of the pairs. */
export const EDGE = '.';

/** Components of a word's topic. */
const TOPICS = 32;
/** Length of a topic, but for rounding. */
const TOPIC_LENGTH = 127;
/** Share of the words of names that the lists don't hold. */
const UNSEEN_SHARE = 0.02;
/** Counts that a pair is believed to have before it is counted, parted by the share of its second word. */
const PAIR_PRIOR = 20;

/** Types that are counted, and their shares among all columns. */
const TYPES: readonly { readonly name: ColumnType; readonly share: number }[] = [
  { name: 'text', share: 0.5 },
  { name: 'number', share: 0.35 },
  { name: 'time', share: 0.1 },
  { name: 'boolean', share: 0.05 },
];
const TYPE_PRIOR = 4;

const PREFIX = /^(?:un|re|non|pre|mis|dis|anti|semi)(?=[a-z]{4})/;
const SUFFIXES: readonly (readonly [RegExp, string])[] = [
  [/(?:ed|ing|er|ers)$/, ''],
  [/(?:ed|ing|er|ers)$/, 'e'],
  [/(?:ly|ness|less)$/, ''],
  // Regular plurals alone: irregular ones stand in dictionaries, and letters of all kinds are asked for.
  [/(?<!s)s$/, ''],
  [/(?<=(?:[sxz]|ch|sh|o))es$/, ''],
  [/ies$/, 'y'],
  [/ves$/, 'f'],
];

/** What a word may be formed from: "roosters" from rooster, "undrafted" from drafted. */
function basesOf(word: string): readonly string[] {
  const bases = SUFFIXES.filter(([suffix]) => suffix.test(word)).map(([suffix, ending]) =>
    word.replace(suffix, ending),
  );
  return [word.replace(PREFIX, ''), ...bases].filter((base) => base !== word && base.length >= 4);
}

/** The words of a language; given from outside, so that they need no files. */
export interface LanguageWords {
  /** Place of a dictionary's word in the order of frequency, 0 = most frequent; null for any other word. */
  rank(word: string): number | null;
  /** Whether a word is one of its own, in any dictionary or list, proper names included. */
  isWord(word: string): boolean;
}

/** Reads lines of a word and how many columns that end with it are text, number, time, boolean. */
export function parseTypeCounts(lines: string): ReadonlyMap<string, readonly number[]> {
  return new Map(
    lines
      .trim()
      .split('\n')
      .map((line) => {
        const [word = '', ...counts] = line.split(' ');
        return [word, counts.map(Number)];
      }),
  );
}

/**
 * What the names of columns are made of: how often each word stands in one, which follow one another, and what a word is
 * about. Made from our own lists (data/identifiers).
 */
export class ColumnWords {
  /** By word: those of the lists in their order, then all others that were asked for. */
  readonly #ids = new Map<string, number>();
  readonly #all: string[] = [];
  readonly #shares: number[] = [];
  readonly #logShares: number[] = [];
  readonly #counts: readonly number[];
  readonly #pairs = new Map<number, Map<number, number>>();
  /** Words with their letters, a bit each. */
  readonly #byLetter = new Map<string, { readonly word: string; readonly set: number }[]>();
  readonly #types: ReadonlyMap<string, readonly number[]>;
  readonly #topics: readonly (Int8Array | null)[];
  readonly #language: LanguageWords;
  readonly #total: number;

  /**
   * `text`: lines of a word and its count, an empty line, lines of a word and those that follow it, each with its count, an empty line,
   * lines of a word and how many columns that end with it are text, number, time, boolean.
   */
  constructor(text: string, topics: Int8Array, language: LanguageWords) {
    const [words = '', pairs = '', types = ''] = text.split('\n\n');
    this.#language = language;
    const counts: number[] = [];
    for (const line of words.split('\n')) {
      const [word = '', count = '0'] = line.split(' ');
      counts.push(Number(count));
      this.#ids.set(word, this.#all.length);
      this.#all.push(word);
      const initial = word.charAt(0);
      getOrMake(this.#byLetter, initial, () => []).push({ word, set: letterSet(word) });
    }
    this.#counts = counts;
    this.#total = counts.reduce((sum, count) => sum + count, 0);
    this.#topics = Array.from({ length: counts.length }, (_, place) => {
      const topic = topics.subarray(place * TOPICS, (place + 1) * TOPICS);
      return topic.some((value) => value !== 0) ? topic : null;
    });
    this.#types = parseTypeCounts(types);
    for (const line of pairs.trim().split('\n')) {
      const [first = '', ...rest] = line.split(' ');
      const next = new Map<number, number>();
      for (let i = 0; i < rest.length; i += 2) next.set(this.idOf(itemAt(rest, i)), Number(rest[i + 1]));
      this.#pairs.set(this.idOf(first), next);
    }
  }

  /** A number of its own for each word. */
  idOf(word: string): number {
    let id = this.#ids.get(word);
    if (id === undefined) {
      id = this.#all.length;
      this.#ids.set(word, id);
      this.#all.push(word);
    }
    return id;
  }

  word(id: number): string {
    return itemAt(this.#all, id);
  }

  /** Whether names of the lists hold a word. */
  has(word: string): boolean {
    const id = this.#ids.get(word);
    return id !== undefined && id < this.#counts.length;
  }

  /** Whether it is a word of names or of the language, inflected or not. */
  isWord(word: string): boolean {
    return (
      this.#isListed(word) || basesOf(word).some((base) => this.#isListed(base) || basesOf(base).some(this.#isListed))
    );
  }

  readonly #isListed = (word: string): boolean => this.has(word) || this.#language.isWord(word);

  /** Visits words that are longer, begin with the same letter and have the others as well, of the `most` frequent. */
  visitWithLetters(letters: string, most: number, visit: (word: string) => void): void {
    const wanted = letterSet(letters);
    for (const { word, set } of (this.#byLetter.get(letters.charAt(0)) ?? []).slice(0, most))
      if ((wanted & ~set) === 0 && word.length > letters.length) visit(word);
  }

  /** Natural logarithm of a word's share among the words of names. */
  logShare(word: string): number {
    const id = this.idOf(word);
    return (this.#logShares[id] ??= Math.log(this.#share(id)));
  }

  #share(id: number): number {
    return (this.#shares[id] ??= this.#shareOf(id));
  }

  #shareOf(id: number): number {
    const counted = (this.#counts[id] ?? 0) / this.#total;
    const rank = this.#language.rank(this.word(id));
    // Zipf's law over the language's 50,000 words.
    const unseen = rank === null ? 1e-7 : 1 / (rank + 50) / 7;
    return (1 - UNSEEN_SHARE) * counted + UNSEEN_SHARE * unseen;
  }

  /** How much likelier the second word is behind the first than anywhere, in nats; 0 where nothing is known. Both by id. */
  pairGain(first: number, second: number): number {
    const next = this.#pairs.get(first);
    if (next === undefined) return 0;
    const share = this.#share(second);
    const before = this.#all[first] === EDGE ? this.#total / 2 : (this.#counts[first] ?? 0);
    return Math.log(((next.get(second) ?? 0) + PAIR_PRIOR * share) / (before + PAIR_PRIOR) / share);
  }

  /** How much likelier a column is of a type where this is the last word of its name, in nats; 0 where nothing is known. */
  typeGain(word: string, type: ColumnType): number {
    const counts = this.#types.get(word);
    const counted = counts && zip(TYPES, counts).find(([{ name }]) => name === type);
    if (counts === undefined || counted === undefined) return 0;
    const total = counts.reduce((sum, count) => sum + count, 0);
    const [{ share }, count] = counted;
    return Math.log((count + TYPE_PRIOR * share) / (total + TYPE_PRIOR) / share);
  }

  /** Direction of a word's topic, int8 [32], about 127 long; null where none is known. */
  topic(word: string): Int8Array | null {
    return this.#topics[this.#ids.get(word) ?? -1] ?? null;
  }

  /** Cosine of the topics of two words by their ids, -1 to 1; 0 where one is not known. */
  nearness(a: number, b: number): number {
    const [first, second] = [this.#topics[a] ?? null, this.#topics[b] ?? null];
    return first === null || second === null ? 0 : dot(first, second) / TOPIC_LENGTH ** 2;
  }
}

/** The letters of a word, a bit each. */
function letterSet(word: string): number {
  let set = 0;
  for (let i = 0; i < word.length; i++) set |= 1 << (word.charCodeAt(i) & 31);
  return set;
}

/** How much a word says of what others are about: frequent ones, "name" and "date", say nothing. */
export function topicWeight(words: ColumnWords, word: string): number {
  return Math.max(0, -words.logShare(word) - 5);
}

/** Mean direction of topics, each with its weight, of unit length; null without any. */
export function meanTopic(topics: Iterable<readonly [Int8Array, number]>): Float64Array | null {
  const sum = new Float64Array(TOPICS);
  for (const [topic, weight] of topics) addTo(sum, topic, weight);
  const length = Math.hypot(...sum);
  return length === 0 ? null : sum.map((value) => value / length);
}

/** Cosine of the topic of a word with a direction of unit length, -1 to 1. */
export function topicCosine(topic: Int8Array, direction: Float64Array): number {
  return dot(topic, direction) / TOPIC_LENGTH;
}
