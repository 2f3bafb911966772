import Sqlite from 'better-sqlite3';
import { createRng } from '../../run/seeded-rng.js';
import type { Expression } from '../../sql/ast.js';
import { bareExpression } from '../../sql/ast-walk.js';
import type { BoundQuery } from '../../sql/bound-query.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import { copyTables } from '../../sql/execution/copied-tables.js';
import { failureOf, readStatement } from '../../sql/execution/execute-query.js';
import type { QueryOutcome } from '../../sql/execution/query-outcome.js';
import type { ComparisonMode } from '../../sql/execution/result-comparison.js';
import { tableNames } from '../../sql/execution/table-pragmas.js';
import type { DenotationLimits } from '../denotation/denotation-runner.js';
import { isAggregate, selectsAggregate } from '../neighbors/aggregates.js';
import { QuerySites, type CoreSite, type SelectSite } from '../neighbors/query-sites.js';

/** Functions whose value does not hang on the order of rows; any other one is in doubt. */
const ORDER_FREE = new Set(
  `count sum avg min max total abs round length lower upper substr substring coalesce ifnull nullif iif instr trim ltrim
   rtrim replace date time datetime julianday strftime unixepoch typeof like glob printf format sign`.split(/\s+/u),
);

function isDoubtfulCore({ node }: CoreSite): boolean {
  // What a group is selected by may be a bare column: SQLite takes its value from any row.
  if (node.groupBy.length > 0) return true;
  return (
    selectsAggregate(node) &&
    node.columns.some((column) => column.kind !== 'result' || !isAggregate(bareExpression(column.expression)))
  );
}

/** Whether a select may have rows of which some are taken by their order. */
function isDoubtfulSelect({ node, use, cores }: SelectSite): boolean {
  if (node.limit !== null) return true;
  const [core] = cores;
  return use === 'scalar' && (core === undefined || node.terms.length > 1 || !selectsAggregate(core.node));
}

function isDoubtfulCall(node: Expression): boolean {
  return node.kind === 'function' && (node.over !== null || !ORDER_FREE.has(node.name.name.toLowerCase()));
}

/** Whether a query's result might hang on the order in which rows are found; false only where it can't. */
export function mayHangOnRowOrder(query: BoundQuery, mode: ComparisonMode): boolean {
  if (mode === 'ordered') return true;
  const { selects, cores, expressions } = new QuerySites(query);
  return (
    selects.some(isDoubtfulSelect) || cores.some(isDoubtfulCore) || expressions.some(({ node }) => isDoubtfulCall(node))
  );
}

const RANK = 'perturbql_row_rank';

/**
 * A copy of a database whose tables have no keys and indexes, so that the sequence in which rows are stored decides all
 * that SQL leaves open: `copyTables` says why the original with PRAGMA reverse_unordered_selects would not do.
 */
class ArrangedCopy {
  readonly #sqlite: Sqlite.Database;

  constructor(sqlite: Sqlite.Database, seed: number, sign: 1 | -1) {
    this.#sqlite = new Sqlite(sqlite.serialize());
    const rng = createRng(seed, 'row-order');
    this.#sqlite.function(RANK, () => sign * rng.next());
    copyTables(this.#sqlite, 'copied');
    this.#sqlite.transaction(() => this.#arrange())();
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

  #arrange(): void {
    for (const name of tableNames(this.#sqlite)) {
      const table = quoteIdentifier(name);
      this.#sqlite.exec(
        `DELETE FROM temp.${table}; INSERT INTO temp.${table} SELECT * FROM main.${table} ORDER BY ${RANK}()`,
      );
    }
  }
}

/** The rows of a database in a random order and in its reverse: of two rows each comes first once. */
export class RowOrders {
  readonly #copies: readonly ArrangedCopy[];

  constructor(sqlite: Sqlite.Database, seed: number) {
    this.#copies = [new ArrangedCopy(sqlite, seed, 1), new ArrangedCopy(sqlite, seed, -1)];
  }

  /** Whether a query's outcome passes a test in both orders. */
  agree(sql: string, limits: DenotationLimits, isSame: (outcome: QueryOutcome) => boolean): boolean {
    return this.#copies.every((copy) => isSame(copy.run(sql, limits)));
  }

  close(): void {
    for (const copy of this.#copies) copy.close();
  }
}
