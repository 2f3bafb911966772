import type * as Ort from 'onnxruntime-node';
import { ModelFileError } from '../../errors.js';
import { mustGet } from '../../present.js';
import type { RawToken } from './english-tokenizer.js';
import type { ParserFiles, ParserLanguage } from './model-files.js';

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

/** One thread: a batch is some milliseconds of work. */
const OPTIONS = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential' } as const;

/** The network's output for the tokens of several texts, one text after another. */
export interface ReadTokens {
  /** The features of each token in each of its roles for a move; the first row is that of a missing token. */
  readonly features: Ort.Tensor;
  /** Part of speech of each token by its number. */
  readonly tags: Int32Array;
}

type Texts = readonly (readonly RawToken[])[];

/**
 * The two networks of spaCy's tagger and parser: one reads tokens (hash embeddings, windows of three), one scores
 * moves.
 */
export class ParserNetworks {
  readonly #ort: typeof Ort;
  readonly #reader: Ort.InferenceSession;
  readonly #scorer: Ort.InferenceSession;
  readonly #words: WordRows;
  readonly #padding: number;
  readonly #roles: number;

  private constructor(
    ort: typeof Ort,
    sessions: readonly [Ort.InferenceSession, Ort.InferenceSession],
    { padding, sizes, ...language }: ParserFiles['language'],
  ) {
    this.#ort = ort;
    [this.#reader, this.#scorer] = sessions;
    this.#words = new WordRows(language);
    [this.#padding, this.#roles] = [padding, sizes.features];
  }

  /** @throws ModelFileError where onnxruntime refuses a network */
  static async open({ name, network, moves, language }: ParserFiles): Promise<ParserNetworks> {
    const ort = await import('onnxruntime-node');
    const open = (file: Uint8Array): Promise<Ort.InferenceSession> => ort.InferenceSession.create(file, OPTIONS);
    try {
      return new ParserNetworks(ort, [await open(network), await open(moves)], language);
    } catch (cause) {
      throw new ModelFileError(`${name} can’t be opened`, { cause, fix: 'Run `perturbql doctor`.' });
    }
  }

  /** Reads several texts, none empty, at once; each as if it were alone. */
  async read(texts: Texts): Promise<ReadTokens> {
    const { rows, words, tokens } = this.#batchOf(texts);
    const { Tensor } = this.#ort;
    const { size } = this.#words;
    const { features, tags } = await this.#reader.run({
      rows: new Tensor('int32', rows, [rows.length / size, size / 4, 4]),
      words: new Tensor('int32', words, [words.length]),
      tokens: new Tensor('int32', tokens, [tokens.length]),
    });
    const all = mustGet(features, 'the features of tokens');
    const inRoles = (tokens.length + 1) * this.#roles;
    return {
      features: all.reshape([inRoles, all.size / inRoles]),
      tags: mustGet(tags, 'the tags of tokens').data as Int32Array,
    };
  }

  /** Scores of all moves, `[states, moves]`, by the rows of features that each state looks at, `[states, roles]`. */
  async score(features: Ort.Tensor, context: Int32Array): Promise<Float32Array> {
    const states = new this.#ort.Tensor('int32', context, [context.length / this.#roles, this.#roles]);
    const { scores } = await this.#scorer.run({ features, context: states });
    return mustGet(scores, 'the scores of moves').data as Float32Array;
  }

  /** Ends both sessions. */
  async close(): Promise<void> {
    await this.#reader.release();
    await this.#scorer.release();
  }

  /**
   * Tokens of several texts as numbers: of words, 0 for the rows of zeros around each text, with each different word's
   * rows, and of their places in padding.
   */
  #batchOf(texts: Texts) {
    const numbers = new Map<string, number>();
    const rows: number[] = [];
    const count = texts.reduce((sum, { length }) => sum + length, 0);
    const words = new Int32Array(count + this.#padding * (texts.length + 1));
    const tokens = new Int32Array(count);
    let [at, read] = [this.#padding, 0];
    for (const text of texts) {
      for (const token of text) {
        const name = `${token.isSpaced ? ' ' : ''}${token.norm ?? ''}\n${token.text}`;
        let number = numbers.get(name);
        if (number === undefined) {
          number = numbers.size + 1;
          numbers.set(name, number);
          rows.push(...this.#words.rowsOf(token));
        }
        words[at] = number;
        tokens[read++] = at++;
      }
      at += this.#padding;
    }
    return { rows: Int32Array.from(rows), words, tokens };
  }
}
