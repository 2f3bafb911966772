import { z } from 'zod';
import { InputFormatError } from '../errors.js';
import type { ReadingBasis } from '../schema/identifiers/reading-path.js';
import { spacedName, spellingKey } from '../schema/name-identity.js';
import { BY_MODEL, type Database, GIVEN, type NameReading, type Table } from '../schema/schema.js';
import type { Dataset } from './dataset.js';
import { checkRecord, parseJson } from './json-file.js';
import { fileSha256 } from '../run/sha256.js';
import { readTextLines } from './streamed-file.js';

/** A line of a file of readings, as `perturbql identifiers --json` prints it. */
const readingLineSchema = z.object({
  db_id: z.string(),
  table: z.string(),
  /** The identifier; null for the table itself. */
  column: z.string().nullable(),
  reading: z.string().regex(/[\p{L}\p{N}]/u, 'a reading has words'),
  confidence: z.number().min(0).max(1).optional(),
  evidence: z.string().optional(),
});
/** The reading of an identifier: a line of `perturbql identifiers --json`. */
export interface IdentifierLine {
  readonly db_id: string;
  readonly table: string;
  readonly column: string | null;
  readonly reading: string;
  readonly confidence: number;
  readonly evidence: string;
}

/** Evidence of a name that is the identifier's own words, and of one that the data set gives. */
const [WORDS, DATA_SET] = ['words', 'data set'];
/** Basis of a part that could not be read. */
const LETTERS: ReadingBasis = 'letters';

interface Read {
  readonly name: string;
  readonly originalName: string;
  readonly reading?: NameReading;
}

function lineOf(
  dbId: string,
  table: string,
  column: string | null,
  { name, originalName, reading }: Read,
): IdentifierLine {
  const isOwn = spellingKey(name) === spellingKey(originalName);
  const { confidence, evidence } = reading ?? { confidence: 1, evidence: isOwn ? WORDS : DATA_SET };
  return { db_id: dbId, table, column, reading: name, confidence, evidence };
}

/** Returns the reading of each identifier of a data set: each table, then its columns. */
export function readingLinesOf({ databases }: Pick<Dataset, 'databases'>): readonly IdentifierLine[] {
  return [...databases.values()].flatMap(({ id, tables }) => tables.flatMap((table) => tableLinesOf(id, table)));
}

/** Returns the readings of a table and then each of its columns. */
export function tableLinesOf(dbId: string, table: Table): readonly IdentifierLine[] {
  return [
    lineOf(dbId, table.originalName, null, table),
    ...table.columns.map((column) => lineOf(dbId, table.originalName, column.originalName, column)),
  ];
}

/**
 * Checks whether our own reader has to make out what an identifier says: nobody has said it, and it is no words as it
 * stands.
 */
export function isReadByReader({ evidence }: IdentifierLine): boolean {
  return ![WORDS, DATA_SET, GIVEN, BY_MODEL].includes(evidence);
}

type ReadingLine = z.infer<typeof readingLineSchema>;

/**
 * Letters of a line of our own reader that it could not read. Who repairs the reading may leave the evidence as it is.
 */
function unreadOf({ reading, evidence = GIVEN }: ReadingLine): readonly string[] {
  const kept = new Set(spacedName(reading).split(/[^\p{L}]+/u));
  const parts = evidence.split('; ').map((part) => part.split(': '));
  return parts.flatMap(([letters = '', basis]) => (basis === LETTERS && kept.has(letters) ? [letters] : []));
}

/** How a reading that people gave is told from one that was made. */
const BY_PEOPLE: NameReading = { confidence: 1, evidence: GIVEN, unread: [] };

/** Returns a line's replacement for the current name, or null if it is the reader's own and says the same. */
function correctionOf(line: ReadingLine, before: Read): Required<Pick<Read, 'name' | 'reading'>> | null {
  const { reading, confidence = 1, evidence = GIVEN } = line;
  const name = spacedName(reading);
  const isMade = evidence !== GIVEN && evidence !== BY_MODEL;
  if (isMade && name === spacedName(before.name)) return null;
  const unread = unreadOf(line);
  const isAsRecorded = evidence === BY_MODEL || unread.length > 0;
  return { name, reading: isAsRecorded ? { confidence, evidence, unread } : BY_PEOPLE };
}

/** People's readings of identifiers, by database. */
export class GivenReadings {
  readonly sha256: string;
  readonly #file: string;
  readonly #byDatabase = new Map<string, (ReadingLine & { readonly line: number })[]>();

  /** @throws InputFormatError when the file can't be read, or naming the line that is no reading */
  constructor(file: string) {
    this.#file = file;
    this.sha256 = fileSha256(file);
    for (const { text, line } of readTextLines(file)) {
      if (text.trim() === '') continue;
      const fix = 'Write lines as `perturbql identifiers --json` prints them: db_id, table, column, reading.';
      const record = checkRecord(readingLineSchema, parseJson(text, file, line), { file, line, id: 'reading' }, fix);
      const list = this.#byDatabase.get(record.db_id);
      if (list === undefined) this.#byDatabase.set(record.db_id, [{ ...record, line }]);
      else list.push({ ...record, line });
    }
  }

  /**
   * A database with the names that its readings give. @throws InputFormatError naming the line of a column that it
   * lacks
   */
  applyTo(database: Database): Database {
    const tables = database.tables.map((table) => ({ ...table, columns: [...table.columns] }));
    for (const record of this.#byDatabase.get(database.id) ?? []) {
      const { table: tableName, column: columnName, line } = record;
      const table = tables.find(({ originalName }) => originalName === tableName);
      if (table === undefined) throw this.#unknown(line, `database ${database.id} has no table ${tableName}`);
      if (columnName === null) {
        Object.assign(table, correctionOf(record, table));
        continue;
      }
      const column = table.columns.find(({ originalName }) => originalName === columnName);
      if (column === undefined)
        throw this.#unknown(line, `table ${tableName} of ${database.id} has no column ${columnName}`);
      table.columns[table.columns.indexOf(column)] = { ...column, ...correctionOf(record, column) };
    }
    return { ...database, tables };
  }

  /** Databases of the file that a data set lacks. */
  missingFrom(databases: ReadonlyMap<string, unknown>): readonly string[] {
    return [...this.#byDatabase.keys()].filter((id) => !databases.has(id));
  }

  #unknown(line: number, message: string): InputFormatError {
    return new InputFormatError(message, {
      where: { file: this.#file, line },
      fix: 'Name tables and columns as the schema writes them; `perturbql identifiers --json` prints them all.',
    });
  }
}
