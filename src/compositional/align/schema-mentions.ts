import { columnAt, type ColumnRef, type Database } from '../../schema/schema.js';
import { wordsOf } from '../../schema/name-identity.js';
import { memoize } from '../../schema/memoize.js';
import { IMPLIED_NAMES } from './cues.js';

/** A word of a question. */
export interface QuestionWord {
  /** In lower case. */
  readonly text: string;
  /** Without the endings of plurals and verbs. */
  readonly stem: string;
}

const WORD = /[\p{L}\p{N}]+(?:[.\-'’][\p{L}\p{N}]+)*/gu;
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** Letters that two words of one family share at least: "weigh", "weight"; "France", "French". */
const SHARED = 4;

/** A word without the endings of plurals and verbs, roughly: what is compared, not shown. */
export function stemOf(word: string): string {
  if (word.length < 4) return word;
  const plain = word.replace(/['’]s?$/u, '');
  if (/ies$/u.test(plain)) return `${plain.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/u.test(plain)) return plain;
  const singular = plain.replace(/(?<=x|ch|sh|ss)es$|s$/u, '');
  const base = singular.length > 5 ? singular.replace(/(?:ing|ed)$/u, '') : singular;
  return base.replace(/([bdgmnprt])\1$/u, '$1').replace(/(?<=...)e$/u, ''); // "ages" as "age", which is too short to lose more
}

/** The words of a text in order. */
export function questionWords(text: string): readonly QuestionWord[] {
  return [...text.toLowerCase().matchAll(WORD)].map(([word]) => ({ text: word, stem: stemOf(word) }));
}

/** The number that a word says: "3", "three"; null for others. */
function numberOfWord(word: string): number | null {
  const spelled = NUMBERS.indexOf(word);
  if (spelled >= 0) return spelled;
  return /^\d+(?:\.\d+)?$/u.test(word) ? Number(word) : null;
}

/** How alike two stems are: 1 for the same, less for words of one family, else 0. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared++;
  return shared >= SHARED && shared >= Math.max(a.length, b.length) * 0.6 ? 0.7 : 0;
}

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

  constructor(database: Database) {
    this.#database = database;
  }

  /** 0 to 1: the share of a column's name that the words say, or something like it. */
  column(ref: ColumnRef, words: readonly QuestionWord[], text: string): number {
    const stems = stemsOf(columnAt(this.#database, ref).name);
    return Math.max(share(stems, words), isImplied(stems, text) ? IMPLIED : 0);
  }

  /** 0 to 1, as `column`. */
  table(table: number, words: readonly QuestionWord[]): number {
    return share(stemsOf(this.#database.tables[table]?.name ?? ''), words);
  }
}

const stemsOf = memoize((name): readonly string[] => wordsOf(name.toLowerCase()).map(stemOf));

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
