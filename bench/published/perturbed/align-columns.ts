import type { PublishedMapping } from '../../../src/formats/dataset.js';
import { itemAt } from '../../../src/present.js';
import type { Table } from '../../../src/schema/schema.js';
import { foldName } from '../../../src/sql/dialect.js';

/** What became of a column: it is called so now, it is in another form in others, or it is gone. */
export type ColumnFate =
  | { readonly kind: 'kept'; readonly name: string }
  | { readonly kind: 'recoded'; readonly recoding: ColumnRecoding }
  | { readonly kind: 'gone' };

/** Columns of a table in another form, of which one side has one: positions before, names after. */
export interface ColumnRecoding {
  readonly old: readonly number[];
  readonly now: readonly string[];
}

/** Most columns that one is split into, or that are merged into one. */
const MOST_PARTS = 4;

const GONE: ColumnFate = { kind: 'gone' };

/** Fates of a table's columns in the making. */
class Alignment {
  readonly #old: readonly string[];
  readonly #now: readonly string[];
  readonly #names: readonly string[];
  readonly #fates: (ColumnFate | null)[];
  readonly #taken = new Set<number>();

  constructor(old: Table, now: Table) {
    this.#old = old.columns.map(({ originalName }) => foldName(originalName));
    this.#names = now.columns.map(({ originalName }) => originalName);
    this.#now = this.#names.map(foldName);
    this.#fates = this.#old.map(() => null);
  }

  run(said: PublishedMapping): readonly ColumnFate[] {
    if (this.#isInPlace()) return this.#old.map((_, c) => ({ kind: 'kept', name: itemAt(this.#names, c) }));
    this.#old.forEach((name, c) => this.#keep(c, this.#now.indexOf(name)));
    for (const { old, now } of said.recoded) this.#recode(this.#places(this.#old, old), this.#places(this.#now, now));
    this.#fillGaps();
    return this.#fates.map((fate) => fate ?? GONE);
  }

  /** Whether all columns are where they stood, under their names or others. */
  #isInPlace(): boolean {
    if (this.#old.length !== this.#now.length) return false;
    return this.#old.every((name, c) => this.#now[c] === name || !this.#now.includes(name));
  }

  #places(names: readonly string[], wanted: readonly string[]): readonly number[] {
    return wanted.map((name) => names.indexOf(foldName(name)));
  }

  #keep(old: number, now: number): void {
    if (now < 0 || this.#taken.has(now)) return;
    this.#fates[old] = { kind: 'kept', name: itemAt(this.#names, now) };
    this.#taken.add(now);
  }

  #recode(old: readonly number[], now: readonly number[]): void {
    const isFree =
      old.every((c) => c >= 0 && this.#fates[c] === null) && now.every((c) => c >= 0 && !this.#taken.has(c));
    if (!isFree || old.length === 0 || now.length === 0) return;
    const recoding = { old, now: now.map((c) => itemAt(this.#names, c)) };
    for (const c of old) this.#fates[c] = { kind: 'recoded', recoding };
    for (const c of now) this.#taken.add(c);
  }

  /** Columns without a partner between the same two that have one belong together. */
  #fillGaps(): void {
    let [c, n] = [0, 0];
    while (c < this.#old.length || n < this.#now.length) {
      const old = runOf(c, this.#old.length, (at) => this.#fates[at] === null);
      const now = runOf(n, this.#now.length, (at) => !this.#taken.has(at));
      this.#pair(old, now);
      c += old.length + 1;
      n += now.length + 1;
    }
  }

  #pair(old: readonly number[], now: readonly number[]): void {
    if (old.length === now.length) old.forEach((at, i) => this.#keep(at, itemAt(now, i)));
    else if (old.length === 1 && now.length <= MOST_PARTS) this.#recode(old, now);
    else if (now.length === 1 && old.length <= MOST_PARTS) this.#recode(old, now);
  }
}

function runOf(from: number, end: number, holds: (at: number) => boolean): readonly number[] {
  const run: number[] = [];
  for (let at = from; at < end && holds(at); at++) run.push(at);
  return run;
}

/** What became of each column of a table that is one table still. */
export function alignColumns(old: Table, now: Table, said: PublishedMapping): readonly ColumnFate[] {
  return new Alignment(old, now).run(said);
}
