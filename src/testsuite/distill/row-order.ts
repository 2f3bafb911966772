import type Sqlite from 'better-sqlite3';
import { openConnection } from '../../sql/execution/open-connection.js';
import { createRng } from '../../seeded-rng.js';
import type { ColumnNode, Expression } from '../../sql/ast.js';
import { bareExpression } from '../../sql/ast-walk.js';
import type { BoundQuery } from '../../sql/bound-query.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import { copyTables } from '../../sql/execution/copied-tables.js';
import { failureOf, readStatement } from '../../sql/execution/execute-query.js';
import type { QueryOutcome } from '../../sql/execution/query-outcome.js';
import { columnsOf, tableNames } from '../../sql/execution/table-pragmas.js';
import { sameTarget } from '../../sql/name-context.js';
import type { Found } from '../../sql/scope.js';
import type { DenotationLimits } from '../denotation/denotation-runner.js';
import { bareColumns, selectsAggregate } from '../../sql/aggregates.js';
import { QuerySites, type CoreSite, type SelectSite } from '../neighbors/query-sites.js';

/** Functions whose value does not depend on the order of rows; any other one is in doubt. */
const ORDER_FREE = new Set(
  `count sum avg min max total abs round length lower upper substr substring coalesce ifnull nullif iif instr trim ltrim
   rtrim replace date time datetime julianday strftime unixepoch typeof like glob printf format sign`.split(/\s+/u),
);

/**
 * Checks whether a core aggregates and has another column that it does not group by: SQLite takes its value from any
 * row.
 */
function isDoubtfulCore({ node, select }: CoreSite, { names }: BoundQuery): boolean {
  if (node.groupBy.length === 0 && !selectsAggregate(node)) return false;
  const targetOf = (column: ColumnNode): Found['target'] | undefined =>
    names.find(({ token }) => token === column.column)?.found?.target;
  const grouped = node.groupBy.map(bareExpression).flatMap((term) => {
    return term.kind === 'column' ? (targetOf(term) ?? []) : [];
  });
  const shown = node.columns.map((column) => (column.kind === 'result' ? column.expression : null));
  const order = select.cores.length === 1 ? select.node.orderBy.map(({ expression }) => expression) : [];
  return [...shown, ...order, ...(node.having === null ? [] : [node.having])].some((expression) => {
    if (expression === null) return true;
    return bareColumns(expression).some((column) => {
      const target = targetOf(column);
      return target === undefined || !grouped.some((other) => sameTarget(other, target));
    });
  });
}

/**
 * Checks whether some of a select's rows are taken by an order that `tieBreaks` does not complete: the first of a
 * subquery's, or of DISTINCT by what its result lacks.
 */
function isDoubtfulSelect({ node, use, cores }: SelectSite): boolean {
  const [core] = cores;
  if (cores.length === 1 && core?.node.quantifier === 'DISTINCT' && node.orderBy.length > 0) return true;
  if (node.limit !== null) return node.orderBy.length === 0;
  return use === 'scalar' && (core === undefined || node.terms.length > 1 || !selectsAggregate(core.node));
}

/** Checks whether a call’s value may depend on the order of rows. */
export function isDoubtfulCall(node: Expression): boolean {
  return node.kind === 'function' && (node.over !== null || !ORDER_FREE.has(node.name.name.toLowerCase()));
}

/**
 * Checks whether a query's result might depend on the order in which rows are found, ties of ORDER BY apart: see
 * `tieBreaks`.
 */
export function mayHangOnRowOrder(query: BoundQuery): boolean {
  const { selects, cores, expressions } = new QuerySites(query);
  return (
    selects.some(isDoubtfulSelect) ||
    cores.some((core) => isDoubtfulCore(core, query)) ||
    expressions.some(({ node }) => isDoubtfulCall(node))
  );
}

const RANK = 'perturbql_row_rank';
const ORDER_SEED = 1;
/** Columns of a table that its rows are arranged by, at most. */
const MOST_COLUMNS = 12;

/** How the rows of all tables are stored: by chance, or by the values of the column at a position, then by chance. */
type Arrangement = 'random' | number;

/** Names of a table's columns; no views. */
type ColumnsByTable = ReadonlyMap<string, readonly string[]>;

function orderClause(columns: readonly string[], arrangement: Arrangement, direction: 'ASC' | 'DESC'): string {
  const column = arrangement === 'random' ? undefined : columns[arrangement % columns.length];
  const value = column === undefined ? '' : `${quoteIdentifier(column)} ${direction}, `;
  return ` ORDER BY ${value}${RANK}() ${direction}`;
}

/**
 * A copy of a database whose tables have no keys and indexes, so that the sequence in which rows are stored decides all
 * that SQL leaves open: `copyTables` says why the original with PRAGMA reverse_unordered_selects would not do.
 */
class ArrangedCopy {
  readonly #sqlite: Sqlite.Database;

  constructor(bytes: Buffer, arrangement: Arrangement, direction: 'ASC' | 'DESC', columns: ColumnsByTable) {
    this.#sqlite = openConnection(bytes);
    const rng = createRng(ORDER_SEED, 'row-order');
    this.#sqlite.function(RANK, () => rng.next());
    this.#sqlite.transaction(() => {
      copyTables(this.#sqlite, 'copied', (table) => orderClause(columns.get(table) ?? [], arrangement, direction));
    })();
  }

  run(sql: string, limits: DenotationLimits): QueryOutcome {
    try {
      return readStatement(this.#sqlite, this.#sqlite.prepare(sql), limits);
    } catch (error) {
      return failureOf(error);
    }
  }

  close(): void {
    this.#sqlite.close();
  }
}

/**
 * The rows of a database in several orders, each with its reverse: of two rows each comes first once. By chance alone,
 * most tied rows having one value, that value would often come first in both; by the column, it never does.
 */
export class RowOrders {
  readonly #bytes: Buffer;
  readonly #copies = new Map<string, ArrangedCopy>();
  readonly #columns: ColumnsByTable;
  /** Columns that rows are arranged by. */
  readonly #width: number;

  constructor(sqlite: Sqlite.Database) {
    this.#bytes = sqlite.serialize();
    const tables = tableNames(sqlite);
    this.#columns = new Map(tables.map((table) => [table, columnsOf(sqlite, table).map(({ name }) => name)]));
    this.#width = Math.min(MOST_COLUMNS, Math.max(0, ...[...this.#columns.values()].map(({ length }) => length)));
  }

  /** Checks whether a query's outcome passes a test in a random order, and where asked in those by column. */
  agree(
    sql: string,
    limits: DenotationLimits,
    areColumnsAsked: boolean,
    isSame: (outcome: QueryOutcome) => boolean,
  ): boolean {
    const byColumn = areColumnsAsked ? Array.from({ length: this.#width }, (_, column) => column) : [];
    return ['random' as const, ...byColumn].every((arrangement) => {
      return (['ASC', 'DESC'] as const).every((direction) =>
        isSame(this.#copy(arrangement, direction).run(sql, limits)),
      );
    });
  }

  close(): void {
    for (const copy of this.#copies.values()) copy.close();
  }

  #copy(arrangement: Arrangement, direction: 'ASC' | 'DESC'): ArrangedCopy {
    const key = `${arrangement} ${direction}`;
    const known = this.#copies.get(key);
    if (known !== undefined) return known;
    const copy = new ArrangedCopy(this.#bytes, arrangement, direction, this.#columns);
    this.#copies.set(key, copy);
    return copy;
  }
}
