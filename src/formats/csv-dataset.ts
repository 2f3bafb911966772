import { resolve } from 'node:path';
import { fileSha256, sha256Of } from '../run/sha256.js';
import type { Database } from '../schema/schema.js';
import { SQLITE } from '../sql/dialect.js';
import { readCsvFolder, toSqliteTable, type CsvTable } from './csv-tables.js';
import type { PathsWith } from './dataset.js';
import { openQuestionFile } from './question-file.js';
import type { QuestionDataset } from './question-output.js';
import { sqliteFileIn } from './sqlite-tables.js';
import { mustGet } from '../present.js';

/** A data set whose databases are folders of CSV files. */
export interface CsvDataset extends QuestionDataset {
  /** By database id, in the order of its tables. */
  readonly csvTables: ReadonlyMap<string, readonly CsvTable[]>;
}

function toDatabase(id: string, tables: readonly CsvTable[]): Database {
  return { id, tables: tables.map(({ table }) => table), primaryKeys: [], foreignKeys: [] };
}

/** Returns the notes on a table in which a text stands for NULL. */
function nullNotes(id: string, { table, nullMarked }: CsvTable): readonly string[] {
  return nullMarked.length === 0 ? [] : [`${id}/${table.originalName}: \\N is NULL in ${nullMarked.join(', ')}`];
}

/**
 * Folders of CSV files with a file of questions and SQL: each sub-folder of `--tables` is a database with a table per
 * file, or the folder itself is one. Types are told from the cells; CSV knows no keys. A file that is no table is left
 * out.
 * @throws InputFormatError when no file is a table, or the questions don't fit
 */
export function loadCsvDataset(paths: PathsWith<'tables' | 'examples'>): CsvDataset {
  const { databases: csvTables, skipped } = readCsvFolder(resolve(paths.tables));
  const databases = new Map([...csvTables].map(([id, tables]) => [id, toDatabase(id, tables)]));
  const questions = openQuestionFile(paths.examples, databases, paths.withoutGold);
  const hashes = [...csvTables].map(([id, tables]) => [
    id,
    ...tables.map((one) => [one.table.originalName, one.sha256]),
  ]);
  return {
    format: 'csv',
    dialect: SQLITE,
    databases,
    size: questions.size,
    skipped: questions.skipped,
    skippedSchemas: skipped,
    notes: [...csvTables].flatMap(([id, tables]) => tables.flatMap((table) => nullNotes(id, table))),
    fingerprints: {
      tables: sha256Of(JSON.stringify(hashes)),
      examples: fileSha256(paths.examples),
    },
    questions,
    csvTables,
    examples: () => questions.examples(),
    sampleValues: ({ id }) => mustGet(csvTables.get(id), 'csvTables.get(id)').map(({ samples }) => samples),
    hasRows: (dbId) => csvTables.has(dbId),
    sqliteFile: (dbId, scratch) => {
      const tables = csvTables.get(dbId);
      return tables === undefined ? null : sqliteFileIn(scratch, dbId, () => tables.map(toSqliteTable));
    },
  };
}
