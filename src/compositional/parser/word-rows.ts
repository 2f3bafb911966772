import type { ParserLanguage } from './model-files.js';
import type { RawToken } from './english-tokenizer.js';
import { hashedRows, hashString } from './string-hash.js';

type Table = ParserLanguage['tables'][number] & { readonly first: number };
type Rows = readonly number[];

const LONGEST_SHAPE = 100;
const LETTER = /^\p{L}/u;
const UPPER = /^\p{Lu}/u;
const DIGIT = /^\p{Nd}/u;
/** Equal signs of a shape in a row; more are not written. */
const LONGEST_SEQUENCE = 4;

function signOf(character: string): string {
  if (LETTER.test(character)) return UPPER.test(character) ? 'X' : 'x';
  return DIGIT.test(character) ? 'd' : character;
}

/** A word's shape: X for a capital, x for another letter, d for a digit, no more than four of one in a row. */
export function wordShape(text: string): string {
  const characters = [...text];
  if (characters.length >= LONGEST_SHAPE) return 'LONG';
  let [shape, last, count] = ['', '', 0];
  for (const character of characters) {
    const sign = signOf(character);
    count = sign === last ? count + 1 : 1;
    last = sign;
    if (count <= LONGEST_SEQUENCE) shape += sign;
  }
  return shape;
}

/** Rows of the network's hash tables for the words of a language; each word is looked up once. */
export class WordRows {
  readonly #tables: readonly Table[];
  readonly #norms: ReadonlyMap<string, string>;
  readonly #symbols: ReadonlyMap<string, number>;
  readonly #known = new Map<string, Rows>();

  constructor({ tables, norms, symbols }: Pick<ParserLanguage, 'tables' | 'norms' | 'symbols'>) {
    let next = 0;
    this.#tables = tables.map((table) => ({ ...table, first: (next += table.rows) - table.rows }));
    this.#norms = new Map(Object.entries(norms));
    this.#symbols = new Map(Object.entries(symbols));
  }

  /** Rows of a word that the network adds up: four for each attribute. */
  get size(): number {
    return this.#tables.length * 4;
  }

  /** A word's normal form: that of its exception, else that of the list of words, else small letters. */
  normOf({ text, norm }: Pick<RawToken, 'text' | 'norm'>): string {
    return norm ?? this.#norms.get(text) ?? text.toLowerCase();
  }

  /** Rows of a token, counted over all tables. */
  rowsOf(token: RawToken): Rows {
    return this.#tables.flatMap((table) => this.#rowsIn(table, token));
  }

  #rowsIn(table: Table, token: RawToken): Rows {
    switch (table.attribute) {
      case 'NORM':
        return this.#textRows(table, this.normOf(token));
      case 'PREFIX':
        return this.#textRows(table, [...token.text].slice(0, 1).join(''));
      case 'SUFFIX':
        return this.#textRows(table, [...token.text].slice(-3).join(''));
      case 'SHAPE':
        return this.#textRows(table, wordShape(token.text));
      case 'SPACY':
        return this.#flagRows(table, token.isSpaced);
      case 'IS_SPACE':
        return this.#flagRows(table, token.isWhite);
    }
  }

  #textRows(table: Table, text: string): Rows {
    return this.#rows(table, text, () => BigInt(this.#symbols.get(text) ?? hashString(text)));
  }

  #flagRows(table: Table, flag: boolean): Rows {
    return this.#rows(table, String(flag), () => (flag ? 1n : 0n));
  }

  #rows(table: Table, text: string, keyOf: () => bigint): Rows {
    const name = `${table.attribute} ${text}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const rows = hashedRows(keyOf(), table.seed, table.rows).map((row) => table.first + row);
    this.#known.set(name, rows);
    return rows;
  }
}
