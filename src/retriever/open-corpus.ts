import { statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { InputFormatError, PerturbqlError } from '../errors.js';
import { fileSha256, sha256Of } from '../run/sha256.js';
import { walkFolders } from '../run/walk-folders.js';
import { skipTable, type CorpusEntry, type CorpusReader, PathCorpusReader } from './corpus-reader.js';
import { CsvCorpusReader } from './csv-corpus-reader.js';
import { JsonCorpusReader, TarCorpusReader } from './corpus-record.js';
import { SqliteCorpusReader } from './sqlite-corpus-reader.js';

type ReaderClass = new (path: string, name: string) => CorpusReader;

const READERS: readonly (readonly [RegExp, ReaderClass])[] = [
  [/\.(?:tar|tar\.gz|tgz)$/iu, TarCorpusReader],
  [/\.(?:jsonl?|ndjson)(?:\.gz)?$/iu, JsonCorpusReader],
  [/\.(?:csv|tsv)(?:\.gz)?$/iu, CsvCorpusReader],
  [/\.(?:sqlite3?|db3?)$/iu, SqliteCorpusReader],
];

const KNOWN_ENDINGS =
  '.jsonl, .ndjson, .json, .csv, .tsv (each also .gz), .tar, .tar.gz, .tgz, .sqlite, .sqlite3, .db, .db3';

function readerFor(path: string, name: string): CorpusReader | null {
  const entry = READERS.find(([pattern]) => pattern.test(path));
  return entry === undefined ? null : new entry[1](path, name);
}

function isAbort(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || error instanceof PerturbqlError;
}

/** sha256 over a corpus: a file's, or those of all files below a folder with their names. */
export function corpusSha256(path: string): string {
  if (!statSync(path).isDirectory()) return fileSha256(path);
  const lines: string[] = [];
  for (const folder of walkFolders(path, () => false)) {
    for (const name of folder.files.filter((one) => !one.startsWith('.'))) {
      const file = join(folder.path, name);
      lines.push(`${relative(path, file)} ${fileSha256(file)}\n`);
    }
  }
  return sha256Of(lines.join(''));
}

/** Reads every file below a folder, in the order of their paths' code units; a broken file is a counted skip. */
class FolderCorpusReader extends PathCorpusReader {
  read(signal: AbortSignal): AsyncIterable<CorpusEntry> {
    return this.#readFolder('', signal);
  }

  async *#readFolder(below: string, signal: AbortSignal): AsyncGenerator<CorpusEntry> {
    const entries = await readdir(join(this.path, below), { withFileTypes: true });
    const visible = entries.filter((entry) => !entry.name.startsWith('.'));
    for (const entry of visible.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      signal.throwIfAborted();
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) yield* this.#readFolder(name, signal);
      else yield* this.#readFile(name, signal);
    }
  }

  async *#readFile(name: string, signal: AbortSignal): AsyncGenerator<CorpusEntry> {
    const reader = readerFor(join(this.path, name), name);
    if (reader === null) {
      yield skipTable('unknown kind of file', name);
      return;
    }
    try {
      yield* reader.read(signal);
    } catch (error) {
      if (isAbort(error, signal)) throw error;
      yield skipTable('unreadable file', name);
    }
  }
}

/** Reads one file whose faults are the user's to repair, so that they end the reading with an error. */
class SingleFileReader implements CorpusReader {
  readonly name: string;
  readonly #reader: CorpusReader;

  constructor(reader: CorpusReader) {
    this.name = reader.name;
    this.#reader = reader;
  }

  async *read(signal: AbortSignal): AsyncGenerator<CorpusEntry> {
    try {
      yield* this.#reader.read(signal);
    } catch (error) {
      if (isAbort(error, signal)) throw error;
      throw new InputFormatError('the table corpus can not be read to its end', {
        fix: 'Check that the file is complete and readable; fetch it again if it was cut off.',
        where: { file: this.name },
        cause: error,
      });
    }
  }
}

/**
 * The reader for a corpus file or folder, by what the path is: JSON lines, WDC JSON and archives, CSV, SQLite, or a
 * folder that mixes them. Names of files in ids and messages are relative to `path`, so they do not depend on its place.
 * @throws InputFormatError when the path does not exist or its ending is unknown.
 */
export async function openCorpus(path: string): Promise<CorpusReader> {
  const where = { file: path };
  const status = await stat(path).catch((cause: unknown) => {
    throw new InputFormatError('the table corpus does not exist', {
      fix: 'Name an existing file or folder.',
      where,
      cause,
    });
  });
  if (status.isDirectory()) return new FolderCorpusReader(path, basename(path));
  const reader = readerFor(path, basename(path));
  if (reader !== null) return new SingleFileReader(reader);
  throw new InputFormatError('the table corpus is of an unknown kind', {
    fix: `Use a folder or one of ${KNOWN_ENDINGS}.`,
    where,
  });
}
