import { readdirSync, statSync, type Dirent } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { InputFormatError } from '../errors.js';
import { fileSha256, sha256Of } from '../run/sha256.js';
import type { Database } from '../schema/schema.js';
import { SQLITE } from '../sql/dialect.js';
import { readUntouched } from '../sql/execution/open-untouched.js';
import type { Dataset, PathsWith } from './dataset.js';
import type { OutputFolder, OutputSet } from './output-set.js';
import { openQuestionFile, type QuestionFile } from './question-file.js';
import { writeQuestions, type QuestionDataset } from './question-output.js';
import { namesSequences, readSqliteSchema, schemaNotes, withSequences } from './read-sqlite-schema.js';
import { sampleSqliteFile } from './sample-values.js';
import { type KnownSchemas, readEach } from './usable-records.js';
import { mustGet } from '../present.js';
import { sizeOfFile } from './spider-dataset.js';

const EXTENSIONS = ['.sqlite', '.sqlite3', '.db', '.db3'];

const isSqlite = (name: string): boolean => EXTENSIONS.includes(extname(name).toLowerCase());

/** Lists a folder without hidden names, such as the "._x.db" that macOS leaves in archives. */
function listFolder(path: string): Dirent[] {
  const visible = readdirSync(path, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'));
  return visible.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function statOf(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path);
  } catch (cause) {
    throw new InputFormatError('there is no such file or folder', {
      where: { file: path },
      cause,
      fix: 'Check the path given as --databases.',
    });
  }
}

/** The files of a folder of databases: its own, and those that its sub-folders hold under the sub-folder's name. */
function filesBelow(folder: string): string[] {
  return listFolder(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    const status = statSync(path, { throwIfNoEntry: false });
    // A link to nowhere is no database.
    if (status === undefined) return [];
    if (!status.isDirectory()) return isSqlite(entry.name) ? [path] : [];
    return listFolder(path)
      .filter(({ name }) => isSqlite(name) && basename(name, extname(name)) === entry.name)
      .map(({ name }) => join(path, name));
  });
}

/** SQLite files by database id, the files' stems. */
function findDatabases(path: string): ReadonlyMap<string, string> {
  const files = statOf(path)?.isDirectory() === true ? filesBelow(path) : [path];
  const found = new Map<string, string>();
  for (const file of files) {
    const id = basename(file, extname(file));
    const other = found.get(id);
    if (other !== undefined) {
      throw new InputFormatError(`two databases are called "${id}", the other is ${other}`, {
        where: { file },
        fix: 'Rename one of them, or move it out of the folder.',
      });
    }
    found.set(id, file);
  }
  if (found.size > 0) return found;
  throw new InputFormatError(`no SQLite files (${EXTENSIONS.join(', ')}) in the folder or its sub-folders`, {
    where: { file: path },
    fix: 'Give one file, a folder of them, or a folder with <db_id>/<db_id>.sqlite.',
  });
}

function readSchema(file: string, id: string): Database {
  // SQLite takes such a file for a database without tables; more often it is a download that failed.
  if (statSync(file).size === 0) {
    throw new InputFormatError('the file is empty', {
      where: { file },
      fix: 'Copy the database there again, or take the file away.',
    });
  }
  try {
    return readUntouched(file, (sqlite) => readSqliteSchema(sqlite, id));
  } catch (cause) {
    if (cause instanceof InputFormatError) throw cause;
    throw new InputFormatError('the file can’t be read as a SQLite database', {
      where: { file },
      cause,
      fix: 'Check that it is a SQLite database that is not encrypted.',
    });
  }
}

/** The schemas of all files that have one. @throws InputFormatError where none has */
function readSchemas(files: ReadonlyMap<string, string>): KnownSchemas & { databases: Map<string, Database> } {
  const { kept, skipped } = readEach(
    files,
    ([id, file]) => readSchema(file, id),
    ({ message: reason }, [id, file]) => ({ id, reason, place: basename(file) }),
  );
  return { databases: new Map(kept.map((database) => [database.id, database])), skipped };
}

/** The schemas of SQLite databases, in one file or a folder, without questions. @throws as `loadSqliteDataset` */
export function loadSqliteSchemas(path: string): Dataset {
  const files = findDatabases(path);
  const { databases, skipped: skippedSchemas } = readSchemas(files);
  return {
    format: 'sqlite',
    dialect: SQLITE,
    databases,
    size: 0,
    skipped: [],
    skippedSchemas,
    fingerprints: { schemas: sha256Of(JSON.stringify([...databases.values()])) },
    examples: () => [],
    ...rowsOf(files),
  };
}

/** Adds SQLite's own table of sequences to the schemas of databases whose gold queries name it. */
function addSequences(databases: Map<string, Database>, questions: QuestionFile): void {
  const named = new Set([...questions.examples()].flatMap(({ dbId, query }) => (namesSequences(query) ? [dbId] : [])));
  for (const [id, database] of databases) if (named.has(id)) databases.set(id, withSequences(database));
}

/** The rows of files, by database. */
function rowsOf(
  files: ReadonlyMap<string, string>,
): Pick<Dataset, 'sampleValues' | 'hasRows' | 'sqliteBytes' | 'sqliteFile'> {
  return {
    sampleValues: (database) => sampleSqliteFile(mustGet(files.get(database.id), 'files.get(database.id)'), database),
    hasRows: (dbId) => files.has(dbId),
    sqliteBytes: (dbId) => sizeOfFile(files.get(dbId) ?? null),
    sqliteFile: (dbId) => files.get(dbId) ?? null,
  };
}

/**
 * Any SQLite databases with a file of questions and SQL: `--databases` is one file, a folder of `.sqlite` or `.db`
 * files, or a folder with `<db_id>/<db_id>.sqlite`; the schema is read from the files.
 * @throws InputFormatError when a file is not a SQLite database, or the questions don't fit
 */
export function loadSqliteDataset(paths: PathsWith<'databases' | 'examples'>): QuestionDataset {
  const files = findDatabases(paths.databases);
  const { databases, skipped: skippedSchemas } = readSchemas(files);
  const questions = openQuestionFile(paths.examples, databases, paths.withoutGold);
  addSequences(databases, questions);
  return {
    format: 'sqlite',
    dialect: SQLITE,
    databases,
    size: questions.size,
    skipped: questions.skipped,
    skippedSchemas,
    notes: [...files].flatMap(([id, file]) => (databases.has(id) ? schemaNotes(id, file) : [])),
    // Of the databases, what a run is made of: hashing every row of large ones would take longer than the run.
    fingerprints: {
      examples: fileSha256(paths.examples),
      schemas: sha256Of(JSON.stringify([...databases.values()])),
    },
    questions,
    examples: () => questions.examples(),
    ...rowsOf(files),
    hasRows: (dbId) => databases.has(dbId),
  };
}

/** Writes the questions back as `sqlite/examples.*`; the databases are those of the run's `database/`. */
export function writeSqliteDataset(set: OutputSet, folder: OutputFolder): void {
  writeQuestions(set, folder, 'sqlite/examples');
}
