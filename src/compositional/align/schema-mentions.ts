import { type ColumnRef, columnAt, columnKey, type Database } from '../../schema/schema.js';
import { wordsOf } from '../../schema/name-identity.js';
import { IMPLIED_NAMES } from './cues.js';
import { likeness, numberOfWord, type QuestionWord, questionWords, stemOf } from './question-words.js';

/** Words of names that say little of what they name. */
const EMPTY: ReadonlySet<string> = new Set([
  'of',
  'the',
  'in',
  'id',
  'cod',
  'name',
  'nam',
  'typ',
  'number',
  'no',
  'num',
]);
const EMPTY_WEIGHT = 0.4;
const IMPLIED = 0.6;

/** How much texts mention a database's columns, tables and constants. */
export class SchemaMentions {
  readonly #database: Database;
  readonly #columnStems = new Map<string, readonly string[]>();
  readonly #tableStems: readonly (readonly string[])[];

  constructor(database: Database) {
    this.#database = database;
    this.#tableStems = database.tables.map(({ name }) => stemsOf(name));
  }

  /** 0 to 1: the share of a column's name that the words say, or something like it. */
  column(ref: ColumnRef, words: readonly QuestionWord[], text: string): number {
    const stems = this.#stemsOf(ref);
    return Math.max(share(stems, words), isImplied(stems, text) ? IMPLIED : 0);
  }

  /** 0 to 1, as `column`. */
  table(table: number, words: readonly QuestionWord[]): number {
    return share(this.#tableStems[table] ?? [], words);
  }

  #stemsOf(ref: ColumnRef): readonly string[] {
    const key = columnKey(ref);
    const stems = this.#columnStems.get(key) ?? stemsOf(columnAt(this.#database, ref).name);
    this.#columnStems.set(key, stems);
    return stems;
  }
}

function stemsOf(name: string): readonly string[] {
  return wordsOf(name.toLowerCase()).map(stemOf);
}

function share(stems: readonly string[], words: readonly QuestionWord[]): number {
  let [said, all] = [0, 0];
  for (const stem of stems) {
    const weight = EMPTY.has(stem) ? EMPTY_WEIGHT : 1;
    all += weight;
    said += weight * Math.max(0, ...words.map((word) => likeness(stem, word.stem)));
  }
  return all === 0 ? 0 : said / all;
}

function isImplied(stems: readonly string[], text: string): boolean {
  return IMPLIED_NAMES.some(([words, names]) => stems.some((stem) => names.includes(stem)) && words.test(text));
}

/** 0 to 1: the share of a constant's words that a text has. */
export function valueMention(value: string, words: readonly QuestionWord[]): number {
  const parts = questionWords(value.replaceAll('%', ' '));
  const [only] = parts;
  if (only === undefined) return 0;
  const number = parts.length === 1 ? numberOfWord(only.text) : null;
  if (number !== null) return words.some(({ text }) => numberOfWord(text) === number) ? 1 : 0;
  if (parts.length === 1 && only.text.length === 1) return initialMention(only.text, words);
  const said = parts.map(({ stem }) => Math.max(0, ...words.map((word) => likeness(stem, word.stem))));
  return said.reduce((sum, one) => sum + one, 0) / said.length;
}

/** A letter stands for itself, or for a word that begins with it: 'F' for "female". */
function initialMention(letter: string, words: readonly QuestionWord[]): number {
  if (words.some(({ text }) => text === letter)) return 1;
  return words.some(({ text }) => text.length > 3 && text.startsWith(letter)) ? 0.3 : 0;
}
