import type { ColumnType } from '../schema.js';
import { type ColumnWords, EDGE } from './column-words.js';
import { stemOf } from './database-words.js';
import type { FeatureValue, Weights } from './features.js';

const START_SIZE = 4096;
const EMPTY = -1;
/** Pairs that are remembered at once, 32 MB of them. */
const MOST = 1_000_000;
/** Ids of words are below. */
const MOST_WORDS = 2 ** 26;

/** Numbers by two words' ids. Millions of them stay out of the garbage collector's way. */
export class WordPairs {
  #keys = new Float64Array(START_SIZE).fill(EMPTY);
  #values = new Float64Array(START_SIZE);
  #count = 0;

  /** The number of a pair, which is computed where it isn't known. */
  get(first: number, second: number, compute: (first: number, second: number) => number): number {
    const key = first * MOST_WORDS + second;
    const place = this.#placeOf(key, first, second);
    if (this.#keys[place] === key) return this.#values[place]!;
    const value = compute(first, second);
    this.#keys[place] = key;
    this.#values[place] = value;
    if (++this.#count > MOST) this.#clear();
    else if (this.#count * 2 > this.#keys.length) this.#grow();
    return value;
  }

  #placeOf(key: number, first: number, second: number): number {
    const mask = this.#keys.length - 1;
    let place = (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> 7;
    for (place &= mask; this.#keys[place] !== EMPTY && this.#keys[place] !== key;) place = (place + 1) & mask;
    return place;
  }

  #clear(): void {
    this.#keys.fill(EMPTY);
    this.#count = 0;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(2 * keys.length).fill(EMPTY);
    this.#values = new Float64Array(2 * keys.length);
    for (const [i, key] of keys.entries()) {
      if (key === EMPTY) continue;
      const place = this.#placeOf(key, Math.floor(key / MOST_WORDS), key % MOST_WORDS);
      this.#keys[place] = key;
      this.#values[place] = values[i]!;
    }
  }
}

/** No word: letters that stay, or digits. */
export const NO_WORD = -1;

/** Words that end a name and tell rows apart; what stands before them is mostly a thing. */
const HEADS = new Set(['code', 'id', 'identifier', 'name', 'number']);
/** Shorter words in "ed" are seldom participles: "seed", "speed". */
const SHORTEST_PARTICIPLE = 6;

/** What the steps from word to word say; scores are remembered. Words by their ids. */
export class Transitions {
  /** The word before the first. */
  readonly edge: number;
  readonly #words: ColumnWords;
  readonly #weights: Weights;
  readonly #scores = new WordPairs();

  constructor(words: ColumnWords, weights: Weights) {
    this.#words = words;
    this.#weights = weights;
    this.edge = words.idOf(EDGE);
  }

  /** What it says that one word follows another. */
  score(from: number, to: number): number {
    return this.#scores.get(from, to, this.#scoreOf);
  }

  readonly #scoreOf = (from: number, to: number): number => {
    const gain = this.#words.pairGain(from, to);
    if (from === this.edge) return this.#weights.firstWord * gain;
    const repeated = this.#isRepeated(from, to) ? this.#weights.repeated : 0;
    const participle = this.#isParticipleOfHead(from, to) ? this.#weights.participleOfHead : 0;
    const near = this.#weights.nearPrevious * this.#words.nearness(from, to);
    return this.#weights.pairGain * gain + repeated + participle + near;
  };

  values(from: number, to: number): readonly FeatureValue[] {
    const gain = this.#words.pairGain(from, to);
    if (from === this.edge) return [['firstWord', gain]];
    return [
      ['pairGain', gain],
      ['repeated', this.#isRepeated(from, to) ? 1 : 0],
      ['participleOfHead', this.#isParticipleOfHead(from, to) ? 1 : 0],
      ['nearPrevious', this.#words.nearness(from, to)],
    ];
  }

  #isRepeated(from: number, to: number): boolean {
    const [first, second] = [this.#words.word(from), this.#words.word(to)];
    return first.charCodeAt(0) === second.charCodeAt(0) && stemOf(first) === stemOf(second);
  }

  /** "provided code": a provider code is what people mean. */
  #isParticipleOfHead(from: number, to: number): boolean {
    if (!HEADS.has(this.#words.word(to))) return false;
    const word = this.#words.word(from);
    if (word.length < SHORTEST_PARTICIPLE || !word.endsWith('ed')) return false;
    return this.#words.isWord(word.slice(0, -1)) || this.#words.isWord(word.slice(0, -2));
  }

  /** What it says that a name ends with a word, and that such a column is of a type. */
  endValues(word: number, type: ColumnType | null): readonly FeatureValue[] {
    const last: FeatureValue = ['lastWord', this.#words.pairGain(word, this.edge)];
    return type === null ? [last] : [last, ['typeGain', this.#words.typeGain(this.#words.word(word), type)]];
  }

  endScore(word: number, type: ColumnType | null): number {
    let sum = 0;
    for (const [feature, value] of this.endValues(word, type)) sum += this.#weights[feature] * value;
    return sum;
  }
}
