import { columnNameKey } from '../../../schema/name-identity.js';
import { itemAt, zip } from '../../../present.js';
import { groupBy } from '../../../run/group-by.js';
import {
  type Column,
  columnAt,
  columnKey,
  type Database,
  type ForeignKey,
  type Table,
  type PlacedTable,
} from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { expandStars } from '../../../sql/rename-columns.js';
import type { LinkFacts, RowReader } from '../../databases/row-reader.js';
import type { NotApplicable } from '../relation.js';
import { flattenQuery, type Flattened, type FlattenedKey } from './flatten-query.js';
import { goldUse, type GoldUse } from './gold-use.js';
import { freshIdentifier, isOfLength, joinedIdentifier, nameOfLength } from './identifiers.js';
import { withAdded } from './new-names.js';
import { type DraftColumn, type DraftTable, plainColumns, rowsOfColumn, type SchemaDraft } from './schema-draft.js';
import { originOf, type SchemaCase, SchemaRelation, type SchemaVariant } from './schema-relation.js';
import { distinctKeys, ordinaryTables, soleKeyOf } from './usable-columns.js';

/** A key along which a table goes into another. */
interface LinkedKey extends ForeignKey {
  /** What the rows say of it; null if there are none. */
  readonly facts: LinkFacts | null;
  /** The dropped table's columns as the main one has them; the key's own column is there already. */
  readonly columns: readonly Column[];
}

/** A table that references another one, and the keys by which it does. */
interface Linked {
  readonly main: PlacedTable;
  readonly dropped: PlacedTable;
  readonly keys: readonly LinkedKey[];
}

/** Pairs of different tables with a key between them, in the order of the keys. */
function linkedTables(rows: RowReader, one: SchemaCase): readonly Linked[] {
  const { database } = one;
  const ordinary = new Map(ordinaryTables(database).map((placed) => [placed.t, placed]));
  const keys = distinctKeys(database.foreignKeys).filter(({ from, to }) => from.table !== to.table);
  return [...groupBy(keys, ({ from, to }) => `${from.table}>${to.table}`).values()].flatMap((own) => {
    const [main, dropped] = [ordinary.get(own[0].from.table), ordinary.get(own[0].to.table)];
    if (main === undefined || dropped === undefined) return [];
    const columns = movedColumns(database, main.table, dropped.table, own);
    const linked = zip(own, columns).map(([key, moved]): LinkedKey => {
      const facts = rows.factsOf(originOf(one), rowsOfColumn(one, key.from), rowsOfColumn(one, key.to));
      return { ...key, facts, columns: moved };
    });
    return [{ main, dropped, keys: linked }];
  });
}

/** Why a table can't go into another without loss of what the schema says; null where it can. */
function refusal(database: Database, { main, dropped, keys }: Linked): string | null {
  if (new Set(keys.map(({ to }) => to.column)).size > 1) return 'key-of-several-columns';
  const sole = soleKeyOf(database, dropped.t);
  const isUnique = keys.every(({ to, facts }) => facts?.manyParents !== true && to.column === sole);
  if (!isUnique && !keys.every(({ facts }) => facts?.hasRows === true && !facts.manyParents)) {
    return 'referenced-column-is-not-unique';
  }
  const others = database.foreignKeys.filter((key) => key.to.table === dropped.t && key.from.table !== main.t);
  const own = soleKeyOf(database, main.t);
  const canRelink =
    keys.length === 1 && keys.every(({ from, facts }) => from.column === own && facts?.distinct !== false);
  if (others.length > 0 && !canRelink) return 'referenced-by-further-tables';
  const names = keys.flatMap(({ columns }) => columns);
  return names.every(({ originalName }) => isOfLength(originalName, database)) ? null : 'no-short-name';
}

/** The prefix that the columns of a dropped table get in the main one for one key. */
interface Prefix {
  readonly name: string;
  readonly originalName: string;
}

/** The table's own name; where several keys point at it, that of the key's column without its "id". */
function prefixFor(dropped: Table, keys: readonly ForeignKey[], { name, originalName }: Column): Prefix {
  if (keys.length === 1) return dropped;
  return { name: name.replace(/ id$/, ''), originalName: originalName.replace(/[\s_]?id$/i, '') || originalName };
}

/**
 * A column of a dropped table under a prefix: `stadium` and `Location` → `stadium_Location`; `Pets` and `pet_age` stay.
 */
function prefixed(prefix: Prefix, column: Column): Column {
  const [own, before] = [columnNameKey(column.name), columnNameKey(prefix.name)];
  if (own === before || own.startsWith(`${before} `)) return column;
  const originalName = joinedIdentifier(prefix.originalName, column.originalName);
  return { ...column, name: `${prefix.name} ${column.name}`, originalName };
}

/** A dropped table's columns as the main one has them, per key. */
function movedColumns(
  database: Database,
  main: Table,
  dropped: Table,
  keys: readonly ForeignKey[],
): readonly (readonly Column[])[] {
  const taken = main.columns.map(({ originalName }) => originalName);
  return keys.map(({ from, to }) => {
    const link = columnAt(database, from);
    const prefix = prefixFor(dropped, keys, link);
    return dropped.columns.map((own, c) => {
      if (c === to.column) return link;
      const fresh = (column: Column): Column => ({
        ...column,
        originalName: freshIdentifier(column.originalName, taken),
      });
      const column = nameOfLength([fresh(prefixed(prefix, own)), fresh(own)], database);
      taken.push(column.originalName);
      return column;
    });
  });
}

/** Checks whether a join along a key may leave out rows of the main table; unknown = it may. */
function leavesOut({ facts }: LinkedKey): boolean {
  return facts === null || facts.nulls || !facts.hasRows;
}

function flattenedOf({ main, dropped, keys }: Linked): Flattened {
  const flattened = keys.map((key): FlattenedKey => {
    const names = key.columns.map(({ originalName }) => originalName);
    return { from: key.from.column, to: key.to.column, names, guarded: leavesOut(key) };
  });
  return { main: main.t, dropped: dropped.t, keys: flattened };
}

/**
 * Rows of the main table, each with its row of the dropped one per key, NULLs where it has none. Columns are called by
 * their place: the main table's `c0`, those of the k-th key `k0_c0` and so on.
 */
function joinedRows(rows: DraftTable, others: DraftTable, keys: readonly LinkedKey[]): string {
  const own = rows.columns.map((_, c) => `m.c${c}`);
  const moved = keys.flatMap((_, k) => others.columns.map((__, c) => `d${k}.c${c} AS k${k}_c${c}`));
  const source = ({ from }: DraftTable, columns: readonly string[]): string =>
    `(SELECT ${columns.join(', ')} FROM ${from})`;
  const joins = keys.map(({ from, to }, k) => {
    return `LEFT JOIN ${source(others, plainColumns(others))} AS d${k} ON m.c${from.column} = d${k}.c${to.column}`;
  });
  return `(SELECT ${[...own, ...moved].join(', ')} FROM ${source(rows, plainColumns(rows))} AS m ${joins.join(' ')}) AS joined`;
}

function flatten(draft: SchemaDraft, { main, dropped, keys }: Linked): SchemaDraft {
  const [rows, others] = [itemAt(draft.tables, main.t), itemAt(draft.tables, dropped.t)];
  const own = rows.columns.map((column, c) => ({ ...column, sql: `c${c}` }));
  const moved = keys.map(({ from, to, columns }, k) =>
    zip(others.columns, columns).map(([{ isMade, source }, column], c): DraftColumn =>
      c === to.column ? itemAt(own, from.column) : { column, sql: `k${k}_c${c}`, isMade, source },
    ),
  );
  const columns = [...own, ...zip(moved, keys).flatMap(([list, { to }]) => list.toSpliced(to.column, 1))];
  const heirs = new Map<DraftColumn, readonly DraftColumn[]>([
    ...zip(rows.columns, own).map(([column, heir]) => [column, [heir]] as const),
    ...others.columns.map((column, c) => [column, moved.map((list) => itemAt(list, c))] as const),
  ]);
  const heirsOf = (column: DraftColumn): readonly DraftColumn[] => heirs.get(column) ?? [column];
  const foreignKeys = draft.foreignKeys
    .filter(({ from, to }) => !(rows.columns.includes(from) && others.columns.includes(to)))
    .flatMap(({ from, to }) =>
      heirsOf(from).flatMap((source) => heirsOf(to).map((target) => ({ from: source, to: target }))),
    );
  const table = { ...rows, columns, from: joinedRows(rows, others, keys) };
  return {
    isTraced: draft.isTraced,
    tables: draft.tables.with(main.t, table).toSpliced(dropped.t, 1),
    primaryKeys: draft.primaryKeys.filter((key) => !others.columns.includes(key)).flatMap(heirsOf),
    foreignKeys,
  };
}

/** Why the rows forbid to say a gold on the dropped table on the main one; null where they do not. */
function rowsForbid(keys: readonly LinkedKey[]): string | null {
  if (keys.some(({ facts }) => facts?.dangling === true)) return 'key-values-without-a-row';
  return keys.some(({ facts }) => facts?.unlike === true) ? 'key-values-differ' : null;
}

function follow(
  gold: GoldUse,
  changed: Database,
  database: Database,
  linked: Linked,
  dialect: SqlDialect,
): string | NotApplicable {
  const flattened = flattenedOf(linked);
  const { main, dropped, keys } = flattened;
  if (!gold.tables.has(dropped)) {
    if (!gold.tables.has(main)) return gold.sql;
    const added = keys.flatMap(({ names, to }) => names.toSpliced(to, 1));
    return withAdded(gold, database, main, added, dialect);
  }
  const reason = rowsForbid(linked.keys);
  if (reason !== null) return { reason };
  const hasStar = gold.starred.has(main) || gold.starred.has(dropped);
  const spelled = hasStar ? goldUse(expandStars(gold.sql, database, dialect).sql, database, dialect) : gold;
  return spelled === null
    ? { reason: 'gold-unreadable' }
    : flattenQuery(spelled, database, changed, flattened, dialect);
}

/**
 * Flattening: a table that another one references goes into it, and is gone; its columns get its name before theirs.
 * Keys of the dropped table become the main one's; keys that point at it follow where the main table's column is a key
 * itself. Gold queries that join the two along the key lose the join. What the rows say of a key, where there are any,
 * decides whether that is the same.
 */
export function flattening(rows: RowReader, dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'FL',
    fingerprint: 'FL 2',
    dialect,
    readsGoldFor: 'how the two tables are read',
    variants: (one) => {
      const pairs = linkedTables(rows, one);
      if (pairs.length === 0) return { reason: 'no-foreign-key' };
      const reasons = pairs.map((linked) => refusal(one.database, linked));
      const open = pairs.filter((_, i) => reasons[i] === null);
      const [first] = reasons;
      if (open.length === 0 && first != null) return { reason: first };
      return open.map((linked) => variantOf(one.database, linked, dialect));
    },
  });
}

function variantOf(database: Database, linked: Linked, dialect: SqlDialect): SchemaVariant {
  const { main, dropped, keys } = linked;
  return {
    key: keys.map(({ from, to }) => `${columnKey(from)}>${columnKey(to)}`).join(),
    detail: `flattened ${dropped.table.originalName} into ${main.table.originalName}`,
    change: (draft) => flatten(draft, linked),
    follow: (gold, changed) => follow(gold, changed, database, linked, dialect),
  };
}
