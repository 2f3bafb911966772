import { spacedName } from './name-identity.js';
import { naturalName } from './natural-name.js';
import type { Database } from './schema.js';
import type { WordSegmenter } from './word-segmenter.js';

interface Named {
  readonly name: string;
  readonly originalName: string;
}

/** A word with a number behind it: "address1". Codes such as "x1" and "icd9" stay as they are. */
const NUMBERED = /^([a-z]{4,})(\d{1,2})$/;

const lettersOf = (text: string): string => text.toLowerCase().replace(/[\s_]+/gu, '');

/** Finds the words in names that are written together, as far as the data set has not given them itself. */
export class NaturalNamer {
  readonly #segmenter: WordSegmenter;
  readonly #areGiven: boolean;

  /** `areGiven`: whether the data set gives natural names of its own next to identifiers, as Spider does. */
  constructor(segmenter: WordSegmenter, areGiven: boolean) {
    this.#segmenter = segmenter;
    this.#areGiven = areGiven;
  }

  /** A schema whose tables and columns have natural names of words; identifiers stay. */
  nameSchema(database: Database): Database {
    return {
      ...database,
      tables: database.tables.map((table) => ({
        ...table,
        name: this.nameOf(table),
        columns: table.columns.map((column) => ({ ...column, name: this.nameOf(column) })),
      })),
    };
  }

  /**
   * The natural name of a table or column: the words of its identifier, "unitdischargetime" → "unit discharge time".
   * Where people gave one of their own, that stays as it is.
   */
  nameOf({ name, originalName }: Named): string {
    // Readers take natural names in lower case; the identifier still has the capitals that begin words.
    if (lettersOf(name) !== lettersOf(originalName)) return name.includes('_') ? spacedName(name) : name;
    if (/\s/u.test(name)) return this.#areGiven ? name : this.#wordsOf(name);
    if (this.#segmenter.isWord(name)) return name;
    return this.#wordsOf(naturalName(originalName)) || name;
  }

  #wordsOf(name: string): string {
    return name
      .split(' ')
      .flatMap((word) => this.#split(word))
      .join(' ');
  }

  #split(word: string): readonly string[] {
    const [, letters, digits] = NUMBERED.exec(word) ?? [];
    if (letters === undefined || digits === undefined) return this.#segmenter.segment(word);
    const parts = this.#segmenter.segment(letters);
    return parts.length > 1 || this.#segmenter.isWord(letters) ? [...parts, digits] : [word];
  }
}
