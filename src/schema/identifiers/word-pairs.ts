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
