import { getOrMake, itemAt } from '../../present.js';
import { singularOf } from '../natural-name.js';
import { identifierKey } from '../name-identity.js';
import { columnAt, columnKey, type ColumnRef, type Database, type Table } from '../schema.js';
import { type ColumnWords, meanTopic, topicWeight } from './column-words.js';
import { identifierParts } from './identifier-parts.js';

/** Rarer words of fewer letters are initials as often. */
const SHORTEST_RARE = 5;

/** A word in the singular, as far as regular plurals go: what is compared so comes a million times. */
export function stemOf(word: string): string {
  if (word.length <= 3 || !word.endsWith('s')) return word;
  const before = word.charAt(word.length - 2);
  if (before === 'e') return singularOf(word);
  return 'siu'.includes(before) ? word : word.slice(0, -1);
}

function lettersOf(identifier: string): readonly string[] {
  return identifierParts(identifier)
    .filter(({ kind }) => kind === 'letters')
    .map(({ text }) => text);
}

/** What words with their counts are about, as a direction of unit length; null where none says it. */
export function topicOf(
  counts: Iterable<readonly [word: string, count: number]>,
  words: ColumnWords,
): Float64Array | null {
  const topics = [...counts].flatMap(([word, count]) => {
    const topic = words.topic(word);
    return topic === null ? [] : [[topic, Math.sqrt(count) * topicWeight(words, word)] as const];
  });
  return meanTopic(topics);
}

/**
 * Tables by the columns that are their keys or refer to them, declared or by the name of a key: `doc_id` of appointments
 * is that of doctors.
 */
function keyTablesOf(database: Database): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  const note = (ref: ColumnRef, table: number): void => {
    const key = columnKey(ref);
    found.set(key, (found.get(key) ?? new Set()).add(table));
  };
  const owners = new Map<string, number>();
  for (const ref of database.primaryKeys) {
    note(ref, ref.table);
    const name = identifierKey(columnAt(database, ref).originalName);
    if (!owners.has(name)) owners.set(name, ref.table);
  }
  for (const { from, to } of database.foreignKeys) note(from, to.table);
  for (const [table, { columns }] of database.tables.entries())
    for (const [column, { originalName }] of columns.entries()) {
      const owner = owners.get(identifierKey(originalName));
      if (owner !== undefined) note({ table, column }, owner);
    }
  return found;
}

/** Words that a table's identifiers have in full. */
export interface TableWords {
  readonly ofColumns: ReadonlySet<string>;
  readonly ofName: ReadonlySet<string>;
  /** Direction of its topic, unit length `[32]`; null where no word tells it. */
  readonly topic: Float64Array | null;
}

/** The words that the identifiers of a database have in full, and those of texts about it. */
export class DatabaseWords {
  readonly tables: readonly TableWords[];
  readonly #all = new Set<string>();
  readonly #texts = new Set<string>();
  readonly #own = new Map<string, Set<string>>();
  readonly #words: ColumnWords;
  readonly #keyTables: ReadonlyMap<string, ReadonlySet<number>>;

  /** `texts`: words of questions, descriptions and evidence, in lower case. */
  constructor(database: Database, words: ColumnWords, texts: Iterable<string> = []) {
    this.#words = words;
    this.#note(lettersOf(database.id), this.#all);
    this.tables = database.tables.map((table) => this.#wordsOf(table));
    this.#keyTables = keyTablesOf(database);
    for (const text of texts) {
      this.#texts.add(stemOf(text));
      this.#noteOwn(text);
    }
  }

  /** Words of the names of the tables that a key column tells apart the rows of, its own or another; none for other columns. */
  keyTableWords(table: number, column: number): readonly ReadonlySet<string>[] {
    const keyTables = this.#keyTables.get(columnKey({ table, column })) ?? [];
    return [...keyTables].map((at) => itemAt(this.tables, at).ofName);
  }

  /** Whether any identifier of the database has a word in full. */
  has(word: string): boolean {
    return this.#all.has(stemOf(word));
  }

  /** Whether a text about the database has a word. */
  isInTexts(word: string): boolean {
    return this.#texts.has(stemOf(word));
  }

  isIn(set: ReadonlySet<string>, word: string): boolean {
    return set.has(stemOf(word));
  }

  /** Words of the database that begin with a letter, in full. */
  ownWords(letter: string): Iterable<string> {
    return this.#own.get(letter) ?? [];
  }

  #wordsOf({ originalName, columns }: Table): TableWords {
    const [ofName, ofColumns] = [new Set<string>(), new Set<string>()];
    const counts = new Map<string, number>();
    this.#note(lettersOf(originalName), ofName, counts);
    for (const column of columns) this.#note(lettersOf(column.originalName), ofColumns, counts);
    return { ofName, ofColumns, topic: topicOf(counts, this.#words) };
  }

  #note(parts: readonly string[], into: Set<string>, counts?: Map<string, number>): void {
    for (const part of parts.filter((text) => this.#isFull(text))) {
      into.add(stemOf(part));
      this.#all.add(stemOf(part));
      counts?.set(part, (counts.get(part) ?? 0) + 1);
      this.#noteOwn(part);
      // A table of welders has their "wldr_nm".
      this.#noteOwn(singularOf(part));
    }
  }

  #noteOwn(word: string): void {
    const initial = word.charAt(0);
    getOrMake(this.#own, initial, () => new Set()).add(word);
  }

  #isFull(text: string): boolean {
    if (text.length < 3) return false;
    return text.length < SHORTEST_RARE ? this.#words.has(text) : this.#words.isWord(text);
  }
}
