import type Sqlite from 'better-sqlite3';
import { whereReadable } from '../../sql/sql-fault.js';
import { whileOpen } from '../../sql/execution/open-connection.js';
import { type PlainResult, plainResult, type QueryRows, type SqlValue } from '../../sql/execution/query-outcome.js';
import { listTables, columnsOf, tableNames } from '../../sql/execution/table-pragmas.js';
import { tokenize, unquote } from '../../sql/tokenizer.js';
import { DENOTATION_LIMITS, DenotationRunner } from '../../testsuite/denotation/denotation-runner.js';
import { reduceRows } from '../../testsuite/distill/reduce-database.js';
import { RowOrders } from '../../testsuite/distill/row-order.js';
import { breaksConstraint, type RowConstraint } from '../../rows/constraints/row-constraint.js';
import { listOf, replaceRows, type TableRows, type WrittenTable } from '../../rows/fuzz/written-tables.js';
import type { RunOutcome } from './opened-schema.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import { openEmptied } from '../../rows/fuzz/empty-database.js';

/** The tables of a database, with the columns that are no others' results. */
function writtenTables(sqlite: Sqlite.Database): readonly WrittenTable[] {
  return tableNames(sqlite).map((name) => ({
    name,
    columns: columnsOf(sqlite, name).flatMap((column) => (column.hidden === 0 ? [column.name] : [])),
  }));
}

/** The rows of some tables of a database. */
function readRows(sqlite: Sqlite.Database, tables: readonly WrittenTable[]): TableRows {
  return new Map(
    tables.map(({ name, columns }) => {
      const rows = sqlite
        .prepare(`SELECT ${listOf(columns)} FROM main.${quoteIdentifier(name)}`)
        .raw()
        .safeIntegers();
      return [name, rows.all() as SqlValue[][]];
    }),
  );
}

/** Why a prediction is wrong, on the smallest database that shows it. */
export interface Counterexample {
  /** The suite's database that it was cut down from. */
  readonly database: string;
  /** The rows that are left of the tables that the two queries read. */
  readonly tables: readonly ({ readonly name: string } & PlainResult)[];
  readonly gold: PlainResult;
  /** Where the order of rows decides some of the gold's result, so that the one shown is one of several. */
  readonly isGoldPartial?: true;
  /** The prediction as it was executed, with values plugged in. */
  readonly predictedSql: string;
  /** Its result, or why there is none. */
  readonly predicted: PlainResult | { readonly failure: string };
}

/** Two queries that differ on a database, or of which the second fails there. */
export interface Difference {
  /** Of the database. */
  readonly name: string;
  readonly gold: string;
  readonly predicted: string;
  readonly differs: (gold: QueryRows, predicted: RunOutcome, runner: DenotationRunner) => boolean;
  /** The constraints that the database satisfies; fewer of its rows do, too. */
  readonly constraints: readonly RowConstraint[];
  /** Checks whether two results of the gold are equal. */
  readonly isSame: (one: QueryRows, other: QueryRows) => boolean;
  /** Where the order of rows may decide some of the gold's result. */
  readonly isGoldPartial?: true;
}

/** Rows that are shown of a table or a result. */
const SHOWN_ROWS = 20;

/** Rows that are tried at most to find few of them, and how many are loaded for that in all. */
const MOST_TRIES = 400;
const MOST_LOADED = 1_000_000;

/** Tables that one of the queries may read: those that it names, all where it reads a view or is no SQL to us. */
function readTables(sqlite: Sqlite.Database, queries: readonly string[]): readonly WrittenTable[] {
  const tables = writtenTables(sqlite);
  const tokens = whereReadable(() => queries.flatMap((sql) => tokenize(sql)), null);
  if (tokens === null) return tables;
  const words = new Set(tokens.map((token) => unquote(token).toLowerCase()));
  const isNamed = ({ name }: { readonly name: string }): boolean => words.has(name.toLowerCase());
  const isView = listTables(sqlite).some((listed) => listed.type === 'view' && isNamed(listed));
  return isView ? tables : tables.filter(isNamed);
}

interface Results {
  readonly gold: QueryRows;
  readonly predicted: RunOutcome;
}

function shownOutcome(outcome: RunOutcome): Counterexample['predicted'] {
  if (outcome.kind === 'rows') return plainResult(outcome, SHOWN_ROWS);
  return { failure: outcome.kind === 'failed' ? outcome.message : outcome.kind };
}

/** Constraints on the tables alone that rows taken away may break: a parent that is missing, an empty table. */
function mayBreakByFewerRows(constraint: RowConstraint, tables: readonly WrittenTable[]): boolean {
  const isShown = (table: string): boolean => tables.some(({ name }) => name.toLowerCase() === table.toLowerCase());
  if (constraint.kind === 'filled') return isShown(constraint.table);
  return constraint.kind === 'reference' && isShown(constraint.table) && isShown(constraint.parent);
}

/** Tells whether two queries differ on rows. */
class DifferenceCheck {
  readonly #tables: readonly WrittenTable[];
  /** In memory; all tables but these stay empty. */
  readonly #sqlite: Sqlite.Database;
  readonly #runner: DenotationRunner;
  readonly #difference: Difference;
  readonly #constraints: readonly RowConstraint[];

  constructor(sqlite: Sqlite.Database, tables: readonly WrittenTable[], difference: Difference) {
    this.#tables = tables;
    this.#sqlite = openEmptied(sqlite.serialize());
    this.#runner = new DenotationRunner(this.#sqlite);
    this.#difference = difference;
    this.#constraints = difference.constraints.filter(
      (constraint) => mayBreakByFewerRows(constraint, tables) && !breaksConstraint(sqlite, constraint),
    );
  }

  /** Returns the results of both if they differ. */
  results(rows: TableRows): Results | null {
    replaceRows(this.#sqlite, this.#tables, rows);
    if (this.#constraints.some((constraint) => breaksConstraint(this.#sqlite, constraint))) return null;
    const gold = this.#runner.run(this.#difference.gold);
    if (gold.kind !== 'rows') return null;
    const predicted = this.#runner.run(this.#difference.predicted);
    return this.#difference.differs(gold, predicted, this.#runner) ? { gold, predicted } : null;
  }

  /** Checks whether they differ and the gold's result is the same when rows are found in another order. */
  isClear(rows: TableRows): boolean {
    const results = this.results(rows);
    if (results === null) return false;
    return whileOpen(new RowOrders(this.#sqlite), (orders) =>
      orders.agree(
        this.#difference.gold,
        DENOTATION_LIMITS,
        false, // orders by each column would take most of the time
        (again) => again.kind === 'rows' && this.#difference.isSame(results.gold, again),
      ),
    );
  }

  close(): void {
    this.#sqlite.close();
  }
}

/**
 * Cuts a database on which two queries differ down to few rows on which they still do. Null where they only differ
 * together with rows of other tables, or beyond the limits.
 */
export function findCounterexample(sqlite: Sqlite.Database, difference: Difference): Counterexample | null {
  const { gold, predicted, name } = difference;
  const tables = readTables(sqlite, [gold, predicted]);
  return whileOpen(new DifferenceCheck(sqlite, tables, difference), (check) => {
    const rows = readRows(sqlite, tables);
    const holds = check.isClear(rows)
      ? (some: TableRows): boolean => check.isClear(some)
      : (some: TableRows): boolean => check.results(some) !== null;
    const size = [...rows.values()].reduce((sum, own) => sum + own.length, 0);
    const reduced = reduceRows(rows, holds, Math.min(MOST_TRIES, Math.floor(MOST_LOADED / Math.max(1, size))));
    const results = check.results(reduced);
    if (results === null) return null;
    return {
      database: name,
      tables: tables.map(({ name: table, columns }) => ({
        name: table,
        ...plainResult({ columns, rows: reduced.get(table) ?? [] }, SHOWN_ROWS),
      })),
      gold: plainResult(results.gold, SHOWN_ROWS),
      ...(difference.isGoldPartial === true && { isGoldPartial: true }),
      predictedSql: predicted,
      predicted: shownOutcome(results.predicted),
    };
  });
}
