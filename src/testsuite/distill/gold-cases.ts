import type Sqlite from 'better-sqlite3';
import { foldName } from '../../sql/dialect.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';
import { listTables } from '../../sql/execution/table-pragmas.js';
import { SqlRewriteError } from '../../errors.js';
import { whereReadable } from '../../sql/sql-fault.js';
import { isOrderMeant } from '../../sql/execution/result-mode.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import type { BoundQuery } from '../../sql/bound-query.js';
import { DenotationRunner } from '../denotation/denotation-runner.js';
import type { MinedConstraints } from '../../rows/constraints/mine-constraints.js';
import { emptyDatabase } from '../../rows/fuzz/empty-database.js';
import { type ColumnFacts, factsUnderData, readColumnFacts } from '../neighbors/column-facts.js';
import { type Neighbor, neighborsOf } from '../neighbors/neighbors.js';
import type { SuiteGold, UnreadGold } from '../suite/suite-manifest.js';
import type { DistillTask } from './distillation.js';
import { type OrderCheck, orderCheckOf } from './row-order.js';
import { type PartialPlan, planPartial } from './partial-plan.js';

const MISSING = /^no such table: (?:main\.)?(.+)$/u;

/** Views by name with their definitions. */
function viewsOf(sqlite: Sqlite.Database): readonly { readonly name: string; readonly sql: string }[] {
  const rows = sqlite.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'view'").all();
  return rows as { name: string; sql: string }[];
}

/** Names of a file's virtual tables by their folded ones, and by those of the views that read them. @throws as `openUntouched` */
function virtualTablesOf(file: string): ReadonlyMap<string, string> {
  return readUntouched(file, (sqlite) => {
    const virtual = listTables(sqlite).filter(({ type }) => type === 'virtual');
    const names = new Map(virtual.map(({ name }) => [foldName(name), name]));
    if (names.size === 0) return names;
    const views = viewsOf(sqlite).map(({ name, sql }) => ({ name: foldName(name), words: wordsOf(sql) }));
    // Views may read one another: what one pass finds is known to the next.
    for (let before = 0; before < names.size;) {
      before = names.size;
      for (const { name, words } of views) {
        const read = [...names].find(([known]) => known !== name && words.has(known));
        if (read !== undefined && !names.has(name)) names.set(name, read[1]);
      }
    }
    return names;
  });
}

const wordsOf = (sql: string): ReadonlySet<string> => new Set(sql.match(/[\p{L}\p{N}_$]+/gu)?.map(foldName) ?? []);

/** The virtual table for lack of which a query can't be executed on a suite's databases; undefined where it is no such fault. */
function missingVirtualTable(message: string, virtual: ReadonlyMap<string, string>): string | undefined {
  const missing = MISSING.exec(message)?.[1];
  return missing === undefined ? undefined : virtual.get(foldName(missing));
}

/** A neighbor of a gold, and its place among all of them. */
export interface PlacedNeighbor extends Neighbor {
  readonly place: number;
}

/** A gold query with all that is to be told from it. */
export interface GoldCase extends OrderCheck {
  readonly mode: SuiteGold['mode'];
  /** In the task's gold queries. */
  readonly position: number;
  readonly neighbors: readonly PlacedNeighbor[];
  /** Those that are not shown to be equivalent, under the data or at all. */
  readonly open: readonly PlacedNeighbor[];
  /** Why neighbors are equivalent on all databases that keep the constraints; in no other count. */
  readonly underData: ReadonlyMap<PlacedNeighbor, string>;
  /** Where its result may depend on the order of rows: how to ask what of it does not. */
  readonly partial: PartialCase | null;
  /** Folded names of the tables and views that it and its neighbors read. */
  readonly reads: ReadonlySet<string>;
}

export interface GoldCases {
  readonly cases: readonly GoldCase[];
  readonly unread: readonly UnreadGold[];
}

type Fault = Omit<UnreadGold, 'sql'>;

/** Why a query can't be executed at all, by what becomes of it without rows; null where it can. */
function faultOf(runner: DenotationRunner, sql: string, virtual: ReadonlyMap<string, string>): Fault | null {
  const outcome = runner.run(sql);
  switch (outcome.kind) {
    case 'rows':
    case 'too-large':
      return null;
    case 'failed': {
      const virtualTable = missingVirtualTable(outcome.message, virtual);
      return virtualTable === undefined
        ? { reason: `SQLite refuses it: ${outcome.message}` }
        : { reason: `it reads the virtual table ${virtualTable}, which suites do not hold`, virtualTable };
    }
    case 'refused':
      return { reason: `it is not executed: ${outcome.reason}` };
    default:
      return { reason: 'nothing bounds beforehand how long it runs' };
  }
}

/** Tables that a gold reads, and those that a change of it may bring in: their name is in what was written. */
function tablesOf({ tables }: BoundQuery, neighbors: readonly Neighbor[], database: Database): ReadonlySet<string> {
  const own = tables.flatMap(({ kind, token }) => (kind === 'table' ? [foldName(token.name)] : []));
  const written = foldName(neighbors.map(({ edit }) => edit.after).join('\n'));
  const all = database.tables.map(({ originalName }) => foldName(originalName));
  return new Set([...own, ...all.filter((name) => written.includes(name))]);
}

/** The facts that proofs rest on: the schema's declarations, and these together with the constraints. */
interface Facts {
  readonly declared: ColumnFacts;
  readonly underData: ColumnFacts;
}

/**
 * The neighbors of a gold, those apart that only the facts under the data show to be equivalent. Facts only add proofs:
 * where all of them prove nothing, the declared ones are not asked.
 */
function provenNeighbors(
  sql: string,
  { database, seed }: DistillTask,
  facts: Facts,
  runs: (sql: string) => boolean,
): Pick<GoldCase, 'neighbors' | 'underData'> {
  const placed = (all: readonly Neighbor[]) => all.map((one, place): PlacedNeighbor => ({ ...one, place }));
  const byAll = neighborsOf(sql, database, { seed, facts: facts.underData }).filter((one) => runs(one.sql));
  if (byAll.every(({ equivalent }) => equivalent === null)) return { neighbors: placed(byAll), underData: new Map() };
  const reasons = new Map(byAll.map((one) => [one.sql, one.equivalent]));
  const declared = neighborsOf(sql, database, { seed, facts: facts.declared });
  const neighbors = placed(declared.filter((one) => reasons.has(one.sql)));
  const underData = neighbors.flatMap((neighbor) => {
    const reason = neighbor.equivalent === null ? (reasons.get(neighbor.sql) ?? null) : null;
    return reason === null ? [] : [[neighbor, reason] as const];
  });
  return { neighbors, underData: new Map(underData) };
}

const NO_TABLES: ReadonlyMap<string, string> = new Map();

function caseOf(sql: string, position: number, task: DistillTask, runner: DenotationRunner, facts: Facts): GoldCase {
  const { database } = task;
  const query = bindQuery(sql, database);
  const mode = isOrderMeant(sql) ? 'ordered' : 'bag';
  const runs = (text: string): boolean => faultOf(runner, text, NO_TABLES) === null;
  const { neighbors, underData } = provenNeighbors(sql, task, facts, runs);
  const check = orderCheckOf(query, mode, runs);
  return {
    ...check,
    mode,
    position,
    neighbors,
    open: neighbors.filter((one) => one.equivalent === null && !underData.has(one)),
    underData,
    partial: partialCaseOf(query, check, database, runs),
    reads: tablesOf(query, neighbors, database),
  };
}

function readAll(task: DistillTask, { list }: MinedConstraints, sqlite: Sqlite.Database): GoldCases {
  const runner = new DenotationRunner(sqlite);
  const declared = readColumnFacts(sqlite, task.database);
  const facts = { declared, underData: factsUnderData(declared, list, task.database) };
  const virtual = task.file === null ? NO_TABLES : virtualTablesOf(task.file);
  const cases: GoldCase[] = [];
  const unread: UnreadGold[] = [];
  for (const [position, sql] of task.golds.entries()) {
    const fault = faultOf(runner, sql, virtual);
    try {
      if (fault === null) cases.push(caseOf(sql, position, task, runner, facts));
      else unread.push({ sql, ...fault });
    } catch (error) {
      if (!(error instanceof SqlRewriteError)) throw error;
      unread.push({ sql, reason: error.message });
    }
  }
  return { cases, unread };
}

/** The gold queries of a schema with their neighbors; those that can't be read or executed apart. */
export function readGoldCases(task: DistillTask, constraints: MinedConstraints): GoldCases {
  const sqlite = emptyDatabase(task.file, task.database);
  try {
    return readAll(task, constraints, sqlite);
  } finally {
    sqlite.close();
  }
}

/** How a gold's partial denotation is read on a database, and what shows whether it can be. */
interface PartialCase {
  readonly plan: PartialPlan;
  /** Of the plan's queries: each must be determinate. */
  readonly checks: readonly OrderCheck[];
}

/** A gold's case where its result may depend on the order of rows; null where nothing of it could be determinate. */
function partialCaseOf(
  query: BoundQuery,
  { tieBreaks, isOrderSensitive }: OrderCheck,
  database: Database,
  runs: (sql: string) => boolean,
): PartialCase | null {
  if (tieBreaks.length === 0 && !isOrderSensitive) return null;
  const plan = planPartial(query);
  if (plan === null) return null;
  const queries = [plan.rowsSql, ...(plan.valuesSql === null ? [] : [plan.valuesSql])];
  if (!queries.every(runs)) return null;
  return whereReadable(
    () => ({ plan, checks: queries.map((sql) => orderCheckOf(bindQuery(sql, database), 'bag', runs)) }),
    null,
  );
}
