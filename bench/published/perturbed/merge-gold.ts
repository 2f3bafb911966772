import { followMerge, type TableMergePlan } from '../../../src/variants/relations/evolution/merge-follower.js';
import { soleKeyOf } from '../../../src/variants/relations/schema/usable-columns.js';
import { readParts } from './merged-parts.js';
import { linksBetween } from './table-links.js';
import { itemAt } from '../../../src/present.js';
import { columnAt, type ColumnRef, type Database, type ForeignKey } from '../../../src/schema/schema.js';
import { SQLITE } from '../../../src/sql/dialect.js';
import { bindQuery } from '../../../src/sql/binder.js';
import { type GoldStage, Underivable, useOn } from './underivable.js';

/** Two tables that became one: the schema before, and how. */
export interface TableMerge {
  readonly database: Database;
  readonly plan: TableMergePlan;
  /** Position after it of each table before. */
  readonly moved: readonly number[];
}

/** A gold on merged tables; `merges` is null where tables are read side by side, which nothing links. */
interface MergedGold extends GoldStage {
  readonly merges: readonly TableMerge[] | null;
}

/** Two tables of a schema that become one, and where those of the schema are after it. */
interface Step {
  readonly plan: TableMergePlan;
  readonly database: Database;
  /** Position in the new schema of each old table. */
  readonly moved: readonly number[];
}

const isSoleKey = ({ primaryKeys }: Database, { table, column }: ColumnRef): boolean => {
  const own = primaryKeys.filter((key) => key.table === table);
  return own.length === 1 && own[0]?.column === column;
};

function stepOf(database: Database, key: ForeignKey, name: string, hasLonely: boolean): Step {
  const { from, to } = key;
  const [first, second] = [itemAt(database.tables, from.table), itemAt(database.tables, to.table)];
  const columns = second.columns.map((column, c) => (c === to.column ? columnAt(database, from) : column));
  const plan: TableMergePlan = {
    key,
    first,
    second,
    columns,
    types: [],
    hasLonely,
    merged: { name, originalName: name },
    isOneToOne: isSoleKey(database, from),
    hasNulls: !isSoleKey(database, from),
  };
  const merged = { name, originalName: name, columns: [...first.columns, ...columns.toSpliced(to.column, 1)] };
  const tables = database.tables.with(from.table, merged).toSpliced(to.table, 1);
  const at = (t: number): number => (t > to.table ? t - 1 : t);
  const moved = database.tables.map((_, t) => (t === to.table ? at(from.table) : at(t)));
  const move = ({ table, column }: ColumnRef): ColumnRef => {
    if (table !== to.table) return { table: at(table), column };
    if (column === to.column) return { table: at(from.table), column: from.column };
    return { table: at(from.table), column: first.columns.length + (column > to.column ? column - 1 : column) };
  };
  const foreignKeys = database.foreignKeys
    .map((one) => ({ from: move(one.from), to: move(one.to) }))
    .filter((one) => one.from.table !== one.to.table);
  const primaryKeys = database.primaryKeys.filter(({ table }) => table !== to.table).map(move);
  return { plan, moved, database: { ...database, tables, primaryKeys, foreignKeys } };
}

function follow(stage: GoldStage, { plan, database }: Step): string | null {
  const sql = followMerge(stage.database, plan, SQLITE)(useOn(stage), database);
  return typeof sql === 'string' ? sql : null;
}

const coresOf = (sql: string, database: Database): number => bindQuery(sql, database).cores.length;

/** Whether the rows of the table that refers can be told from those that nothing refers to, as far as the gold reads them. */
function hasOwnRows(stage: GoldStage, { from }: ForeignKey): boolean {
  const key = soleKeyOf(stage.database, from.table);
  return !useOn(stage).tables.has(from.table) || (key !== null && key !== from.column);
}

/** One merge of two tables: the join falls where the gold has it, else each is read out of the merged table. */
function mergeOnce(
  stage: GoldStage,
  keys: readonly ForeignKey[],
  name: string,
): GoldStage & { readonly merge: TableMerge } {
  const before = coresOf(stage.sql, stage.database);
  for (const key of keys) {
    const step = stepOf(stage.database, key, name, false);
    const sql = follow(stage, step);
    const isJoin = sql !== null && coresOf(sql, step.database) === before;
    if (isJoin) return { sql, database: step.database, merge: { ...step, database: stage.database } };
  }
  for (const key of keys) {
    if (!hasOwnRows(stage, key)) continue;
    const step = stepOf(stage.database, key, name, true);
    const sql = follow(stage, step);
    if (sql !== null) return { sql, database: step.database, merge: { ...step, database: stage.database } };
  }
  throw new Underivable('it can’t be said on the merged table');
}

/** The keys between two tables of a group that are merged next; none where nothing links any two. */
function nextPair(stage: GoldStage, group: readonly number[]): readonly ForeignKey[] {
  for (const a of group) {
    for (const b of group) {
      const links = a < b ? linksBetween(stage, a, b) : [];
      if (links.length > 0) return links;
    }
  }
  return [];
}

/** The tables of one group made one, pair by pair. @throws Underivable where nothing links two of them */
function mergeGroup(stage: GoldStage, members: readonly number[], name: string): MergedGold {
  let made = stage;
  const merges: TableMerge[] = [];
  let at = stage.database.tables.map((_, t) => t);
  for (;;) {
    const group = [...new Set(members.map((t) => at[t] ?? t))];
    if (group.length < 2) return { ...made, merges };
    const keys = nextPair(made, group);
    if (keys.length === 0) throw new Underivable('the merged tables have no key between them');
    const { merge, ...next } = mergeOnce(made, keys, name);
    merges.push(merge);
    made = next;
    at = at.map((t) => merge.moved[t] ?? t);
  }
}

/** The gold on a schema whose tables with the same heir are one. @throws Underivable where it can't be said */
export function mergeTables(stage: GoldStage, after: Database, heirs: readonly (number | null)[]): MergedGold {
  const shared = [...new Set(heirs)].filter((heir) => heir !== null && heirs.filter((one) => one === heir).length > 1);
  const [heir, ...others] = shared;
  if (heir === undefined || heir === null) return { ...stage, merges: [] };
  const members = [...heirs.keys()].filter((t) => heirs[t] === heir);
  const { originalName } = itemAt(after.tables, heir);
  try {
    if (others.length > 0) throw new Underivable('several groups of tables are merged');
    return mergeGroup(stage, members, originalName);
  } catch (error) {
    if (!(error instanceof Underivable)) throw error;
    return { ...readParts(stage, after, heirs), merges: null };
  }
}
