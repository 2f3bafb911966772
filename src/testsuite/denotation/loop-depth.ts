import type Sqlite from 'better-sqlite3';

/** How a query's loops nest. */
export interface LoopDepth {
  /** No more rows are looked at than the largest table's, times `width`, to this power. */
  readonly all: number;
  /**
   * The same of loops over results of subqueries alone, but for those that pass once over a result: they see no more
   * rows than were looked at to make it.
   */
  readonly results: number;
  /** Rows of VALUES and branches of compounds. */
  readonly width: number;
  /** True if no power tells: it is recursive, or reads a table-valued function. */
  readonly isUnbounded: boolean;
}

interface PlanRow {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

const LOOP = /^(?:SCAN|SEARCH) (.+?)(?: USING (.*))?$/u;
const RESULT = /^(?:MATERIALIZE|CO-ROUTINE) (.+)$/u;
const CO_ROUTINE = /^CO-ROUTINE (.+)$/u;
const CORRELATED = /^CORRELATED /u;
const BRANCHES = /^(?:COMPOUND QUERY|MERGE )/u;
const BRANCH = /^(?:LEFT|RIGHT|LEFT-MOST SUBQUERY|UNION|UNION ALL|INTERSECT|EXCEPT)\b/u;
/** How a table is named under the views of a `CountedCopy`. */
const TABLE = /^main\./u;
/** How at most one row is found; an index may be of a column that is called rowid. */
const BY_ROWID = /^INTEGER PRIMARY KEY \(rowid=\?\)/u;
const CONSTANTS = /^SCAN (\d+)-ROW VALUES CLAUSE$/u;
const UNBOUNDED = /^(?:RECURSIVE STEP|(?:SCAN|SEARCH) .* VIRTUAL TABLE )/u;

interface Block {
  /** True if its parts are selects that run one after the other. */
  readonly areBranches: boolean;
  /** True if it runs once in the query. */
  readonly isOnce: boolean;
}

/** Reads the tree of one `EXPLAIN QUERY PLAN`: https://sqlite.org/eqp.html */
class PlanReader {
  readonly #children = new Map<number, PlanRow[]>();
  /** Exponents of the results of subqueries, by name. */
  readonly #results = new Map<string, number>();
  /** Results that one loop passes over once. */
  readonly #passed = new Set<string>();
  #scanned = 0;

  constructor(plan: readonly PlanRow[]) {
    for (const row of plan) this.#children.set(row.parent, [...(this.#children.get(row.parent) ?? []), row]);
  }

  read(): Pick<LoopDepth, 'all' | 'results'> {
    const all = this.#inside(0, { areBranches: false, isOnce: true });
    return { all, results: this.#scanned };
  }

  /**
   * Loops next to each other are nested; a result is made before it is looped over, branches run one after the other.
   */
  #inside(id: number, block: Block): number {
    let [nested, before] = [0, 0];
    const rows = this.#children.get(id) ?? [];
    const outermost = rows.find(({ detail }) => !RESULT.test(detail));
    for (const row of rows) {
      const result = RESULT.exec(row.detail)?.[1];
      const depth = this.#depthOf(row, outermost, block.isOnce);
      if (result !== undefined) this.#results.set(result, Math.max(1, depth, this.#results.get(result) ?? 0));
      if (result !== undefined || block.areBranches) before = Math.max(before, depth);
      else nested += depth;
    }
    return Math.max(nested, before);
  }

  #depthOf(row: PlanRow, outermost: PlanRow | undefined, isOnce: boolean): number {
    const [, name, using] = LOOP.exec(row.detail) ?? [];
    if (name === undefined) {
      return this.#inside(row.id, {
        areBranches: BRANCHES.test(row.detail),
        isOnce: isOnce && runsOnce(row, outermost),
      });
    }
    if (name === 'CONSTANT ROW' || BY_ROWID.test(using ?? '')) return 0;
    if (CONSTANTS.test(row.detail)) return this.#scan(1);
    if (this.#results.size === 0 || TABLE.test(name)) return 1;
    const depth = this.#resultDepth(name);
    if (!isOnce || row !== outermost || !this.#results.has(name) || this.#passed.has(name)) return this.#scan(depth);
    this.#passed.add(name);
    return depth;
  }

  #scan(depth: number): number {
    this.#scanned += depth;
    return depth;
  }

  /** The exponent of a result; of any where the name is an alias that the plan does not explain. */
  #resultDepth(name: string): number {
    return this.#results.get(name) ?? Math.max(...this.#results.values());
  }
}

/**
 * Checks whether a part of a block that runs once does so too: a co-routine runs again in each row of a loop around it.
 */
function runsOnce({ detail }: PlanRow, outermost: PlanRow | undefined): boolean {
  const coRoutine = CO_ROUTINE.exec(detail)?.[1];
  if (coRoutine !== undefined) return LOOP.exec(outermost?.detail ?? '')?.[1] === coRoutine;
  return !CORRELATED.test(detail);
}

function widthOf(plan: readonly PlanRow[]): number {
  const rows = plan.map(({ detail }) => Number(CONSTANTS.exec(detail)?.[1] ?? BRANCH.test(detail)));
  return Math.max(
    1,
    rows.reduce((sum, count) => sum + count, 0),
  );
}

/** How the loops of a query nest by SQLite's plan, which without ANALYZE does not depend on the rows. */
export function loopDepth(sqlite: Sqlite.Database, sql: string): LoopDepth {
  const plan = sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as PlanRow[];
  const isUnbounded = plan.some(({ detail }) => UNBOUNDED.test(detail));
  return { ...new PlanReader(plan).read(), width: widthOf(plan), isUnbounded };
}

interface Instruction {
  readonly opcode: string;
  readonly p2: number;
  readonly p3: number;
}

/** Position of the main database in a connection, which holds the tables: https://sqlite.org/opcode.html#OpenRead */
const MAIN = 0;

/** The tables that a query reads by the root pages of their b-trees, one for each cursor: a loop has one of its own. */
export function cursorPages(sqlite: Sqlite.Database, sql: string): readonly number[] {
  const program = sqlite.prepare(`EXPLAIN ${sql}`).all() as Instruction[];
  return program.flatMap(({ opcode, p2, p3 }) => (opcode === 'OpenRead' && p3 === MAIN ? [p2] : []));
}

/**
 * Rows that loops over tables alone look at, at most, where `LoopDepth.results` is 0: the product of as many of its
 * cursors' tables as loops nest, the largest first; `rows` has those of each cursor's table, `largest` those of any.
 */
export function mostRows({ all, width }: LoopDepth, rows: readonly number[], largest: number): number {
  const sizes = [...rows].sort((a, b) => b - a);
  const loops = Array.from({ length: all }, (_, loop) => sizes[loop] ?? largest);
  return loops.reduce((product, count) => product * width * Math.max(2, count), 1);
}
