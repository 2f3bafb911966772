import pluralize from 'pluralize';
import { wordsOf } from '../../schema/name-identity.js';
import { expandAbbreviations } from '../../schema/abbreviations.js';
import type { Database } from '../../schema/schema.js';
import type { DependencyToken } from '../parser/parse.js';
import type { SchemaMention } from './segment.js';

function normalForm(word: string): string {
  return pluralize.singular(word.toLowerCase());
}

function namesOf({ tables }: Database): readonly string[] {
  return tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)]);
}

/** Finds the words of questions that name a table or column of a database, in singular or plural: whole names alone. */
export class SchemaPhrases {
  readonly #names = new Set<string>();
  readonly #longest: number;

  constructor(database: Database) {
    let longest = 0;
    for (const name of namesOf(database)) {
      const words = wordsOf(expandAbbreviations(name)).map(normalForm);
      if (words.length > 0) this.#names.add(words.join(' '));
      longest = Math.max(longest, words.length);
    }
    this.#longest = longest;
  }

  /** Names from left to right, the longest at each place; none overlap. */
  find(tokens: readonly DependencyToken[]): readonly SchemaMention[] {
    const words = tokens.map(({ text }) => normalForm(text));
    const mentions: SchemaMention[] = [];
    for (let at = 0; at < words.length; at++) {
      const length = this.#lengthAt(words, at);
      if (length === 0) continue;
      const [first, last] = [tokens[at], tokens[at + length - 1]];
      if (first !== undefined && last !== undefined) mentions.push({ start: first.start, end: last.end });
      at += length - 1;
    }
    return mentions;
  }

  #lengthAt(words: readonly string[], at: number): number {
    for (let length = Math.min(this.#longest, words.length - at); length > 0; length--) {
      if (this.#names.has(words.slice(at, at + length).join(' '))) return length;
    }
    return 0;
  }
}
