import { join } from 'node:path';
import { createFuzzer, type Fuzzer, type TableRows } from '../../rows/fuzz/fuzzer.js';
import { writeDurably } from '../../run/durable-file.js';
import type { Database } from '../../schema/schema.js';

/** Databases of other rows for each one of the data set: further ones found nothing more on Spider dev. */
const DATABASES = 9;
/**
 * In every third of them each gold finds rows; in the others rows are drawn around the constants of a few gold queries.
 */
const WITNESSED = 3;
/** Rows that a gold finds there: with two, an order and a count can be seen. */
const WITNESSES = 2;

/** The database and queries that other rows are made for. */
export interface OtherRowsSource {
  readonly database: Database;
  /** The SQLite file whose tables they go into. */
  readonly file: string;
  /** Gold queries whose constants the rows have, or nearly. */
  readonly goldQueries: readonly string[];
}

function rowsOf(fuzzer: Fuzzer, goldQueries: readonly string[], seed: number): TableRows {
  if (seed % WITNESSED !== 0) return fuzzer.database(seed);
  const order = { turn: seed, batches: [WITNESSES], hasBare: true, repeats: false };
  const orders = goldQueries.map((sql) => ({ ...order, sql }));
  return fuzzer.withWitnesses(seed, orders, 'usual');
}

/**
 * Databases with the tables of one of the data set's and random rows around the constants of its gold queries
 * (Test-suite accuracy §4.1), as SQLite files in a folder. A condition that changes nothing on the few rows of the data
 * set's own database does so on these, unless it says nothing. The same gold queries give the same rows.
 */
export class OtherRows {
  readonly #folder: string;
  readonly #source: OtherRowsSource;
  readonly #files: string[] = [];
  #fuzzer: Fuzzer | null = null;

  constructor(folder: string, source: OtherRowsSource) {
    this.#folder = folder;
    this.#source = source;
  }

  /** The files, each written when it is first asked for. @throws InputFormatError when the original can't be read */
  *files(): Generator<string> {
    for (let number = 0; number < DATABASES; number++) yield (this.#files[number] ??= this.#write(number));
  }

  /** Releases what rows are drawn with. */
  close(): void {
    this.#fuzzer?.close();
    this.#fuzzer = null;
  }

  #write(number: number): string {
    const { goldQueries, ...source } = this.#source;
    this.#fuzzer ??= createFuzzer(source, goldQueries);
    const sqlite = this.#fuzzer.materialize(rowsOf(this.#fuzzer, goldQueries, number));
    const file = join(this.#folder, `${number}.sqlite`);
    try {
      writeDurably(file, [sqlite.serialize()]);
    } finally {
      sqlite.close();
    }
    return file;
  }
}
