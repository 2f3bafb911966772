import { itemAt } from '../present.js';

/** Reads whole numbers of seven bits a byte, the lowest first. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next number. @throws RangeError at the end of the bytes */
  next(): number {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('the n-grams end too early');
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}

/** Discounts of counts 1, 2, and 3 and more. */
export type Discounts = readonly [number, number, number];

/** N-grams of one length by context: the words that follow it, with their counts. */
class Level {
  readonly #discounts: Discounts;
  readonly #words: number[] = [];
  readonly #counts: number[] = [];
  /** Where the words of each context start; one more at the end. */
  readonly #starts: number[] = [0];
  readonly #totals: number[] = [];
  /** The share of probability that each context leaves to the shorter one. */
  readonly #left: number[] = [];

  constructor(discounts: Discounts) {
    this.#discounts = discounts;
  }

  /** Reads the next context; `below` is told each of its words in turn. */
  read(reader: VarintReader, below: () => void): void {
    const size = reader.next();
    const total = size === 0 ? 0 : reader.next();
    let taken = 0;
    let word = 0;
    for (let i = 0; i < size; i++) {
      word += reader.next();
      const count = reader.next();
      this.#words.push(word);
      this.#counts.push(count);
      taken += count - this.#discountOf(count);
      below();
    }
    this.#starts.push(this.#words.length);
    this.#totals.push(total);
    this.#left.push(size === 0 ? 1 : 1 - taken / total);
  }

  /** Position of a word after a context, -1 where it was not seen there. */
  find(context: number, word: number): number {
    let [low, high] = [itemAt(this.#starts, context), itemAt(this.#starts, context + 1)];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (itemAt(this.#words, middle) < word) low = middle + 1;
      else high = middle;
    }
    return low < itemAt(this.#starts, context + 1) && this.#words[low] === word ? low : -1;
  }

  /** P(word | context), given what the shorter context says. */
  probability(context: number, word: number, shorter: number): number {
    const found = this.find(context, word);
    const count = found === -1 ? 0 : itemAt(this.#counts, found);
    const own = count === 0 ? 0 : (count - this.#discountOf(count)) / itemAt(this.#totals, context);
    return own + itemAt(this.#left, context) * shorter;
  }

  #discountOf(count: number): number {
    return itemAt(this.#discounts, Math.min(count, 3) - 1);
  }
}

/**
 * Trigrams with interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998), as training/fluency_model.py wrote
 * them.
 */
export class NGramTree {
  readonly #size: number;
  readonly #unigrams: Level;
  readonly #bigrams: Level;
  readonly #trigrams: Level;

  /** @throws RangeError where the n-grams end too early */
  constructor(reader: VarintReader, size: number, discounts: readonly [Discounts, Discounts, Discounts]) {
    this.#size = size;
    const [unigrams, bigrams, trigrams] = discounts.map((own) => new Level(own)) as [Level, Level, Level];
    unigrams.read(reader, () => undefined);
    for (let word = 0; word < size; word++) {
      bigrams.read(reader, () => trigrams.read(reader, () => undefined));
    }
    [this.#unigrams, this.#bigrams, this.#trigrams] = [unigrams, bigrams, trigrams];
  }

  /** P(word | before, last), above 0; over all words but a sentence's start it sums to 1. */
  probability(before: number, last: number, word: number): number {
    // Every word but a sentence's start can come.
    const one = this.#unigrams.probability(0, word, 1 / (this.#size - 1));
    const two = this.#bigrams.probability(last, word, one);
    const context = this.#bigrams.find(before, last);
    return context === -1 ? two : this.#trigrams.probability(context, word, two);
  }
}
