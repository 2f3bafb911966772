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
 * within a group by a hash of the value's text, between groups in turn. Memory is `limit` values per group.
 */
export class ExamplePicker<T> {
  readonly #limit: number;
  readonly #groups = new Map<string, Ranked<T>[]>();

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
    if (kept.length > this.#limit) kept.pop();
  }

  /** At most `limit` values, taken in turn from the groups; the groups too come in order of hash, not by alphabet. */
  picked(): T[] {
    const groups = [...this.#groups].sort(([a], [b]) => compareText(hashed(a), hashed(b))).map(([, kept]) => kept);
    const result: T[] = [];
    for (let round = 0; result.length < this.#limit; round++) {
      const values = groups.flatMap((kept) => kept.slice(round, round + 1));
      if (values.length === 0) break;
      result.push(...values.slice(0, this.#limit - result.length).map(({ value }) => value));
    }
    return result;
  }
}
