import { hash } from 'node:crypto';
import { join } from 'node:path';
import { differenceOf, type ResultDifference, SHOWN_SIZE } from '../../report/result-difference.js';
import type { RunHost } from '../../run/run-host.js';
import type { Database } from '../../schema/schema.js';
import { executableSql } from '../../sql/executable-sql.js';
import type { QueryOutcome } from '../../sql/execution/query-outcome.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import { rowKey } from '../../sql/execution/value-key.js';
import { createFuzzer, type Fuzzer, type TableRows } from '../../rows/fuzz/fuzzer.js';
import { writeDurably } from '../../run/durable-file.js';

/** Databases of other rows for each one of the data set: further ones found nothing more on Spider dev. */
const DATABASES = 9;
/**
 * In every third of them each gold finds rows; in the others rows are drawn around the constants of a few gold queries.
 */
const WITNESSED = 3;
/** Rows that a gold finds there: with two, an order and a count can be seen. */
const WITNESSES = 2;

/** The database and queries that other rows are made for. */
interface OtherRowsSource {
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

/** The result of a gold query on its database. */
export type GoldResult =
  | {
      readonly kind: 'rows';
      readonly rows: number;
      /** No row, or one of nothing but NULL and 0: what a count or a sum of no rows gives. */
      readonly isEmpty: boolean;
      /** Shared by results of the same rows, whatever their order. */
      readonly hash: string;
    }
  | { readonly kind: 'failed'; readonly reason: string };

/** Who executes gold queries. */
export type GoldResults = Pick<ExecutedGolds, 'of' | 'areAlike' | 'close'>;

/** The SQLite files that gold queries of a database are executed on. */
export interface GoldFiles {
  /** The data set's own; null where there are no rows, so that its gold queries all fail. */
  readonly file: string | null;
  readonly otherRows: OtherRows | null;
}

function resultOf(outcome: QueryOutcome): GoldResult {
  if (outcome.kind === 'failed') return { kind: 'failed', reason: outcome.message };
  if (outcome.kind !== 'rows') return { kind: 'failed', reason: outcome.kind };
  const { rows, columns } = outcome;
  const keys = rows.map((row) => rowKey(row, 'numeric')).sort();
  const nothing =
    rows.length <= 1 && rows.every((row) => row.every((value) => value === null || value === 0n || value === 0));
  return {
    kind: 'rows',
    rows: rows.length,
    isEmpty: nothing,
    hash: hash('sha256', `${columns.length};${keys.join(';')}`, 'base64').slice(0, 22),
  };
}

/** Executes gold queries in child processes, within the limits of queries nobody vouches for. */
export class ExecutedGolds {
  readonly #runner: QueryRunner;
  readonly #findFiles: (dbId: string) => GoldFiles;
  readonly #signal: AbortSignal;
  readonly #files = new Map<string, GoldFiles>();
  readonly #known = new Map<string, Promise<GoldResult>>();

  constructor(findFiles: (dbId: string) => GoldFiles, { signal }: Pick<RunHost, 'signal'>, jobs?: number) {
    this.#runner = new QueryRunner({ jobs, limits: { timeoutMs: 10_000, maxRows: 200_000 } });
    this.#findFiles = findFiles;
    this.#signal = signal;
  }

  /** The result of a query on a database of the data set; the same query is executed once. */
  of(sql: string, database: Database): Promise<GoldResult> {
    return this.#on(this.#filesOf(database).file, sql, database);
  }

  /**
   * Checks whether two queries give the same rows on the database, and on every one with other rows where both give
   * any.
   */
  async areAlike(a: string, b: string, database: Database): Promise<boolean> {
    const { file, otherRows } = this.#filesOf(database);
    if (!sameRows(...(await this.#both(file, a, b, database)))) return false;
    for (const other of otherRows?.files() ?? []) {
      const [first, second] = await this.#both(other, a, b, database);
      if (first.kind === 'rows' && second.kind === 'rows' && !sameRows(first, second)) return false;
    }
    return true;
  }

  /** Where the results of two queries differ; null where one of them has none, or it is too large to show. */
  async differenceOf(a: string, b: string, database: Database): Promise<ResultDifference | null> {
    const { file } = this.#filesOf(database);
    if (file === null) return null;
    const run = (sql: string): Promise<QueryOutcome> =>
      this.#runner.run({ sql: executableSql(sql, database), file }, this.#signal, SHOWN_SIZE);
    const [first, second] = await Promise.all([run(a), run(b)]);
    return first.kind === 'rows' && second.kind === 'rows' ? differenceOf(first, second, false) : null;
  }

  /** Forgets the results of the databases that are done with. */
  forget(): void {
    for (const { otherRows } of this.#files.values()) otherRows?.close();
    this.#files.clear();
    this.#known.clear();
  }

  close(): Promise<void> {
    this.forget();
    return this.#runner.close();
  }

  #filesOf({ id }: Database): GoldFiles {
    const known = this.#files.get(id) ?? this.#findFiles(id);
    this.#files.set(id, known);
    return known;
  }

  #both(file: string | null, a: string, b: string, database: Database): Promise<[GoldResult, GoldResult]> {
    return Promise.all([this.#on(file, a, database), this.#on(file, b, database)]);
  }

  #on(file: string | null, sql: string, database: Database): Promise<GoldResult> {
    if (file === null) return Promise.resolve({ kind: 'failed', reason: 'there are no rows' });
    const key = `${file}\n${sql}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const result = this.#runner.run({ sql: executableSql(sql, database), file }, this.#signal).then(resultOf);
    this.#known.set(key, result);
    return result;
  }
}

/** Checks whether two results have the same rows. */
function sameRows(a: GoldResult, b: GoldResult): boolean {
  return a.kind === 'rows' && b.kind === 'rows' && a.hash === b.hash;
}
