import { compareText, getOrMake } from '../../present.js';
import { sha256Of } from '../../run/sha256.js';

interface Ranked<T> {
  readonly rank: string;
  readonly value: T;
}

function hashed(text: string): string {
  return sha256Of(text) + text;
}

interface Group<T> {
  /** The groups' order. */
  readonly rank: string;
  /** The values kept, in order of rank. */
  kept: readonly Ranked<T>[];
}

interface Picked<T> {
  readonly group: Group<T>;
  readonly round: number;
  readonly one: Ranked<T>;
}

/** A place to be picked from: the group's values in order, and the group. Lower rounds come first. */
interface Place {
  readonly round: number;
  readonly rank: string;
}

/**
 * Keeps a few of many values, spread evenly over groups (databases, say), whatever the order they come in:
 * within a group by a hash of the value's text, between groups in turn. Memory is twice `limit` values, and the groups.
 */
export class ExamplePicker<T> {
  readonly #limit: number;
  readonly #groups = new Map<string, Group<T>>();
  #size = 0;
  /** The last place that was picked when there were enough; what is behind it never will be. */
  #last: Place | null = null;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Offers a value; `text` identifies it. Within a group those that are preferred come first. */
  offer(group: string, text: string, value: T, isPreferred = false): void {
    const own = getOrMake(this.#groups, group, () => ({ rank: hashed(group), kept: [] }));
    const rank = (isPreferred ? '' : '~') + hashed(text);
    const found = own.kept.findIndex((other) => other.rank > rank);
    const at = found === -1 ? own.kept.length : found;
    if (at >= this.#limit || this.#isBehind({ round: at, rank: own.rank })) return;
    own.kept = own.kept.toSpliced(at, 0, { rank, value });
    this.#size++;
    if (this.#size > 2 * this.#limit) this.#dropUnpicked();
  }

  #isBehind({ round, rank }: Place): boolean {
    if (this.#last === null) return false;
    return round > this.#last.round || (round === this.#last.round && compareText(rank, this.#last.rank) > 0);
  }

  /** Drops values that are not picked now and so never will be: further values only take places away. */
  #dropUnpicked(): void {
    const places = this.#pick();
    const kept = new Map<Group<T>, Ranked<T>[]>();
    for (const { group, one } of places) kept.set(group, [...(kept.get(group) ?? []), one]);
    for (const group of this.#groups.values()) group.kept = kept.get(group) ?? [];
    this.#size = places.length;
    const last = places.at(-1);
    if (last !== undefined) this.#last = { round: last.round, rank: last.group.rank };
  }

  /** At most `limit` values, taken in turn from the groups; the groups too come in order of hash, not by alphabet. */
  picked(): T[] {
    return this.#pick().map(({ one }) => one.value);
  }

  #pick(): readonly Picked<T>[] {
    const groups = [...this.#groups.values()]
      .filter(({ kept }) => kept.length > 0)
      .sort((a, b) => compareText(a.rank, b.rank));
    const result: Picked<T>[] = [];
    for (let round = 0; result.length < this.#limit; round++) {
      const places = groups.flatMap((group) =>
        group.kept.slice(round, round + 1).map((one) => ({ group, round, one })),
      );
      if (places.length === 0) break;
      result.push(...places.slice(0, this.#limit - result.length));
    }
    return result;
  }
}
