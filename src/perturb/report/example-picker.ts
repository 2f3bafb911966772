import { sha256Of } from '../../run/sha256.js';
import { compareText } from '../../report/column-tally.js';

interface Ranked<T> {
  readonly rank: string;
  readonly value: T;
}

function hashed(text: string): string {
  return sha256Of(text) + text;
}

/**
 * Keeps a few of many values, spread evenly over groups (databases, say), whatever the order they come in:
 * within a group by a hash of the value's text, between groups in turn. Memory is twice `limit` values, and the groups.
 */
export class ExamplePicker<T> {
  readonly #limit: number;
  readonly #groups = new Map<string, Ranked<T>[]>();
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Offers a value; `text` identifies it. Within a group those that are preferred come first. */
  offer(group: string, text: string, value: T, isPreferred = false): void {
    const rank = (isPreferred ? '' : '~') + hashed(text);
    const kept = this.#groups.get(group) ?? [];
    this.#groups.set(group, kept);
    const last = kept.at(-1);
    if (kept.length === this.#limit && last !== undefined && rank >= last.rank) return;
    const at = kept.findIndex((other) => other.rank > rank);
    kept.splice(at === -1 ? kept.length : at, 0, { rank, value });
    this.#size++;
    if (this.#size > 2 * this.#limit) this.#dropUnpicked();
  }

  /** Drops values that are not picked now and so never will be: further values only take places away. */
  #dropUnpicked(): void {
    const picked = new Set(this.#pick());
    for (const [group, kept] of this.#groups) {
      this.#groups.set(
        group,
        kept.filter((one) => picked.has(one)),
      );
    }
    this.#size = picked.size;
  }

  /** At most `limit` values, taken in turn from the groups; the groups too come in order of hash, not by alphabet. */
  picked(): T[] {
    return this.#pick().map(({ value }) => value);
  }

  #pick(): Ranked<T>[] {
    const groups = [...this.#groups].sort(([a], [b]) => compareText(hashed(a), hashed(b))).map(([, kept]) => kept);
    const result: Ranked<T>[] = [];
    for (let round = 0; result.length < this.#limit; round++) {
      const values = groups.flatMap((kept) => kept.slice(round, round + 1));
      if (values.length === 0) break;
      result.push(...values.slice(0, this.#limit - result.length));
    }
    return result;
  }
}
