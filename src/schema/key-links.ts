import { columnKey, type Database } from './schema.js';

/** The columns that foreign keys link with one another, directly or over others. */
export class KeyLinks {
  readonly #next = new Map<string, string>();

  constructor({ foreignKeys }: Pick<Database, 'foreignKeys'>) {
    for (const { from, to } of foreignKeys) {
      const [a, b] = [this.rootOf(columnKey(from)), this.rootOf(columnKey(to))];
      if (a !== b) this.#next.set(a, b);
    }
  }

  /** Of a column, by its `columnKey`: the same for all that are linked, and itself for one that none is. */
  rootOf(key: string): string {
    const next = this.#next.get(key);
    return next === undefined ? key : this.rootOf(next);
  }
}
