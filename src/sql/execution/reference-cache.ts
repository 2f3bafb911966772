import type { QueryOutcome } from './query-outcome.js';

/** Values of results that are kept, all together, and of one at most. */
const MAX_VALUES = 500_000;
const MAX_OF_ONE = 50_000;

/** Bytes of a text or blob that count as one value. */
const VALUE_BYTES = 32;

/** Values of a result, long texts as several; that of a row without columns is 1. */
function sizeOf(outcome: QueryOutcome): number {
  if (outcome.kind !== 'rows') return 1;
  let size = 1;
  for (const row of outcome.rows) {
    size += 1;
    for (const value of row) {
      if (typeof value === 'string') size += value.length / VALUE_BYTES;
      else if (typeof value === 'object' && value !== null) {
        size += (value instanceof Uint8Array ? value : value.text).byteLength / VALUE_BYTES;
      }
      size += 1;
    }
  }
  return size;
}

/** Results of reference queries: they come again with each model, seed and check. The oldest make room. */
export class ReferenceCache {
  readonly #kept = new Map<string, { readonly outcome: QueryOutcome; readonly size: number }>();
  #size = 0;

  get(key: string): QueryOutcome | undefined {
    return this.#kept.get(key)?.outcome;
  }

  /** Keeps an outcome that running the query again would give again, if it is not too large. */
  keep(key: string, outcome: QueryOutcome): void {
    if (outcome.kind === 'timed-out' || outcome.kind === 'too-large' || this.#kept.has(key)) return;
    if (outcome.kind === 'failed' && outcome.at !== 'query') return; // a locked file may be free the next time
    const size = sizeOf(outcome);
    if (size > MAX_OF_ONE) return;
    this.#kept.set(key, { outcome, size });
    this.#size += size;
    for (const [oldest, entry] of this.#kept) {
      if (this.#size <= MAX_VALUES) return;
      this.#kept.delete(oldest);
      this.#size -= entry.size;
    }
  }
}
