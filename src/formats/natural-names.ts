import { InputFormatError } from '../errors.js';
import type { IdentifierReader } from '../schema/identifiers/identifier-reader.js';
import { identifierParts } from '../schema/identifiers/identifier-parts.js';
import {
  type IdentifierReading,
  plainText,
  readingConfidence,
  readingText,
  unreadParts,
} from '../schema/identifiers/reading.js';
import { spacedName, wordsOf } from '../schema/name-identity.js';
import { naturalName } from '../schema/natural-name.js';
import type { ColumnType, Database, NameReading } from '../schema/schema.js';
import type { Dataset } from './dataset.js';
import type { DatasetFormat } from './dataset-formats.js';
import { identifierReader } from './identifier-reading.js';
import { mustGet } from '../present.js';

/** Formats of web tables, whose headers people wrote to be read. */
const HEADED: readonly DatasetFormat[] = ['wikisql', 'squall'];

/** Formats whose schemas hold natural names next to identifiers. */
const NAMED: readonly DatasetFormat[] = ['spider', 'cosql', 'sparc', 'bird', 'dr-spider'];

interface Named {
  readonly name: string;
  readonly originalName: string;
}

/** Shorter names of one part are no two words. */
const SHORTEST_JOINED = 6;

const lettersOf = (text: string): string => text.toLowerCase().replace(/[\s_]+/gu, '');

/** Returns the type that a column's values show: dates, numbers, or neither; null without values. */
function observedType(samples: readonly string[]): ColumnType | null {
  if (samples.length === 0) return null;
  if (samples.every((value) => /^\d{4}-\d{2}-\d{2}|^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|^\d{1,2}:\d{2}/.test(value)))
    return 'time';
  return samples.every((value) => /^-?\d+(?:\.\d+)?$/.test(value)) ? 'number' : 'text';
}

/** Questions by database, for those that have identifiers to read. */
function questionWords(dataset: Dataset, ids: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const words = new Map<string, Set<string>>();
  if (ids.size === 0) return words;
  for (const { dbId, question } of dataset.examples()) {
    if (!ids.has(dbId)) continue;
    const known = words.get(dbId) ?? new Set<string>();
    for (const word of wordsOf(question)) known.add(word);
    words.set(dbId, known);
  }
  return words;
}

/** Gives the tables and columns of a data set natural names, as far as it only has identifiers for them. */
class NaturalNames {
  readonly #dataset: Dataset;
  readonly #reader: IdentifierReader;

  constructor(dataset: Dataset, reader: IdentifierReader) {
    this.#dataset = dataset;
    this.#reader = reader;
  }

  nameAll(): ReadonlyMap<string, Database> {
    const { databases, format } = this.#dataset;
    // A data set whose names are all of its identifiers' letters was named by nobody.
    const areGiven = NAMED.includes(format) && [...databases.values()].some((one) => namesOf(one).some(isRenamed));
    const all = [...databases].map(
      ([id, database]) => [id, database, new OwnNames(database, areGiven, this.#reader)] as const,
    );
    const unclear = new Set(all.filter(([, , names]) => names.isAnyToRead()).map(([id]) => id));
    const words = questionWords(this.#dataset, unclear);
    return new Map(
      all.map(([id, database, names]) => [
        id,
        unclear.has(id) ? this.#nameRead(database, names, words.get(id) ?? new Set()) : nameClear(database, names),
      ]),
    );
  }

  /** A database whose rows can't be read is still named; whoever needs its rows says what is wrong. */
  #samplesOf(database: Database): ReturnType<Dataset['sampleValues']> {
    try {
      return this.#dataset.sampleValues(database);
    } catch (error) {
      if (error instanceof InputFormatError) return [];
      throw error;
    }
  }

  #nameRead(database: Database, names: OwnNames, questions: ReadonlySet<string>): Database {
    const samples = this.#samplesOf(database);
    const readings = this.#reader.read(database, {
      words: [...questions, ...names.givenWords()],
      observedType: (table, column) => observedType(samples[table]?.[column] ?? []),
    });
    const byPlace = new Map(readings.map((reading) => [`${reading.table}.${reading.column ?? ''}`, reading]));
    const readingAt = (table: number, column: number | '' = ''): IdentifierReading =>
      mustGet(byPlace.get(`${table}.${column}`), 'the reading of an identifier');
    return {
      ...database,
      tables: database.tables.map((table, t) => ({
        ...table,
        ...names.named(table, readingAt(t)),
        columns: table.columns.map((column, c) => ({ ...column, ...names.named(column, readingAt(t, c)) })),
      })),
    };
  }
}

function nameClear(database: Database, names: OwnNames): Database {
  return {
    ...database,
    tables: database.tables.map((table) => ({
      ...table,
      name: names.plainName(table),
      columns: table.columns.map((column) => ({ ...column, name: names.plainName(column) })),
    })),
  };
}

/** The own names of a database: given by people, or identifiers. */
class OwnNames {
  readonly #all: readonly Named[];
  readonly #areGiven: boolean;
  readonly #reader: IdentifierReader;

  /** `areGiven`: whether the data set gives natural names of its own next to identifiers, as Spider does. */
  constructor(database: Database, areGiven: boolean, reader: IdentifierReader) {
    this.#all = namesOf(database);
    this.#reader = reader;
    this.#areGiven = areGiven;
  }

  isAnyToRead(): boolean {
    return this.#all.some((named) => this.#isToRead(named));
  }

  /** Words of the names that people gave. */
  givenWords(): readonly string[] {
    return this.#all.filter((named) => this.#isGiven(named)).flatMap(({ name }) => wordsOf(name));
  }

  #isGiven(named: Named): boolean {
    return isRenamed(named) || (this.#areGiven && /\s/u.test(named.name));
  }

  #isToRead(named: Named): boolean {
    if (this.#isGiven(named)) return false;
    const parts = identifierParts(named.originalName);
    if (this.#reader.isClear(parts)) return false;
    // Who gives names gave this one, too: only words that are written together are parted.
    return !this.#areGiven || parts.length > 1 || named.originalName.length >= SHORTEST_JOINED;
  }

  /** Given names as they are, and identifiers with their words parted. */
  plainName(named: Named): string {
    const { name, originalName } = named;
    if (this.#isGiven(named)) return name.includes('_') ? spacedName(name) : name;
    if (/\s/u.test(name) || this.#reader.isWord(name)) return name;
    const isPlain = /^[\p{L}\p{N}_]+$/u.test(originalName);
    return isPlain ? plainText(identifierParts(originalName)) : naturalName(originalName) || name;
  }

  /** The name of what was read. */
  named(named: Named, reading: IdentifierReading): Pick<Named, 'name'> & { readonly reading?: NameReading } {
    const [part, ...otherParts] = reading.parts;
    const isGivenWord = this.#areGiven && otherParts.length === 0 && part?.isExpanded === true;
    if (!this.#isToRead(named) || isGivenWord) return { name: this.plainName(named) };
    const unread = unreadParts(reading);
    const isChanged = reading.parts.some(({ isExpanded, words }) => isExpanded || words.length > 1);
    const name = isChanged || unread.length > 0 ? readingText(reading) : this.plainName(named);
    return {
      name: name === '' ? named.name : name,
      reading: { confidence: readingConfidence(reading), evidence: evidenceOf(reading), unread },
    };
  }
}

const namesOf = ({ tables }: Database): readonly Named[] => tables.flatMap((table) => [table, ...table.columns]);

/**
 * Checks whether a name is other than its identifier: readers take natural names in lower case, identifiers keep
 * capitals.
 */
function isRenamed({ name, originalName }: Named): boolean {
  return lettersOf(name) !== lettersOf(originalName);
}

/**
 * Returns the evidence for each part that is no word as it stands: "dt: list; sp: table". If each is one, though it may
 * abbreviate another, they are all named: "max: word; temperature: word".
 */
function evidenceOf({ parts }: IdentifierReading): string {
  const unlike = parts.filter(({ isExpanded, isRead }) => isExpanded || !isRead);
  const shown = unlike.map(({ letters, basis }) => `${letters}: ${basis}`);
  const asTheyStand = parts.filter(({ letters }) => !/^\d/u.test(letters));
  const plain = asTheyStand.map(({ letters, words }) => `${letters}: ${words.length > 1 ? 'words' : 'word'}`);
  return (shown.length > 0 ? shown : plain).join('; ');
}

/**
 * The data set with natural names for what it only has identifiers for. Headers of web tables are names as they are.
 */
export function withNaturalNames(dataset: Dataset): Dataset {
  if (HEADED.includes(dataset.format)) return dataset;
  return { ...dataset, databases: new NaturalNames(dataset, identifierReader()).nameAll() };
}
