import type Sqlite from 'better-sqlite3';
import { openConnection } from '../../sql/execution/open-connection.js';
import { createRng } from '../../seeded-rng.js';
import type { ColumnNode, Expression, Source } from '../../sql/ast.js';
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
import { type CoreSite, QuerySites, type SelectSite } from '../neighbors/query-sites.js';
import type { ComparisonMode } from '../../sql/execution/result-comparison.js';
import { applyEdits, spacedEdit } from '../../sql/edits.js';

/** The number of columns of a select's result; null where it has no SELECT. */
function widthOf({ node, cores }: SelectSite): number | null {
  const [first] = node.terms;
  const core = cores.find((one) => one.node === first?.body);
  return core === undefined || core.bound.outputs.length === 0 ? null : core.bound.outputs.length;
}

/** Checks whether a table of a select's FROM orders its own rows: then LIMIT alone takes the first of them. */
function readsOrdered({ cores }: SelectSite): boolean {
  const isOrdered = (source: Source | null): boolean => {
    if (source === null) return false;
    if (source.kind === 'derived') return source.select.orderBy.length > 0;
    if (source.kind === 'join') return isOrdered(source.left) || isOrdered(source.right);
    return source.kind === 'group' && isOrdered(source.source);
  };
  return cores.some(({ node }) => isOrdered(node.from));
}

/**
 * A query in which one select also orders its rows by their whole result, so that no tie is left open: SQL allows both
 * directions. Null where that can't be written, where nothing orders or limits the rows, or where a table in FROM has
 * the order.
 */
export function completeOrder(sql: string, select: SelectSite, direction: 'ASC' | 'DESC'): string | null {
  const width = select.use === 'exists' ? null : widthOf(select);
  if (width === null) return null;
  const terms = Array.from({ length: width }, (_, i) => `${i + 1} COLLATE BINARY ${direction}`).join(', ');
  const { orderBy, limit } = select.node;
  const last = orderBy.at(-1);
  if (last !== undefined) {
    return applyEdits(sql, [{ start: last.span.end, end: last.span.end, before: '', after: `, ${terms}` }]);
  }
  if (limit === null || readsOrdered(select)) return null;
  return applyEdits(sql, [spacedEdit(sql, limit.span.start, limit.span.start, `ORDER BY ${terms}`)]);
}

/**
 * A query's variants in which one select that has ORDER BY or LIMIT also orders by its whole result, up in one and down
 * in the other. Where the two have the query's result, no tie decides it; where they don't, an equal query may have
 * another one: groups and the rows of DISTINCT and UNION leave a sorter in the same order however a table's rows are
 * stored, but not by another plan.
 */
export function tieBreaks(query: BoundQuery): readonly string[] {
  const { sql } = query;
  return new QuerySites(query).selects.flatMap((select) =>
    (['ASC', 'DESC'] as const).flatMap((direction) => completeOrder(sql, select, direction) ?? []),
  );
}

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

/** The queries that show if a query's result depends on the order of rows. */
export interface OrderCheck {
  readonly sql: string;
  readonly mode: ComparisonMode;
  /** Variants that settle ties one way and the other: `tieBreaks`. */
  readonly tieBreaks: readonly string[];
  /** True if its result might depend on the order in which rows are found otherwise. */
  readonly isOrderSensitive: boolean;
}

/** How to check a query; `runs` says whether a variant of it can be executed. */
export function orderCheckOf(query: BoundQuery, mode: ComparisonMode, runs: (sql: string) => boolean): OrderCheck {
  const breaks = tieBreaks(query);
  const settled = breaks.filter(runs);
  const isOrderSensitive = settled.length < breaks.length || mayHangOnRowOrder(query);
  return { sql: query.sql, mode, tieBreaks: settled, isOrderSensitive };
}
