import { wordsOf } from '../../schema/name-identity.js';
import { expandAbbreviations } from '../../schema/abbreviations.js';
import { singularOf } from '../../schema/natural-name.js';
import type { Database } from '../../schema/schema.js';
import type { DependencyToken } from '../parser/parse.js';
import type { SchemaMention } from './segment.js';

function normalForm(word: string): string {
  return singularOf(word.toLowerCase());
}

function stemmed(name: string): readonly string[] {
  return wordsOf(expandAbbreviations(name)).map(normalForm);
}

/** Finds the words of questions that name a table or column of a database, in singular or plural: whole names alone. */
export class SchemaPhrases {
  /** True if each name is one of a table. */
  readonly #names = new Map<string, boolean>();
  #longest = 0;

  constructor({ tables }: Database) {
    for (const { columns } of tables) for (const { name } of columns) this.#add(name, false);
    for (const { name } of tables) this.#add(name, true);
    for (const { name } of tables) this.#addNoun(name);
  }

  /** "buildings" for the table "apartment buildings", unless it is the name of something else. */
  #addNoun(name: string): void {
    const words = stemmed(name);
    const noun = words.at(-1);
    if (words.length > 1 && noun !== undefined && !this.#names.has(noun)) this.#names.set(noun, true);
  }

  #add(name: string, isTable: boolean): void {
    const words = stemmed(name);
    // The tokenizer takes "id" for "I'd".
    for (const form of new Set([words.join(' '), words.map((word) => (word === 'id' ? 'i d' : word)).join(' ')])) {
      if (form !== '') this.#names.set(form, isTable);
      this.#longest = Math.max(this.#longest, form.split(' ').length);
    }
  }

  /** Names from left to right, the longest at each place; none overlap. */
  find(tokens: readonly DependencyToken[]): readonly SchemaMention[] {
    const words = tokens.map(({ text }) => normalForm(text));
    const mentions: SchemaMention[] = [];
    for (let at = 0; at < words.length; at++) {
      const length = this.#lengthAt(words, at);
      if (length === 0) continue;
      const [first, last] = [tokens[at], tokens[at + length - 1]];
      const isTable = this.#names.get(words.slice(at, at + length).join(' ')) === true;
      if (first !== undefined && last !== undefined) mentions.push({ start: first.start, end: last.end, isTable });
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
