import type Sqlite from 'better-sqlite3';
import { SqlRewriteError } from '../../errors.js';
import { isOrderMeant } from '../../sql/execution/result-order.js';
import { elementAt } from '../../present.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import type { BoundQuery } from '../../sql/bound-query.js';
import { foldName } from '../../sql/dialect.js';
import { DenotationRunner } from '../denotation/denotation-runner.js';
import { emptyDatabase } from '../../rows/fuzz/empty-database.js';
import { readColumnFacts, type ColumnFacts } from '../neighbors/column-facts.js';
import { neighborsOf, type Neighbor } from '../neighbors/neighbors.js';
import type { DistillTask } from './distillation.js';
import { orderCheckOf, type OrderCheck } from './order-check.js';
import { partialCaseOf, type PartialCase } from './partial-case.js';

/** A gold query with all that is to be told from it. */
export interface GoldCase extends OrderCheck {
  /** In the task's golds. */
  readonly position: number;
  readonly neighbors: readonly Neighbor[];
  /** Positions of the neighbors that are not shown to be equivalent. */
  readonly open: readonly number[];
  /** Where its result may depend on the order of rows: how to ask what of it does not. */
  readonly partial: PartialCase | null;
  /** Folded names of the tables and views that it and its neighbors read. */
  readonly reads: ReadonlySet<string>;
}

export interface GoldCases {
  readonly cases: readonly GoldCase[];
  readonly unread: readonly { readonly sql: string; readonly reason: string }[];
}

/** Why a query can't be executed at all, by what becomes of it without rows; null where it can. */
function faultOf(runner: DenotationRunner, sql: string): string | null {
  const outcome = runner.run(sql);
  switch (outcome.kind) {
    case 'rows':
    case 'too-large':
      return null;
    case 'failed':
      return `SQLite refuses it: ${outcome.message}`;
    case 'refused':
      return `it is not executed: ${outcome.reason}`;
    default:
      return 'nothing bounds beforehand how long it runs';
  }
}

/** Tables that a gold reads, and those that a change of it may bring in: their name is in what was written. */
function tablesOf({ tables }: BoundQuery, neighbors: readonly Neighbor[], database: Database): ReadonlySet<string> {
  const own = tables.flatMap(({ kind, token }) => (kind === 'table' ? [foldName(token.name)] : []));
  const written = foldName(neighbors.map(({ edit }) => edit.after).join('\n'));
  const all = database.tables.map(({ originalName }) => foldName(originalName));
  return new Set([...own, ...all.filter((name) => written.includes(name))]);
}

function caseOf(
  position: number,
  { database, golds, seed }: DistillTask,
  runner: DenotationRunner,
  facts: ColumnFacts,
): GoldCase {
  const sql = elementAt(golds, position);
  const query = bindQuery(sql, database);
  const mode = isOrderMeant(sql) ? 'ordered' : 'bag';
  const runs = (text: string): boolean => faultOf(runner, text) === null;
  const neighbors = neighborsOf(sql, database, { seed, facts }).filter(({ sql: text }) => runs(text));
  const check = orderCheckOf(query, mode, runs);
  return {
    ...{ ...check, position, neighbors },
    open: [...neighbors.keys()].filter((n) => elementAt(neighbors, n).equivalent === null),
    partial: partialCaseOf(query, check, database, runs),
    reads: tablesOf(query, neighbors, database),
  };
}

function readAll(task: DistillTask, sqlite: Sqlite.Database): GoldCases {
  const runner = new DenotationRunner(sqlite);
  const facts = readColumnFacts(sqlite, task.database);
  const cases: GoldCase[] = [];
  const unread: { sql: string; reason: string }[] = [];
  for (const [position, sql] of task.golds.entries()) {
    const fault = faultOf(runner, sql);
    try {
      if (fault === null) cases.push(caseOf(position, task, runner, facts));
      else unread.push({ sql, reason: fault });
    } catch (error) {
      if (!(error instanceof SqlRewriteError)) throw error;
      unread.push({ sql, reason: error.message });
    }
  }
  return { cases, unread };
}

/** The golds of a schema with their neighbors; those that can't be read or executed apart. */
export function readGoldCases(task: DistillTask): GoldCases {
  const sqlite = emptyDatabase(task.file, task.database);
  try {
    return readAll(task, sqlite);
  } finally {
    sqlite.close();
  }
}
