import { itemAt, zip } from '../../../present.js';
import { identifierKey } from '../../../schema/name-identity.js';
import { naturalName, singularOf } from '../../../schema/natural-name.js';
import { type Column, columnAt, type ColumnRef, type Database } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import type { RowReader } from '../../databases/row-reader.js';
import { freshIdentifier, isOfLength, joinedIdentifier } from '../schema/identifiers.js';
import {
  type DraftColumn,
  draftColumnAt,
  draftOf,
  type DraftTable,
  plainColumns,
  rowsOfColumn,
  type SchemaDraft,
} from '../schema/schema-draft.js';
import { type GoldlessCase, originOf, type SchemaRelation } from '../schema/schema-relation.js';
import { distinctKeys, isKeyed, ordinaryTables, soleKeyOf } from '../schema/usable-columns.js';
import { evolutionRelation, type SchemaEvolution } from './evolution-relation.js';
import { followMerge, type TableMergePlan } from './merge-follower.js';
import { hasCollations } from './recoding.js';
import { areUsable, tableIdentifier } from './table-naming.js';

/** Two tables and the key between them. */
type LinkedTables = Pick<TableMergePlan, 'key' | 'first' | 'second'>;

/** Ordinary tables with one key between them, which points at a whole primary key. */
function mergeableTables(database: Database): readonly LinkedTables[] {
  const keys = distinctKeys(database.foreignKeys);
  const ordinary = new Map(ordinaryTables(database).map(({ t, table }) => [t, table]));
  return keys.flatMap((key) => {
    const { from, to } = key;
    const [first, second] = [ordinary.get(from.table), ordinary.get(to.table)];
    const between = keys.filter((one) => one.from.table === from.table && one.to.table === to.table);
    const back = keys.some((one) => one.from.table === to.table && one.to.table === from.table);
    const isPlain = from.table !== to.table && between.length === 1 && !back;
    if (!isPlain || first === undefined || second === undefined) return [];
    return soleKeyOf(database, to.table) === to.column ? [{ key, first, second }] : [];
  });
}

function mergedColumns(database: Database, { key: { from, to }, first, second }: LinkedTables): readonly Column[] {
  const taken = first.columns.map(({ originalName }) => originalName);
  return second.columns.map((own, c) => {
    if (c === to.column) return columnAt(database, from);
    const isTaken = taken.some((name) => identifierKey(name) === identifierKey(own.originalName));
    const wanted = isTaken ? joinedIdentifier(second.originalName, own.originalName) : own.originalName;
    const originalName = freshIdentifier(wanted, taken);
    taken.push(originalName);
    return { ...own, name: isTaken ? `${second.name} ${own.name}` : own.name, originalName };
  });
}

/**
 * Both names as one; words of the second that the first has are left out, and where it has them all, it gets a word.
 */
function mergedName(first: string, second: string): string {
  const known = new Set(first.split(' ').map(singularOf));
  const further = second.split(' ').filter((word) => !known.has(singularOf(word)));
  return `${first} ${further.length === 0 ? 'details' : further.join(' ')}`;
}

/** Returns the plan of a merge by the rows, or null if they forbid it or there are none to read. */
function planOf(rows: RowReader, one: GoldlessCase, linked: LinkedTables): TableMergePlan | null {
  const { database } = one;
  const { key, first, second } = linked;
  const draft = draftOf(database, one.mutated);
  const [child, parent] = [rowsOfColumn(one, key.from), rowsOfColumn(one, key.to)];
  const facts = rows.factsOf(originOf(one), child, parent);
  if (facts === null || !facts.hasRows || facts.manyParents || facts.dangling || facts.unlike) return null;
  const [k, p] = [`SELECT ${child.sql} AS k FROM ${child.from}`, `SELECT ${parent.sql} AS p FROM ${parent.from}`];
  const hasNoLonely = rows.isEmpty(
    originOf(one),
    `SELECT 1 FROM (${p}) WHERE p NOT IN (SELECT k FROM (${k}) WHERE k IS NOT NULL)`,
  );
  const types = [key.from, key.to].map((ref) => {
    const { columns, from } = draftColumnAt(draft, ref).table;
    return rows.typesOf(originOf(one), `SELECT ${columns.map(({ sql }) => sql).join(', ')} FROM ${from}`);
  });
  if (isKeyed(rows, one, key.to) !== true || hasNoLonely === null || types.some((own) => own === null)) return null;
  if (!hasNoLonely && !hasOwnKey(rows, one, key.from)) return null;
  const columns = mergedColumns(database, linked);
  const words = mergedName(naturalName(first.originalName), naturalName(second.originalName));
  const merged = { name: words, originalName: tableIdentifier(words, first) };
  const areShort = columns.every(({ originalName }) => isOfLength(originalName, database));
  if (!areShort || !areUsable(database, new Map([[key.from.table, merged]]))) return null;
  return {
    ...linked,
    merged,
    columns,
    types: types.flatMap((own) => own ?? []),
    hasLonely: !hasNoLonely,
    isOneToOne: facts.distinct,
    hasNulls: facts.nulls,
  };
}

/**
 * Checks whether a table has a key of one column, another than the one that refers, that no row leaves empty: it tells
 * which merged rows are its own.
 */
function hasOwnKey(rows: RowReader, one: GoldlessCase, { table, column }: ColumnRef): boolean {
  const key = soleKeyOf(one.database, table);
  if (key === null || key === column || hasCollations(rows, originOf(one))) return false;
  const { sql, from } = rowsOfColumn(one, { table, column: key });
  return rows.isEmpty(originOf(one), `SELECT 1 FROM (SELECT ${sql} AS k FROM ${from}) WHERE k IS NULL`) === true;
}

/** The rows of both tables: columns of the first `c0`, of the second `d0` and so on. */
function mergedRows(first: DraftTable, second: DraftTable, { key: { from, to }, hasLonely }: TableMergePlan): string {
  const [left, right] = [first, second].map((table) => `(SELECT ${plainColumns(table).join(', ')} FROM ${table.from})`);
  const moved = second.columns.map((_, c) => `d.c${c} AS d${c}`).join(', ');
  const own = first.columns.map((_, c) => `m.c${c}`).join(', ');
  const on = `m.c${from.column} = d.c${to.column}`;
  const linked = `SELECT ${own}, ${moved} FROM ${left} AS m LEFT JOIN ${right} AS d ON ${on}`;
  if (!hasLonely) return `(${linked}) AS merged`;
  const empty = first.columns.map((_, c) => (c === from.column ? `d.c${to.column}` : 'NULL')).join(', ');
  const lonely = `SELECT ${empty}, ${moved} FROM ${right} AS d WHERE NOT EXISTS (SELECT 1 FROM ${left} AS m WHERE ${on})`;
  return `(${linked} UNION ALL ${lonely}) AS merged`;
}

function mergeTables(draft: SchemaDraft, plan: TableMergePlan): SchemaDraft {
  const { key, merged, columns, hasLonely } = plan;
  const [{ table: first }, { table: second }] = [draftColumnAt(draft, key.from), draftColumnAt(draft, key.to)];
  // A union does not tell what its columns are declared as.
  const declared = (c: number): Pick<DraftColumn, 'declaredType'> => {
    const type = hasLonely ? (plan.types[c] ?? null) : null;
    return type === null ? {} : { declaredType: type };
  };
  const own = first.columns.map((column, c): DraftColumn => ({ ...column, ...declared(c), sql: `c${c}` }));
  const moved = zip(second.columns, columns).map(([old, column], c): DraftColumn => {
    return { ...old, ...declared(own.length + c), column, sql: `d${c}` };
  });
  const heirOf = (old: DraftColumn): DraftColumn => {
    const [left, right] = [first.columns.indexOf(old), second.columns.indexOf(old)];
    return own[left] ?? (right < 0 ? old : itemAt(moved, right));
  };
  const table = {
    table: merged,
    from: mergedRows(first, second, plan),
    columns: [...own, ...moved.toSpliced(key.to.column, 1)],
  };
  const isGone = (column: DraftColumn): boolean => second.columns.includes(column);
  return {
    isTraced: draft.isTraced,
    tables: draft.tables.with(key.from.table, table).toSpliced(key.to.table, 1),
    primaryKeys: draft.primaryKeys
      .filter((column) => !isGone(column) && !(hasLonely && first.columns.includes(column)))
      .map(heirOf),
    foreignKeys: draft.foreignKeys
      .filter(({ to }) => !isGone(to))
      .map(({ from, to }) => ({ from: heirOf(from), to: heirOf(to) })),
  };
}

function evolutionOf(database: Database, plan: TableMergePlan, dialect: SqlDialect): SchemaEvolution {
  const { key, first, second, merged } = plan;
  const follow = followMerge(database, plan, dialect);
  return {
    key: `${key.from.table}.${key.from.column}>${key.to.table}`,
    detail: `merged ${first.originalName} and ${second.originalName} into ${merged.originalName}`,
    change: (draft) => mergeTables(draft, plan),
    follow,
  };
}

/**
 * Table Merge: a table and the one that it refers to become one along the key; rows that nothing refers to stay, with
 * nothing in the other columns. Gold queries that join the two lose the join; those of one of them read its part.
 */
export function tableMerge(rows: RowReader, dialect: SqlDialect): SchemaRelation {
  return evolutionRelation({
    id: 'TMe',
    version: 1,
    dialect,
    changes: (one) => {
      const pairs = mergeableTables(one.database);
      if (pairs.length === 0) return { reason: 'no-foreign-key' };
      return pairs.flatMap((linked) => {
        const plan = planOf(rows, one, linked);
        return plan === null ? [] : [evolutionOf(one.database, plan, dialect)];
      });
    },
  });
}
