import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { CorpusTable } from '../stage.js';
import { INDEX_FILES, indexMismatch } from './index-manifest.js';
import { wordsOf } from '../schema/name-identity.js';
import { singularOf } from '../schema/natural-name.js';

/** The first four bytes of a SHA-256 as a number: enough to notice damage in a part of a file, not an attack. */
export function checksumOf(bytes: Uint8Array): number {
  return hash('sha256', bytes, 'buffer').readUInt32LE(0);
}

const LINE_END = 10;

/** The tables of an index by position. */
export interface TableStore {
  readonly size: number;
  /** The tables at some positions, 0 to size - 1, in the order of the positions. */
  read(positions: readonly number[]): readonly CorpusTable[];
}

function findLineStarts(bytes: Uint8Array): number[] {
  const starts: number[] = [];
  for (let start = 0; start < bytes.length;) {
    starts.push(start);
    const end = bytes.indexOf(LINE_END, start);
    start = end === -1 ? bytes.length : end + 1;
  }
  return starts;
}

/** Contents of `tables.jsonl` in memory; a table is parsed when it is asked for. */
export class LoadedTables implements TableStore {
  readonly size: number;
  readonly #bytes: Buffer;
  readonly #starts: readonly number[];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#starts = findLineStarts(bytes);
    this.size = this.#starts.length;
  }

  read(positions: readonly number[]): readonly CorpusTable[] {
    return positions.map((position) => {
      const end = this.#starts[position + 1] ?? this.#bytes.length;
      return JSON.parse(this.#bytes.toString('utf8', this.#starts[position], end)) as CorpusTable;
    });
  }
}

/** Where each table's line begins in `tables.jsonl`, and its checksum. */
export interface LinePlaces {
  /** One more than there are tables: the last is the length of the file. */
  readonly starts: Float64Array;
  readonly checks: Uint32Array;
}

/** `tables.jsonl` on disk: each line is read and checked when its table is asked for; the rest is never read. */
export class StoredTables implements TableStore {
  readonly size: number;
  readonly #folder: string;
  readonly #places: LinePlaces;

  constructor(folder: string, places: LinePlaces) {
    this.#folder = folder;
    this.#places = places;
    this.size = places.checks.length;
  }

  /** @throws IndexMismatchError when the file is gone or a line is not the one that was written. */
  read(positions: readonly number[]): readonly CorpusTable[] {
    const file = this.#open();
    try {
      return positions.map((position) => JSON.parse(this.#readLine(file, position)) as CorpusTable);
    } finally {
      closeSync(file);
    }
  }

  #open(): number {
    try {
      return openSync(join(this.#folder, INDEX_FILES.tables), 'r');
    } catch (cause) {
      throw indexMismatch(`the index has no ${INDEX_FILES.tables}`, this.#folder, INDEX_FILES.tables, cause);
    }
  }

  #readLine(file: number, position: number): string {
    const { starts, checks } = this.#places;
    const [start = 0, end = 0] = starts.subarray(position, position + 2);
    const line = Buffer.allocUnsafe(end - start);
    const length = readSync(file, line, 0, line.length, start);
    if (length === line.length && checksumOf(line) === checks[position]) return line.toString('utf8');
    throw indexMismatch(`table ${position + 1} is damaged: its checksum differs`, this.#folder, INDEX_FILES.tables);
  }
}

/** A word that headers of fewer tables have is one writer's. */
const LEAST_TABLES = 2;

/** The words that the column names of an index's tables use, lower case, and their singulars: at least two tables have each. */
export async function loadHeaderWords(folder: string): Promise<ReadonlySet<string>> {
  const tables = new LoadedTables(await readFile(join(folder, INDEX_FILES.tables)));
  const counts = new Map<string, number>();
  for (const { columns } of tables.read([...Array(tables.size).keys()])) {
    const words = columns.flatMap(wordsOf).flatMap((word) => [word, singularOf(word)]);
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= LEAST_TABLES).map(([word]) => word));
}
