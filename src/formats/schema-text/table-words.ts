import pluralize from 'pluralize';
import { spacedName } from '../../schema/name-identity.js';
import type { Database } from '../../schema/schema.js';

const WORDS = /[\p{L}\p{N}_]+/gu;

/** The words by which texts speak of a schema's tables: "card", "cards", "hero attribute". */
export class TableWords {
  readonly #tables = new Map<string, Set<number>>();

  constructor({ tables }: Database) {
    tables.forEach(({ name, originalName }, table) => {
      for (const one of [name, originalName].map(spacedName)) {
        for (const form of [one, pluralize.singular(one), pluralize.plural(one)]) this.#add(form, table);
      }
    });
  }

  /** Whether a word is the name of a table. */
  has(word: string): boolean {
    return this.#tables.has(spacedName(word));
  }

  /** The tables that a word before a dot means, by name or by the end of one: "stats_posts". */
  qualified(word: string): ReadonlySet<number> {
    const name = spacedName(word);
    const last = name.slice(name.lastIndexOf(' ') + 1);
    return this.#tables.get(name) ?? this.#tables.get(pluralize.singular(name)) ?? this.#tables.get(last) ?? new Set();
  }

  /** The tables that a text speaks of. */
  in(text: string): ReadonlySet<number> {
    const words = (text.match(WORDS) ?? []).map((word) => spacedName(word));
    const pairs = words.slice(1).map((word, i) => `${words[i] ?? ''} ${word}`);
    return new Set([...words, ...pairs].flatMap((word) => [...(this.#tables.get(word) ?? [])]));
  }

  #add(form: string, table: number): void {
    const known = this.#tables.get(form) ?? new Set();
    this.#tables.set(form, known.add(table));
  }
}
