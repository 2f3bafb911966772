import { createHash } from 'node:crypto';
import { ConfigError } from '../errors.js';
import type { CorpusTable } from '../stage.js';
import type { CorpusEntry } from './corpus-reader.js';

/** Checks whether a lower-case word is in an English dictionary. */
type IsWord = (word: string) => boolean;

/** Function words that dictionaries such as WordNet leave out. */
const ENGLISH = new Set(
  'the of and or in on at by for from to with per as is are was who what when where which how this that its their vs than if not no all'.split(
    ' ',
  ),
);
/** Function words of other languages that are not also English words. */
const FOREIGN = new Set(
  (
    'der das und von für mit nach bei nicht oder ist auf des vom zum zur les une du et avec dans pour sur par aux est ' +
    'el los las del por para una con y su lo gli della delle di il nel che e och för av på som het een voor naar met ' +
    'do da dos em não uma ve ile i na z w o og til af'
  ).split(' '),
);
/** Those of them that are in English names and titles ("El Paso", "Vasco da Gama") or as single letters in headers. */
const WEAK = new Set(
  'el los las del des du di da do les una y e i na z w o il con met lo est par des does der das'.split(' '),
);

const MIN_ASCII_LETTERS = 0.9;
const MIN_LATIN_LETTERS = 0.6;
/** Tables of abbreviations ("pts", "gp") have few dictionary words, so this alone decides only when it is very low. */
const MIN_KNOWN_WORDS = 0.34;
const MIN_KNOWN_WORDS_WITH_FOREIGN = 0.67;

function share(text: string, part: RegExp, whole: RegExp): number {
  const all = text.match(whole)?.length ?? 0;
  return all === 0 ? 1 : (text.match(part)?.length ?? 0) / all;
}

function wordsOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.toLowerCase().match(/\p{L}+/gu) ?? []);
}

function isKnown(word: string, isWord: IsWord): boolean {
  return ENGLISH.has(word) || isWord(word) || (word.endsWith('s') && isWord(word.slice(0, -1)));
}

function knownShare(columns: readonly string[], isWord: IsWord): number {
  const words = wordsOf(columns).filter((word) => word.length > 3);
  return words.length < 2 ? 1 : words.filter((word) => isKnown(word, isWord)).length / words.length;
}

function hasForeignWords(table: CorpusTable): boolean {
  if (wordsOf(table.columns).some((word) => FOREIGN.has(word) && !WEAK.has(word))) return true;
  const words = wordsOf([table.title, ...table.rows.flat()]);
  const foreign = words.filter((word) => FOREIGN.has(word) && !WEAK.has(word)).length;
  return foreign > 0 && foreign >= words.filter((word) => ENGLISH.has(word)).length;
}

/**
 * Checks whether a table is in English: by its stated language where there is one, else by a light rule on the share of
 * ASCII letters, on function words and, where `isWord` is given, on the share of header words in the dictionary.
 */
function isEnglishTable(table: CorpusTable, language: string | null, isWord?: IsWord): boolean {
  if (language !== null && language.trim() !== '') return /^en(?:g|glish)?(?![a-z])/iu.test(language.trim());
  const headers = table.columns.join(' ');
  const cells = [table.title, ...table.rows.flat()].join(' ');
  if (share(headers, /[a-z]/giu, /\p{L}/gu) < MIN_ASCII_LETTERS) return false;
  if (share(cells, /\p{Script=Latin}/gu, /\p{L}/gu) < MIN_LATIN_LETTERS) return false;
  const isForeign = hasForeignWords(table);
  if (isWord === undefined) return !isForeign;
  return knownShare(table.columns, isWord) >= (isForeign ? MIN_KNOWN_WORDS_WITH_FOREIGN : MIN_KNOWN_WORDS);
}

/** ADVETA §4.1: the database behind CTA holds "600k non-repetitive tables with at most five columns". */
export const MAX_COLUMNS = 5;
/** A table of one column relates nothing. */
const MIN_COLUMNS = 2;
/** Longer headers are sentences, not names; Spider's longest column names are shorter than either limit. */
const MAX_HEADER_LENGTH = 40;
const MAX_HEADER_WORDS = 6;
const EXAMPLES_PER_REASON = 3;

const PLACEHOLDER = /^(?:unnamed|(?:column|col|field|var|attribute)[ :.]*\d)/u;

export interface CorpusFilterOptions {
  /** Fewest columns of a kept table; 2 unless given. */
  readonly minColumns?: number;
  /** Most columns of a kept table; 5 unless given. */
  readonly maxColumns?: number;
  /** True if a lower-case word is in an English dictionary; without it, only letters and function words are judged. */
  readonly isWord?: IsWord;
}

/** How many tables were left out for one reason, with the first few places. */
export interface SkippedCount {
  readonly count: number;
  readonly examples: readonly string[];
}

function headerFault(name: string): string | null {
  const letters = name.match(/\p{L}/gu)?.length ?? 0;
  const digits = name.match(/\p{N}/gu)?.length ?? 0;
  if (name === '') return 'empty header';
  if (name.includes('\uFFFD')) return 'garbled header';
  if (letters === 0) return digits > 0 ? 'numeric header' : 'header of symbols';
  if (digits > letters) return 'numeric header';
  if (PLACEHOLDER.test(name)) return 'placeholder header';
  return name.length > MAX_HEADER_LENGTH || name.split(' ').length > MAX_HEADER_WORDS ? 'header too long' : null;
}

function headersFault(columns: readonly string[]): string | null {
  for (const name of columns) {
    const fault = headerFault(name);
    if (fault !== null) return fault;
  }
  return new Set(columns).size < columns.length ? 'repeated column name' : null;
}

function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A hash in place of a key, 16 bytes long: the keys of 600,000 tables would take 400 MB. */
function digestOf(key: string): string {
  return createHash('sha256').update(key).digest().toString('latin1', 0, 16);
}

/**
 * Returns the keys by which two tables are the same: equal header sets under one title, or equal headers over an equal
 * first row. An empty title says nothing, so it is not compared.
 */
function identityKeys(table: CorpusTable): string[] {
  const headers = table.columns.map(normalize).sort();
  const title = normalize(table.title);
  const firstRow = table.rows[0]?.map(normalize) ?? [];
  const keys = title === '' ? [] : [JSON.stringify(['title', title, headers])];
  if (firstRow.some((cell) => cell !== '')) keys.push(JSON.stringify(['row', headers, [...firstRow].sort()]));
  return keys.map(digestOf);
}

/**
 * Decides table by table which of a corpus are kept, and counts the others by reason. It remembers what it has seen,
 * so the first of several equal tables is kept: use one filter per corpus, in the corpus's order.
 */
export class CorpusFilter {
  readonly minColumns: number;
  readonly maxColumns: number;
  readonly #isWord: IsWord | undefined;
  readonly #seen = new Set<string>();
  readonly #skipped = new Map<string, { count: number; examples: string[] }>();

  /** @throws ConfigError when the limits are not integers with 1 ≤ min ≤ max. */
  constructor(options: CorpusFilterOptions = {}) {
    this.minColumns = options.minColumns ?? MIN_COLUMNS;
    this.maxColumns = options.maxColumns ?? MAX_COLUMNS;
    this.#isWord = options.isWord;
    const areIntegers = Number.isInteger(this.minColumns) && Number.isInteger(this.maxColumns);
    if (areIntegers && this.minColumns >= 1 && this.minColumns <= this.maxColumns) return;
    throw new ConfigError(`no table has ${this.minColumns} to ${this.maxColumns} columns`, {
      fix: 'Give whole numbers with 1 <= fewest columns <= most columns.',
    });
  }

  /** The entry's table when it is kept, else null with its reason counted. */
  keep(entry: CorpusEntry): CorpusTable | null {
    const reason = entry.kind === 'skipped' ? entry.reason : this.#fault(entry.table, entry.language);
    if (reason !== null) this.#count(reason, entry.where);
    return reason !== null || entry.kind === 'skipped' ? null : entry.table;
  }

  /** Tables left out so far by reason, reasons in the order of the alphabet. */
  get skipped(): Readonly<Record<string, SkippedCount>> {
    return Object.fromEntries([...this.#skipped].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #fault(table: CorpusTable, language: string | null): string | null {
    if (table.columns.length < this.minColumns) return `under ${this.minColumns} columns`;
    if (table.columns.length > this.maxColumns) return `over ${this.maxColumns} columns`;
    const fault = headersFault(table.columns);
    if (fault !== null) return fault;
    if (!isEnglishTable(table, language, this.#isWord)) return 'not English';
    return this.#isRepeated(table) ? 'duplicate table' : null;
  }

  #isRepeated(table: CorpusTable): boolean {
    const keys = identityKeys(table);
    const isRepeated = keys.some((key) => this.#seen.has(key));
    if (!isRepeated) for (const key of keys) this.#seen.add(key);
    return isRepeated;
  }

  #count(reason: string, where: string): void {
    const entry = this.#skipped.get(reason) ?? { count: 0, examples: [] };
    entry.count++;
    if (entry.examples.length < EXAMPLES_PER_REASON) entry.examples.push(where);
    this.#skipped.set(reason, entry);
  }
}
