import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { openConnection } from '../../sql/execution/open-connection.js';
import { gunzipSync } from 'node:zlib';
import { InputFormatError, RunFolderError } from '../../errors.js';
import { loadRecord } from '../../formats/json-file.js';
import { readRunManifest, type RunManifest } from '../../run/run-folder.js';
import { sha256Of } from '../../run/sha256.js';
import { applyChange } from '../transfer/apply-change.js';
import type { SuiteChange } from '../transfer/suite-change.js';
import { READ_FORMATS, schemaPath, schemasFolder, storedPath } from './suite-files.js';
import { memoize } from '../../schema/memoize.js';
import { type SuiteDatabase, suiteSchemaFile, type SuiteSchemaFile } from './suite-manifest.js';

/** A distilled suite: databases by schema, and what they distinguish. */
export interface Suite {
  readonly path: string;
  /** The manifest of the run that made it. */
  readonly manifest: RunManifest;
  /** Ids of its schemas, in code unit order. */
  readonly ids: readonly string[];
  /**
   * Returns the distilled schema; null if the suite has none of that id.
   * @throws InputFormatError when its file is damaged
   */
  schema(dbId: string): SuiteSchemaFile | null;
  /**
   * The SQLite file of a database, whose sha256 is checked.
   * @throws InputFormatError when the file is missing, damaged or another one; RangeError when there is no such
   * database
   */
  bytes(dbId: string, name: string): Buffer;
  /** The database in memory. @throws as `bytes` */
  openDatabase(dbId: string, name: string): Sqlite.Database;
}

const REPAIR =
  'Give the command that wrote the suite again (run.json says which): `perturbql suite build` repairs its folder, `suite transfer` (`suite carry` there) needs a new one.';

function unpacked(file: string): Buffer {
  try {
    const bytes = readFileSync(file);
    return file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  } catch (cause) {
    const what = existsSync(file) ? 'the database can’t be unpacked' : 'the database is missing';
    throw new InputFormatError(what, { where: { file }, cause, fix: REPAIR });
  }
}

const NAME_SUITE = 'Name the --out folder of `perturbql suite build`.';

class FolderSuite implements Suite {
  readonly path: string;
  readonly manifest: RunManifest;
  readonly ids: readonly string[];
  readonly #schemaOf = memoize((dbId) => readSuiteSchema(this.path, dbId));

  constructor(path: string, manifest: RunManifest, ids: readonly string[]) {
    this.path = path;
    this.manifest = manifest;
    this.ids = ids;
  }

  schema(dbId: string): SuiteSchemaFile | null {
    return this.ids.includes(dbId) ? this.#schemaOf(dbId) : null;
  }

  bytes(dbId: string, name: string): Buffer {
    const schema = this.schema(dbId);
    const at = schema?.databases.findIndex((one) => one.name === name) ?? -1;
    const listed = schema?.databases[at];
    if (schema === null || listed === undefined) throw new RangeError(`the suite has no database ${name} of ${dbId}`);
    const { change, carriedFrom } = schema;
    if (change !== undefined && carriedFrom !== null)
      return this.#transferredBytes(carriedFrom, at, change, dbId, listed);
    const file = storedPath(this.path, dbId, name);
    const bytes = unpacked(file);
    if (sha256Of(bytes) === listed.sha256) return bytes;
    throw new InputFormatError('the database is not the one of this suite: its sha256 is another', {
      where: { file },
      fix: REPAIR,
    });
  }

  /** A database of the original under the variant's change. */
  #transferredBytes(origin: string, at: number, change: SuiteChange, dbId: string, listed: SuiteDatabase): Buffer {
    const base = this.schema(origin)?.databases[at];
    if (base === undefined) throw this.#transferredFault(dbId, `there is no such database of ${origin}`);
    const bytes = applyChange(this.bytes(origin, base.name), change, dbId, base);
    if (sha256Of(bytes) === listed.sha256) return bytes;
    throw this.#transferredFault(dbId, `${base.name} becomes another database than ${listed.name}`);
  }

  #transferredFault(dbId: string, message: string): InputFormatError {
    return new InputFormatError(message, { where: { file: schemaPath(this.path, dbId) }, fix: REPAIR });
  }

  openDatabase(dbId: string, name: string): Sqlite.Database {
    return openConnection(this.bytes(dbId, name));
  }
}

/** Reads `schemas/<db_id>.json` of a suite. @throws InputFormatError when it is missing or damaged */
export function readSuiteSchema(suite: string, dbId: string): SuiteSchemaFile {
  const file = schemaPath(suite, dbId);
  return loadRecord(suiteSchemaFile, file, dbId, REPAIR);
}

/** Bytes that a database takes on disk, as it is stored. @throws InputFormatError when its file is missing */
export function storedBytes(suite: string, dbId: string, name: string): number {
  const file = storedPath(suite, dbId, name);
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size !== undefined) return size;
  throw new InputFormatError('the database is missing', { where: { file }, fix: REPAIR });
}

function readSuiteManifest(folder: string): RunManifest {
  try {
    return readRunManifest(folder);
  } catch (cause) {
    const isThere = existsSync(folder);
    const what = isThere ? 'this is no test suite: run.json is missing or another one' : 'there is no such folder';
    throw new RunFolderError(what, { where: { file: folder }, cause: isThere ? undefined : cause, fix: NAME_SUITE });
  }
}

function checkManifest(folder: string, { command, settings, complete }: RunManifest): void {
  const where = { file: folder };
  if (!command.startsWith('suite ')) {
    throw new RunFolderError(`this is no test suite but a run of \`perturbql ${command}\``, {
      where,
      fix: NAME_SUITE,
    });
  }
  const format = settings['suiteFormat'];
  if (!READ_FORMATS.includes(format)) {
    throw new RunFolderError(
      `this suite has format ${JSON.stringify(format)}, this version reads ${READ_FORMATS.join(' and ')}`,
      {
        where,
        fix: 'Build the suite again with this version, or read it with the one that wrote it (run.json).',
      },
    );
  }
  if (complete) return;
  throw new RunFolderError('this suite is not finished', {
    where,
    fix: `Give the \`perturbql ${command}\` that began it again: it resumes.`,
  });
}

/**
 * Opens the folder of a finished suite.
 * @throws RunFolderError when it is none, not finished, or of another format
 */
export function openSuite(folder: string): Suite {
  const manifest = readSuiteManifest(folder);
  checkManifest(folder, manifest);
  const schemas = schemasFolder(folder);
  const names = existsSync(schemas) ? readdirSync(schemas).filter((name) => name.endsWith('.json')) : [];
  if (names.length === 0)
    throw new RunFolderError('the suite has lost its schemas', { where: { file: schemas }, fix: REPAIR });
  return new FolderSuite(folder, manifest, names.map((name) => name.slice(0, -'.json'.length)).sort());
}
