import type { KeyValueStore } from '../../../src/annotate/web/edit-journal.js';

/** A browser's storage that outlives the page, as far as a test goes. */
export class MemoryStore implements KeyValueStore {
  readonly #values = new Map<string, string>();

  getItem(key: string): string | null {
    return this.#values.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.#values.set(key, value);
  }
  removeItem(key: string): void {
    this.#values.delete(key);
  }
  key(index: number): string | null {
    return [...this.#values.keys()][index] ?? null;
  }
  get length(): number {
    return this.#values.size;
  }
}
