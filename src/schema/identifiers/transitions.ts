import type { ColumnType } from '../schema.js';
import { type ColumnWords, EDGE } from './column-words.js';
import { stemOf } from './database-words.js';
import type { FeatureValue, Weights } from './features.js';
import { WordPairs } from './word-pairs.js';

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
