import type { QueryRows, SqlRow } from './query-outcome.js';
import { hasOneKey, RESULT_IDENTITY, type ResultEquality } from './result-mode.js';
import { rowKey } from './value-key.js';

/** The fate of a row as it is read: kept, passed over as it changes nothing, or the end: no equal result holds it. */
type RowFate = 'keep' | 'skip' | 'end';

/** Looks at the rows of a result one by one, for as long as the result may still equal another. */
export interface RowSifter {
  take(row: SqlRow): RowFate;
  /** True if a row was the end. */
  readonly hasEnded: boolean;
}

/** A result of more rows differs, however many there are. */
class RowCounter implements RowSifter {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  get hasEnded(): boolean {
    return this.#left < 0;
  }

  take(): RowFate {
    this.#left -= 1;
    return this.hasEnded ? 'end' : 'keep';
  }
}

/** Of a set, a row that the other lacks is the end, and one that comes again says nothing. */
class SetSifter implements RowSifter {
  readonly #wanted: ReadonlySet<string>;
  readonly #seen = new Set<string>();
  readonly #tolerance: number | null;
  hasEnded = false;

  constructor(wanted: ReadonlySet<string>, tolerance: number | null) {
    this.#wanted = wanted;
    this.#tolerance = tolerance;
  }

  take(row: SqlRow): RowFate {
    const key = rowKey(row, RESULT_IDENTITY);
    if (this.#seen.has(key)) return 'skip';
    if (!this.#wanted.has(key) && row.every((value) => hasOneKey(value, this.#tolerance))) {
      this.hasEnded = true;
      return 'end';
    }
    this.#seen.add(key);
    return 'keep';
  }
}

/** Keys of sets that other results are compared with, one after another. */
const wantedOf = new WeakMap<QueryRows, ReadonlySet<string>>();

function keysOf(reference: QueryRows): ReadonlySet<string> {
  const known = wantedOf.get(reference) ?? new Set(reference.rows.map((row) => rowKey(row, RESULT_IDENTITY)));
  wantedOf.set(reference, known);
  return known;
}

/**
 * Ends the reading of a result where it can't equal the reference any more; null in mode `bird`, which counts what is
 * equal.
 */
export function createRowSifter(reference: QueryRows, { mode, tolerance }: ResultEquality): RowSifter | null {
  if (mode === 'bird') return null;
  return mode === 'set' ? new SetSifter(keysOf(reference), tolerance) : new RowCounter(reference.rows.length);
}
