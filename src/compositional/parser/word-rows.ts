import type { ParserLanguage } from './model-files.js';
import type { RawToken } from './english-tokenizer.js';

const MASK = (1n << 64n) - 1n;
/** MurmurHash64A's multiplier and shift. */
const MULTIPLIER = 0xc6a4a7935bd1e995n;
const SHIFT = 47n;
/** spaCy's seed of hashes of strings (spacy/strings.pyx). */
const STRING_SEED = 1n;

const times = (a: bigint, b: bigint): bigint => (a * b) & MASK;
const plus = (a: bigint, b: bigint): bigint => (a + b) & MASK;

const encoder = new TextEncoder();

function mixTail(hash: bigint, tail: Uint8Array): bigint {
  if (tail.length === 0) return hash;
  let word = 0n;
  tail.forEach((byte, at) => (word |= BigInt(byte) << BigInt(8 * at)));
  return times(hash ^ word, MULTIPLIER);
}

/** 64-bit hash by which spaCy's string store knows a text: MurmurHash64A of its UTF-8 bytes. */
export function hashString(text: string): bigint {
  const bytes = encoder.encode(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - (bytes.length % 8);
  let hash = STRING_SEED ^ times(BigInt(bytes.length), MULTIPLIER);
  for (let at = 0; at < whole; at += 8) {
    const word = times(view.getBigUint64(at, true), MULTIPLIER);
    hash = times(hash ^ times(word ^ (word >> SHIFT), MULTIPLIER), MULTIPLIER);
  }
  hash = mixTail(hash, bytes.subarray(whole));
  hash = times(hash ^ (hash >> SHIFT), MULTIPLIER);
  return hash ^ (hash >> SHIFT);
}

function finish(hash: bigint): bigint {
  let mixed = times(hash ^ (hash >> 33n), 0xff51afd7ed558ccdn);
  mixed = times(mixed ^ (mixed >> 33n), 0xc4ceb9fe1a85ec53n);
  return mixed ^ (mixed >> 33n);
}

/** Four rows of a hash table for one 64-bit key, as thinc's HashEmbed picks them: MurmurHash3 x64 of 128 bits, in quarters. */
export function hashedRows(key: bigint, seed: number, rows: number): readonly [number, number, number, number] {
  const product = times(key, 0x87c37b91114253d5n);
  const rotated = ((product << 31n) & MASK) | (product >> 33n);
  let first = times(rotated, 0x4cf5ad432745937fn) ^ BigInt(seed) ^ 8n;
  let second = BigInt(seed) ^ 8n;
  first = plus(first, second);
  second = plus(second, first);
  first = finish(first);
  second = finish(second);
  first = plus(first, second);
  second = plus(second, first);
  const row = (quarter: bigint): number => Number(quarter & 0xffffffffn) % rows;
  return [row(first), row(first >> 32n), row(second), row(second >> 32n)];
}

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
