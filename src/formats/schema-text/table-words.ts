import { editDistance } from '../../schema/edit-distance.js';
import { spacedName } from '../../schema/name-identity.js';
import { pluralOf, singularOf } from '../../schema/noun-number.js';
import type { Database } from '../../schema/schema.js';

const WORDS = /[\p{L}\p{N}_]+/gu;

/** The words by which texts speak of a schema's tables: "card", "cards", "hero attribute". */
export class TableWords {
  readonly #tables = new Map<string, Set<number>>();

  constructor({ tables }: Database) {
    tables.forEach(({ name, originalName }, table) => {
      for (const one of [name, originalName].map(spacedName)) {
        for (const form of [one, singularOf(one), pluralOf(one)]) this.#add(form, table);
      }
    });
  }

  /** Checks whether a word is the name of a table. */
  has(word: string): boolean {
    return this.#tables.has(spacedName(word));
  }

  /**
   * The tables that a word before a dot means, by name, by the end of one ("stats_posts") or a letter off ("color").
   */
  qualified(word: string): ReadonlySet<number> {
    const name = spacedName(word);
    const last = name.slice(name.lastIndexOf(' ') + 1);
    const near = [...this.#tables.keys()].find((one) => one.length > 4 && editDistance(one, name) === 1);
    const forms = [name, singularOf(name), last, near ?? ''];
    return forms.map((form) => this.#tables.get(form)).find((tables) => tables !== undefined) ?? new Set();
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
