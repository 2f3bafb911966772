import { z } from 'zod';
import { countNoun } from '../counts.js';
import { InputFormatError } from '../errors.js';
import type { ReadingBasis } from '../schema/identifiers/reading-path.js';
import { spacedName, spellingKey } from '../schema/name-identity.js';
import { BY_MODEL, type Database, GIVEN, type NameReading, type Table } from '../schema/schema.js';
import type { Dataset } from './dataset.js';
import { checkRecord, parseJson } from './json-file.js';
import { groupBy } from '../run/group-by.js';
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

/** A line of a file of readings, with its number. */
type NumberedLine = ReadingLine & { readonly line: number };

function* readReadings(file: string): Generator<NumberedLine> {
  const fix = 'Write lines as `perturbql identifiers --json` prints them: db_id, table, column, reading.';
  for (const { text, line } of readTextLines(file)) {
    if (text.trim() === '') continue;
    const json = parseJson(text, file, line);
    yield { ...checkRecord(readingLineSchema, json, { file, line, id: 'reading' }, fix), line };
  }
}

/** A database with the names that readings of a file give. */
function withNames(database: Database, readings: readonly NumberedLine[], file: string): Database {
  const unknown = (line: number, message: string): InputFormatError =>
    new InputFormatError(message, {
      where: { file, line },
      fix: 'Name tables and columns as the schema writes them; `perturbql identifiers --json` prints them all.',
    });
  const tables = database.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => ({ ...column })),
  }));
  for (const record of readings) {
    const { table: tableName, column: columnName, line } = record;
    const table = tables.find(({ originalName }) => originalName === tableName);
    if (table === undefined) throw unknown(line, `database ${database.id} has no table ${tableName}`);
    const named = columnName === null ? table : table.columns.find(({ originalName }) => originalName === columnName);
    if (named === undefined) throw unknown(line, `table ${tableName} of ${database.id} has no column ${columnName}`);
    Object.assign(named, correctionOf(record, named));
  }
  return { ...database, tables };
}

/**
 * The data set with the readings of a file in place of its own names, whatever they are.
 * @throws InputFormatError when the file can't be read, or naming the line that is no reading, or of no table or column
 */
export function withGivenReadings(dataset: Dataset, file: string): Dataset {
  const sha256 = fileSha256(file);
  const readings = groupBy([...readReadings(file)], ({ db_id }) => db_id);
  const named = [...dataset.databases].map(
    ([id, database]) => [id, withNames(database, readings.get(id) ?? [], file)] as const,
  );
  const missing = [...readings.keys()].filter((id) => !dataset.databases.has(id));
  const note = `readings of ${countNoun(missing.length, 'database')} that the data set lacks, ${missing[0]} the first, are not used`;
  return {
    ...dataset,
    databases: new Map(named),
    fingerprints: { ...dataset.fingerprints, readings: sha256 },
    ...(missing.length === 0 ? {} : { notes: [...(dataset.notes ?? []), note] }),
  };
}
