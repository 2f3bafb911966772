import { memoize } from '../schema/memoize.js';

const NEWLINE = 0x0a;

/** Finds lines by prefix in a text whose lines are in byte order, without splitting it; a lookup costs O(log n). */
export class SortedLines {
  readonly #text: Buffer;

  constructor(text: Buffer) {
    this.#text = text;
  }

  /** The first line that begins with `prefix`, without its line end, or null. */
  readonly first = memoize((prefix): string | null => {
    for (const line of this.startingWith(prefix)) return line;
    return null;
  });

  /** Every line that begins with `prefix`, in order. */
  *startingWith(prefix: string): Generator<string> {
    const key = Buffer.from(prefix);
    let at = this.#lowerBound(key);
    while (at < this.#text.length && this.#compareAt(at, key) === 0) {
      const end = this.#lineEnd(at);
      yield this.#text.toString('utf8', at, end);
      at = end + 1;
    }
  }

  /** Every line from first to last. */
  *all(): Generator<string> {
    for (let at = 0; at < this.#text.length;) {
      const end = this.#lineEnd(at);
      yield this.#text.toString('utf8', at, end);
      at = end + 1;
    }
  }

  /** Offset of the first line that is not below `key`; the text's length when all are. */
  #lowerBound(key: Buffer): number {
    let low = 0;
    let high = this.#text.length;
    while (low < high) {
      const start = this.#lineStart((low + high) >>> 1);
      if (this.#compareAt(start, key) < 0) low = this.#lineEnd(start) + 1;
      else high = start;
    }
    return low;
  }

  #lineStart(at: number): number {
    return at === 0 ? 0 : this.#text.lastIndexOf(NEWLINE, at - 1) + 1;
  }

  #lineEnd(at: number): number {
    const end = this.#text.indexOf(NEWLINE, at);
    return end === -1 ? this.#text.length : end;
  }

  /** Compares the line at `start`, cut to the length of `key`, with `key`. */
  #compareAt(start: number, key: Buffer): number {
    const end = Math.min(start + key.length, this.#lineEnd(start));
    return this.#text.compare(key, 0, key.length, start, end);
  }
}
