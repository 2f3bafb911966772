import { createHash } from 'node:crypto';
import { ConfigError } from '../errors.js';
import type { CorpusTable } from '../stage.js';
import type { CorpusEntry } from './corpus-reader.js';
import { isEnglishTable, type IsWord } from './english-check.js';

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
  /** Whether a lower-case word is in an English dictionary; without it, only letters and function words are judged. */
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
 * What makes two tables the same: equal header sets under one title, or equal headers over an equal first row. An
 * empty title says nothing, so it is not compared.
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
