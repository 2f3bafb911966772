import { z } from 'zod';
import { InputFormatError } from '../errors.js';
import { spacedName, spellingKey } from '../schema/name-identity.js';
import { type Database, GIVEN, type NameReading } from '../schema/schema.js';
import type { Dataset } from './dataset.js';
import { checkRecord, parseJson } from './json-file.js';
import { fileSha256 } from '../run/sha256.js';
import { readTextLines } from './text-lines.js';

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
/** What an identifier says: a line of `perturbql identifiers --json`. */
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

/** What each identifier of a data set says: each table, then its columns. */
export function readingLinesOf({ databases }: Pick<Dataset, 'databases'>): readonly IdentifierLine[] {
  return [...databases.values()].flatMap(({ id, tables }) =>
    tables.flatMap((table) => [
      lineOf(id, table.originalName, null, table),
      ...table.columns.map((column) => lineOf(id, table.originalName, column.originalName, column)),
    ]),
  );
}

/** How a reading that people gave is told from one that was made. */
const BY_PEOPLE: NameReading = { confidence: 1, evidence: GIVEN, unread: [] };

/** What people read in identifiers, by database. */
export class GivenReadings {
  readonly sha256: string;
  readonly #file: string;
  readonly #byDatabase = new Map<string, (z.infer<typeof readingLineSchema> & { readonly line: number })[]>();

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

  /** A database with the names that its readings give. @throws InputFormatError naming the line of a column that it lacks */
  applyTo(database: Database): Database {
    const tables = database.tables.map((table) => ({ ...table, columns: [...table.columns] }));
    for (const { table: tableName, column: columnName, reading, line } of this.#byDatabase.get(database.id) ?? []) {
      const table = tables.find(({ originalName }) => originalName === tableName);
      if (table === undefined) throw this.#unknown(line, `database ${database.id} has no table ${tableName}`);
      const name = spacedName(reading);
      if (columnName === null) {
        Object.assign(table, { name, reading: BY_PEOPLE });
        continue;
      }
      const at = table.columns.findIndex(({ originalName }) => originalName === columnName);
      if (at === -1) throw this.#unknown(line, `table ${tableName} of ${database.id} has no column ${columnName}`);
      table.columns[at] = { ...table.columns[at]!, name, reading: BY_PEOPLE };
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
