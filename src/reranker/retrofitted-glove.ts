import type { PartOfSpeech, WordNet } from '../dictionary/wordnet-reader.js';
import { multiWordColumnTerms } from './column-terms.js';
import { createWordGraph, retrofit } from './retrofitting.js';
import { relatedPositions, type WordNetLexicon } from './wordnet-graph.js';

/** Up to this GloVe rank every alphabetic word is kept, names and inflected forms included; beyond it only WordNet's lemmas. */
const EVERY_WORD_RANK = 20_000;

/** Words of databases that WordNet 3.1 lacks and that are rarer in GloVe than {@link EVERY_WORD_RANK}. */
const COLUMN_WORDS = new Set(
  (
    'issn url uri ssn iata icao fips username timestamp hdi imdb doi pdf wifi iban barcode playlist smartphone homepage ' +
    'filename codec dataset metadata login postcode gpa zipcode dept avg lat sku hostname checkbox'
  ).split(' '),
);

const SINGLE_WORD = /^[a-z]+(?:-[a-z]+)*$/;
const OPEN_CLASSES: readonly PartOfSpeech[] = ['noun', 'verb', 'adjective'];

/** The vectors to start from: words in order of frequency, all of one dimension. */
export interface GloveVectors {
  readonly dimension: number;
  readonly words: readonly string[];
  vectorOf(word: string): ArrayLike<number>;
}

export interface RetrofittedTerms {
  /** Single words, most frequent first, then multi-word terms by their rarest word; words joined by `_`. */
  readonly terms: readonly string[];
  /** How many of the terms are single words. */
  readonly rankedCount: number;
  /** Float `[terms, dimension]`, row by row. */
  readonly vectors: readonly Float32Array[];
}

export interface TermLimits {
  readonly singleWords: number;
  readonly multiWords: number;
}

/** 62k × 100 int8 is 6.2 MB: with terms and scales under the 8 MB that the repository allows. */
const EMBEDDED_LIMITS: TermLimits = { singleWords: 52_000, multiWords: 10_000 };

/** Rows of float32 vectors with the words that they belong to. */
class Rows {
  readonly words: string[];
  readonly positions: Map<string, number>;
  readonly values: Float32Array;

  constructor(
    words: readonly string[],
    readonly dimension: number,
    rowOf: (word: string) => ArrayLike<number>,
  ) {
    this.words = [...words];
    this.positions = new Map(words.map((word, index) => [word, index]));
    this.values = new Float32Array(words.length * dimension);
    words.forEach((word, index) => this.values.set(unit(rowOf(word)), index * dimension));
  }

  row(word: string, values: Float32Array = this.values): Float32Array | null {
    const index = this.positions.get(word);
    return index === undefined ? null : values.subarray(index * this.dimension, (index + 1) * this.dimension);
  }
}

function unit(vector: ArrayLike<number>): Float32Array {
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2;
  return Float32Array.from(vector, (value) => value / Math.sqrt(squares || 1));
}

/** The direction of the mean; its length does not matter. */
function sumOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) vector.forEach((value, at) => (sum[at] = (sum[at] as number) + value));
  return sum;
}

function isKept(word: string, rank: number, wordnet: WordNet): boolean {
  if (rank < EVERY_WORD_RANK && !word.includes('-')) return true;
  return COLUMN_WORDS.has(word) || wordnet.has(word);
}

/** The positions of the lemmas that a word is a form of. */
function baseFormPositions(wordnet: WordNet, word: string, positions: ReadonlyMap<string, number>): Set<number> {
  const bases = OPEN_CLASSES.map((pos) => wordnet.baseForm(word, pos));
  const known = bases.map((base) => (base === null || base === word ? undefined : positions.get(base)));
  return new Set(known.filter((position) => position !== undefined));
}

/**
 * Faruqui et al. 2015 on all words of GloVe, then the terms that were not in the first graph: inflected forms are drawn to
 * their base forms, multi-word terms start from the mean of their words and are drawn to their synonyms. The
 * second step moves no word of the first.
 */
export function retrofitGlove(
  glove: GloveVectors,
  wordnet: WordNet,
  limits: TermLimits = EMBEDDED_LIMITS,
  lexicon: WordNetLexicon = 'all', // Faruqui et al. 2015: WN_all
): RetrofittedTerms {
  const ranks = new Map(glove.words.map((word, rank) => [word, rank]));
  const base = retrofitWords(glove, wordnet, lexicon);
  const singles = base.words
    .filter((word) => isKept(word, ranks.get(word) as number, wordnet))
    .slice(0, limits.singleWords);
  const multis = multiWordColumnTerms(wordnet, ranks, limits.multiWords);
  const inflected = singles.filter((word) => !wordnet.has(word));
  const derived = deriveTerms(base, wordnet, inflected, multis);
  const terms = [...singles, ...multis];
  const vectors = terms.map((term) => (derived.row(term) ?? base.row(term)) as Float32Array);
  return { terms, rankedCount: singles.length, vectors };
}

function retrofitWords(glove: GloveVectors, wordnet: WordNet, lexicon: WordNetLexicon): Rows {
  const words = glove.words.filter((word) => SINGLE_WORD.test(word));
  const rows = new Rows(words, glove.dimension, (word) => glove.vectorOf(word));
  const graph = createWordGraph(relatedPositions(wordnet, words, rows.positions, lexicon));
  rows.values.set(retrofit(rows.values, glove.dimension, graph));
  return rows;
}

function deriveTerms(base: Rows, wordnet: WordNet, inflected: readonly string[], multis: readonly string[]): Rows {
  const rowOf = (term: string): Float32Array =>
    sumOf(term.split('_').map((word) => unit(base.row(word) as Float32Array)));
  const all = new Rows(
    [...inflected, ...multis, ...base.words.filter((word) => wordnet.has(word))],
    base.dimension,
    rowOf,
  );
  const edges = [
    ...inflected.map((word) => baseFormPositions(wordnet, word, all.positions)),
    ...relatedPositions(wordnet, multis, all.positions, 'synonyms'),
    ...Array.from({ length: all.words.length - inflected.length - multis.length }, () => new Set<number>()),
  ];
  all.values.set(retrofit(all.values, base.dimension, createWordGraph(edges)));
  return all;
}
