import { hash } from 'node:crypto';
import type Sqlite from 'better-sqlite3';
import { itemAt } from '../../present.js';
import { failureOf, readStatement } from '../../sql/execution/execute-query.js';
import { type QueryOutcome, type QueryRows, refusalOf } from '../../sql/execution/query-outcome.js';
import type { ComparisonMode } from '../../sql/execution/result-comparison.js';
import { columnsOf, rowCounter, tableNames } from '../../sql/execution/table-pragmas.js';
import { cursorPages, loopDepth, type LoopDepth, mostRows } from './loop-depth.js';
import { openConnection } from '../../sql/execution/open-connection.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import type { ColumnMatch } from '../../sql/execution/column-matching.js';
import { sameResult } from '../../sql/execution/result-mode.js';
import { rowKey } from '../../sql/execution/value-key.js';

/** A query's meaning on one database: a hash that equal results share but for `hasLargeReals`, or why there is none. */
export type Denotation =
  | { readonly kind: 'rows'; readonly hash: string; readonly rows: number }
  | Exclude<QueryOutcome, QueryRows>
  /** It would take more steps than it may: too many rows are looked at. */
  | { readonly kind: 'too-long' };

function rowTexts({ rows }: QueryRows, mode: ComparisonMode): readonly string[] {
  const texts = rows.map((row) => rowKey(row, 'numeric'));
  if (mode === 'ordered') return texts;
  return (mode === 'set' ? [...new Set(texts)] : texts).sort();
}

/**
 * A text that two results share exactly when `compareResults` finds no difference between them in the mode, with
 * numbers by value: columns by number and sequence, not by name. 128 bits of SHA-256.
 */
export function denotationHash(result: QueryRows, mode: ComparisonMode): string {
  const texts = rowTexts(result, mode);
  // A row's text tells where it ends only by its length.
  const content = `${result.columns.length};${texts.map((text) => `${text.length}:${text}`).join('')}`;
  return hash('sha256', content, 'base64').slice(0, 22);
}

/**
 * Checks whether two results are equal, as execution metrics compare them. Those that share a hash are; others may be,
 * too, where `hasLargeReals` holds: those count as equal when they are close, which is not transitive, so no hash can
 * tell it.
 */
export function matchResults(left: QueryRows, right: QueryRows, mode: ComparisonMode): ColumnMatch {
  return sameResult(left, right, { mode, tolerance: null }, mode === 'ordered');
}

/**
 * Checks whether a result has no row, or one of NULLs alone, as `max(x)` of no rows gives where `ORDER BY x DESC LIMIT
 * 1` gives none: on such data few readers would call the two different.
 */
export function isEmptyResult({ rows }: QueryRows): boolean {
  return rows.length <= 1 && rows.every((row) => row.every((value) => value === null));
}

/** Thrown from within a query that has looked at more rows than it may. */
export class StepsExceeded extends Error {}

const COUNT = 'perturbql_count_step';

/**
 * A copy of a database, as it is at first, in which every row that a query looks at is counted, and the query ends where
 * there are too many. Nothing else can end it: better-sqlite3 has no interrupt, and a worker thread is not terminated
 * before the native call returns. So TEMP views come before the tables, with a condition that calls back; SQLite
 * merges them into the query, and loops and indexes stay.
 */
export class CountedCopy {
  readonly #copy: Sqlite.Database;
  #left = 0;

  constructor(sqlite: Sqlite.Database) {
    this.#copy = openConnection(sqlite.serialize());
    // The argument keeps SQLite from taking the call out of the loop.
    this.#copy.function(COUNT, { varargs: true }, () => {
      if (this.#left-- <= 0) throw new StepsExceeded();
      return 1;
    });
    this.#placeViews();
  }

  /**
   * Runs something on the copy that looks at no more than so many rows.
   * @throws StepsExceeded from within a query
   */
  run<T>(maxSteps: number, read: (copy: Sqlite.Database) => T): T {
    this.#left = maxSteps;
    return read(this.#copy);
  }

  close(): void {
    this.#copy.close();
  }

  #placeViews(): void {
    const copy = this.#copy;
    for (const name of tableNames(copy)) {
      const [table, first] = [name, columnsOf(copy, name)[0]?.name ?? 'rowid'].map((word) => quoteIdentifier(word));
      copy.exec(`CREATE TEMP VIEW ${table} AS SELECT * FROM main.${table} WHERE ${COUNT}(${first})`);
    }
    const views = copy.prepare("SELECT sql FROM main.sqlite_schema WHERE type = 'view'").pluck().all() as string[];
    for (const view of views) copy.exec(view.replace(/^CREATE VIEW/u, 'CREATE TEMP VIEW'));
  }
}

/** Bounds of one query. They are counts, no times: a verdict does not depend on the machine. */
export interface DenotationLimits {
  /** Rows that a query may look at. */
  readonly maxSteps: number;
  readonly maxRows: number;
  /** As in `QueryLimits`. */
  readonly maxBytes: number;
}

/** On one core a million steps take about a tenth of a second. */
export const DENOTATION_LIMITS: DenotationLimits = {
  maxSteps: 1_000_000,
  maxRows: 100_000,
  maxBytes: 16 * 1024 * 1024,
};

/** A query that would look at too many rows. */
export interface TooLong {
  readonly kind: 'too-long';
}

type ReadLimits = Pick<DenotationLimits, 'maxRows' | 'maxBytes'>;

/** Prepared queries that are kept, at a few kB each, unless told. */
const MOST_PREPARED = 50_000;

const NO_LOOPS: LoopDepth = { all: 0, results: 0, width: 1, isUnbounded: false };

/** Rows of each table, as of a count of changes. */
interface TableSizes {
  readonly changes: unknown;
  readonly rows: readonly number[];
  /** Two where a loop would seem to cost nothing. */
  readonly largest: number;
}

interface PreparedQuery {
  readonly statement: Sqlite.Statement;
  readonly depth: LoopDepth;
  /** Positions of the tables that its cursors read, where that was asked. */
  cursors?: readonly number[];
  /** `LoopDepth.results` in a copy that counts rows, where it was counted. */
  countedResults?: number;
}

/**
 * Runs queries on one database in memory, in this process and thread, bounded beforehand: by the plan, a query whose
 * loops can't look at too many rows runs as it is; another one on a copy that counts them; one that nothing bounds (a
 * recursive one, large products of subqueries) not at all. Queries stay prepared when the database's rows are replaced.
 * What is left unbounded: work within one expression on values of the query's own making.
 */
export class DenotationRunner {
  readonly #sqlite: Sqlite.Database;
  readonly #limits: DenotationLimits;
  readonly #prepared = new Map<string, PreparedQuery>();
  readonly #changes: Sqlite.Statement;
  readonly #rowCounts: () => readonly number[];
  /** Positions of tables in `#rowCounts`, by the root pages of their b-trees and those of their indexes. */
  readonly #positions: ReadonlyMap<number, number>;
  /** Kept until rows change: the bytes that it is made of are freed only when the event loop turns. */
  #counted: { readonly changes: unknown; readonly copy: CountedCopy } | null = null;
  #sizes: TableSizes | null = null;

  readonly #mostPrepared: number;

  constructor(
    sqlite: Sqlite.Database,
    limits: DenotationLimits = DENOTATION_LIMITS,
    mostPrepared: number = MOST_PREPARED,
  ) {
    this.#sqlite = sqlite;
    this.#limits = limits;
    this.#mostPrepared = mostPrepared;
    this.#changes = sqlite.prepare('SELECT total_changes()').pluck();
    this.#rowCounts = rowCounter(sqlite);
    this.#positions = pagePositions(sqlite);
  }

  /** Returns a query's denotation on the database as it is now; whatever the text, there is an answer. */
  denote(sql: string, mode: ComparisonMode): Denotation {
    const outcome = this.run(sql);
    if (outcome.kind !== 'rows') return outcome;
    return { kind: 'rows', hash: denotationHash(outcome, mode), rows: outcome.rows.length };
  }

  /** The result of a query, within the limits; where more than `maxRows` don't matter, reading ends there. */
  run(sql: string, maxRows = this.#limits.maxRows): QueryOutcome | TooLong {
    const reason = refusalOf(sql);
    if (reason !== null) return { kind: 'refused', reason };
    const limits = { maxRows, maxBytes: this.#limits.maxBytes };
    try {
      const prepared = this.#prepare(sql);
      if (prepared.depth.isUnbounded) return { kind: 'too-long' };
      if (this.#isShort(prepared)) return readStatement(this.#sqlite, prepared.statement, limits);
      return this.#runCounted(prepared, limits);
    } catch (error) {
      return error instanceof StepsExceeded ? { kind: 'too-long' } : failureOf(error);
    }
  }

  /** Releases what queries were counted on; the database stays open. */
  close(): void {
    this.#counted?.copy.close();
    this.#counted = null;
  }

  /** Checks whether a query's loops can't look at too many rows. */
  #isShort(prepared: PreparedQuery): boolean {
    const { maxSteps } = this.#limits;
    const { all, results, width } = prepared.depth;
    const { rows, largest } = this.#tableSizes();
    if ((width * largest) ** Math.max(all, results) <= maxSteps) return true;
    if (results > 0) return false;
    const cursors = (prepared.cursors ??= this.#cursorsOf(prepared.statement.source));
    const read = cursors.map((position) => itemAt(rows, position));
    return mostRows(prepared.depth, read, largest) <= maxSteps;
  }

  #cursorsOf(sql: string): readonly number[] {
    return cursorPages(this.#sqlite, sql).flatMap((page) => this.#positions.get(page) ?? []);
  }

  #runCounted(prepared: PreparedQuery, limits: ReadLimits): QueryOutcome | TooLong {
    const counted = this.#countedCopy();
    const sql = prepared.statement.source;
    // Rows of results are not counted: each row that is may come with all of them. Loops may nest otherwise than without
    // the count.
    prepared.countedResults ??= counted.run(0, (copy) => loopDepth(copy, sql).results);
    const base = prepared.depth.width * this.#tableSizes().largest;
    const maxSteps = this.#limits.maxSteps / base ** prepared.countedResults;
    if (maxSteps < 1) return { kind: 'too-long' };
    return counted.run(maxSteps, (copy) => readStatement(copy, copy.prepare(sql), limits));
  }

  #countedCopy(): CountedCopy {
    const changes = this.#changes.get();
    if (this.#counted !== null && this.#counted.changes === changes) return this.#counted.copy;
    this.close();
    this.#counted = { changes, copy: new CountedCopy(this.#sqlite) };
    return this.#counted.copy;
  }

  #prepare(sql: string): PreparedQuery {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    if (this.#prepared.size >= this.#mostPrepared) this.#prepared.clear();
    const statement = this.#sqlite.prepare(sql);
    const isReader = statement.reader && statement.readonly;
    const depth = isReader ? loopDepth(this.#sqlite, sql) : NO_LOOPS;
    const prepared = { statement, depth };
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  /** Counted again when rows have changed. */
  #tableSizes(): TableSizes {
    const changes = this.#changes.get();
    if (this.#sizes !== null && this.#sizes.changes === changes) return this.#sizes;
    const rows = this.#rowCounts();
    this.#sizes = { changes, rows, largest: Math.max(2, ...rows) };
    return this.#sizes;
  }
}

/** Positions of tables in `tableNames`, by the root pages of their b-trees and those of their indexes. */
function pagePositions(sqlite: Sqlite.Database): ReadonlyMap<number, number> {
  const positions = new Map(tableNames(sqlite).map((name, position) => [name, position]));
  const pages = sqlite.prepare('SELECT rootpage, tbl_name FROM main.sqlite_schema WHERE rootpage > 0').raw();
  return new Map(
    (pages.all() as [number, string][]).flatMap(([page, table]) => {
      const position = positions.get(table);
      return position === undefined ? [] : [[page, position] as const];
    }),
  );
}
