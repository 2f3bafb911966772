import type { PartOfSpeech, WordNet, WordNetRelation } from '../../src/dictionary/wordnet-reader.js';
import { FUNCTION_WORDS } from '../../src/reranker/phrase-vector.js';

/**
 * Which WordNet relations join words: `synonyms` is Faruqui et al. 2015's WN_syn (lemmas of one synset), `all` their WN_all
 * (and lemmas of hypernyms and hyponyms).
 */
type WordNetLexicon = 'synonyms' | 'all';

const RELATIONS: Record<WordNetLexicon, readonly WordNetRelation[]> = {
  synonyms: [],
  all: ['hypernym', 'hyponym'],
};

/** Words that WordNet relates to a word over all its senses, without the word itself; words joined by `_`. */
export function relatedWords(wordnet: WordNet, word: string, lexicon: WordNetLexicon): Set<string> {
  const related = new Set<string>();
  for (const { synset } of wordnet.senses(word.replaceAll('_', ' '))) {
    const synsets = [synset, ...RELATIONS[lexicon].flatMap((relation) => wordnet.related(synset, relation))];
    for (const lemma of synsets.flatMap((id) => wordnet.words(id))) related.add(lemma.replaceAll(' ', '_'));
  }
  related.delete(word.replaceAll(' ', '_'));
  return related;
}

/** For each of `words`, the positions in `positions` of the words that WordNet relates to it. */
function relatedPositions(
  wordnet: WordNet,
  words: readonly string[],
  positions: ReadonlyMap<string, number>,
  lexicon: WordNetLexicon,
): Set<number>[] {
  return words.map((word) => {
    const related = new Set<number>();
    for (const other of relatedWords(wordnet, word, lexicon)) {
      const position = positions.get(other);
      if (position !== undefined) related.add(position);
    }
    return related;
  });
}

/**
 * Undirected word relations in compressed rows: the neighbors of word `i` are `neighbors[starts[i] … starts[i + 1]]`.
 */
interface WordGraph {
  /** uint32 `[words + 1]`. */
  readonly starts: Uint32Array;
  readonly neighbors: Uint32Array;
}

interface RetrofittingSettings {
  readonly iterations: number;
  /** Weight of a word's own vector. */
  readonly alpha: number;
  /** Weight of all its neighbors together: each has beta / degree. */
  readonly beta: number;
}

/** Faruqui et al. 2015 §2: alpha 1, beta 1 / degree, 10 iterations. */
const PUBLISHED_SETTINGS: RetrofittingSettings = { iterations: 10, alpha: 1, beta: 1 };

/** Builds the rows of a graph from sets of neighbors, one per word; neighbors are put in ascending order. */
export function createWordGraph(neighborSets: readonly ReadonlySet<number>[]): WordGraph {
  const starts = new Uint32Array(neighborSets.length + 1);
  neighborSets.forEach((set, word) => (starts[word + 1] = (starts[word] as number) + set.size));
  const neighbors = new Uint32Array(starts.at(-1) ?? 0);
  neighborSets.forEach((set, word) => neighbors.set(Uint32Array.from(set).sort(), starts[word]));
  return { starts, neighbors };
}

/**
 * Draws the vectors of related words together and keeps each near where it was (Faruqui et al. 2015, equation 1;
 * updated in place, word by word, as in the authors' program).
 *
 * @param vectors Float `[words, dimension]`, one row per word of the graph; not changed. Words without neighbors keep
 * theirs.
 * @returns A new array of the same shape, not normalized.
 */
export function retrofit(
  vectors: Float32Array,
  dimension: number,
  graph: WordGraph,
  settings: RetrofittingSettings = PUBLISHED_SETTINGS,
): Float32Array {
  const words = graph.starts.length - 1;
  if (vectors.length !== words * dimension)
    throw new RangeError(`${vectors.length} numbers for ${words} × ${dimension}`);
  const moved = vectors.slice();
  for (let iteration = 0; iteration < settings.iterations; iteration++) {
    for (let word = 0; word < words; word++) updateWord(moved, vectors, dimension, graph, word, settings);
  }
  return moved;
}

function updateWord(
  moved: Float32Array,
  vectors: Float32Array,
  dimension: number,
  { starts, neighbors }: WordGraph,
  word: number,
  { alpha, beta }: RetrofittingSettings,
): void {
  const start = starts[word] as number;
  const end = starts[word + 1] as number;
  if (start === end) return;
  const row = word * dimension;
  for (let at = 0; at < dimension; at++) {
    let sum = 0;
    for (let n = start; n < end; n++) sum += moved[(neighbors[n] as number) * dimension + at] as number;
    const mean = sum / (end - start);
    moved[row + at] = (beta * mean + alpha * (vectors[row + at] as number)) / (alpha + beta);
  }
}

const MULTI_WORD = /^[a-z]+(?: [a-z]+){1,2}$/;

/**
 * Kinds of thing that columns hold: amounts, names and codes, money, places. Their terms stay even without a synonym.
 */
const COLUMN_KINDS = new Set(['attribute', 'measure', 'communication', 'possession', 'location']);

/** Kinds of thing that tables list but columns are seldom named after ("blue whale"); persons are none of them. */
const OTHER_KINDS = new Set(['organism', 'biological group', 'plant part', 'body part', 'food', 'pathological state']);

/** Words of the synset and of all that it is a kind of. */
function kindsOf(wordnet: WordNet, synset: string, kinds = new Set<string>()): Set<string> {
  for (const word of wordnet.words(synset)) kinds.add(word);
  for (const parent of wordnet.related(synset, 'hypernym')) kindsOf(wordnet, parent, kinds);
  return kinds;
}

function hasAny(kinds: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  return [...wanted].some((kind) => kinds.has(kind));
}

/** Checks whether a spelling is a common noun's: no capitalized word; acronyms as in "ZIP code" pass. */
function isCommon(spelling: string): boolean {
  return spelling.split(' ').every((word) => /^(?:[a-z]+|[A-Z]{2,})$/.test(word));
}

/**
 * Checks whether the most frequent sense of a noun is a kind of thing, not one named thing, that a column could be
 * named after.
 */
function isColumnTerm(wordnet: WordNet, lemma: string): boolean {
  const synset = wordnet.senses(lemma, 'noun')[0]?.synset;
  if (synset === undefined || wordnet.isInstance(synset)) return false;
  if (!wordnet.spellings(synset).some((spelling) => spelling.toLowerCase() === lemma && isCommon(spelling)))
    return false;
  const kinds = kindsOf(wordnet, synset);
  if (hasAny(kinds, OTHER_KINDS) && !kinds.has('person')) return false;
  return hasAny(kinds, COLUMN_KINDS) || relatedWords(wordnet, lemma, 'synonyms').size > 0;
}

/**
 * WordNet's nouns of two and three words that could name a column, by the rank of their rarest word, words joined by
 * `_`. Terms that have neither a synonym nor a kind that columns hold are left out: a look-up makes their mean by
 * itself.
 *
 * @param ranks Frequency rank of each known word; terms with an unknown word are left out.
 */
function multiWordColumnTerms(wordnet: WordNet, ranks: ReadonlyMap<string, number>, limit: number): string[] {
  const ranked: { readonly term: string; readonly rank: number }[] = [];
  for (const lemma of wordnet.lemmas()) {
    if (!MULTI_WORD.test(lemma)) continue;
    const words = lemma.split(' ');
    const rank = Math.max(...words.map((word) => ranks.get(word) ?? Number.POSITIVE_INFINITY));
    const framed = FUNCTION_WORDS.has(words[0] as string) || FUNCTION_WORDS.has(words.at(-1) as string);
    if (Number.isFinite(rank) && !framed && isColumnTerm(wordnet, lemma)) ranked.push({ term: words.join('_'), rank });
  }
  ranked.sort((a, b) => a.rank - b.rank || (a.term < b.term ? -1 : 1));
  return ranked.slice(0, limit).map(({ term }) => term);
}

/**
 * Up to this GloVe rank every alphabetic word is kept, names and inflected forms included; beyond it only WordNet's
 * lemmas.
 */
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
 * Faruqui et al. 2015 on all words of GloVe, then the terms that were not in the first graph: inflected forms are drawn
 * to their base forms, multi-word terms start from the mean of their words and are drawn to their synonyms. The second
 * step moves no word of the first.
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
