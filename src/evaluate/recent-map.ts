/** What was made for a key, kept for the keys that were asked for last. */
export class RecentMap<V> {
  readonly #kept = new Map<string, V>();
  readonly #size: number;

  /** @param size keys that are kept */
  constructor(size: number) {
    this.#size = size;
  }

  /** The value of a key, made where it is not kept. */
  of(key: string, make: () => V): V {
    const known = this.#kept.get(key);
    const value = known ?? make();
    if (known !== undefined) this.#kept.delete(key);
    this.#kept.set(key, value); // now the last to go
    if (this.#kept.size > this.#size) this.#kept.delete(this.#kept.keys().next().value ?? key);
    return value;
  }
}
