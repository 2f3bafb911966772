import { columnNameKey } from '../../../schema/name-identity.js';
import { itemAt } from '../../../present.js';
import {
  type Column,
  columnAt,
  columnKey,
  type ColumnRef,
  type Database,
  type ForeignKey,
} from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { expandStars } from '../../../sql/rename-columns.js';
import type { LinkFacts, LinkReader } from '../../databases/link-facts.js';
import type { NotApplicable } from '../relation.js';
import { flattenQuery, type Flattened, type FlattenedKey } from './flatten-query.js';
import { goldUse, type GoldUse } from './gold-use.js';
import { freshIdentifier, isOfLength, joinedIdentifier, nameOfLength } from './identifiers.js';
import { withAdded } from './new-names.js';
import { type DraftColumn, type DraftTable, plainColumns, rowsOfColumn, type SchemaDraft } from './schema-draft.js';
import { originOf, type SchemaCase, SchemaRelation, type SchemaVariant } from './schema-relation.js';
import { distinctKeys, isOrdinary } from './usable-columns.js';
import { soleKeyOf } from '../evolution/sole-key.js';

/** The keys from one table to another. */
interface Linked {
  readonly main: number;
  readonly dropped: number;
  readonly keys: readonly ForeignKey[];
}

/** The facts about a key besides the schema; none if there are no rows. */
interface KnownKey {
  readonly key: ForeignKey;
  readonly facts: LinkFacts | null;
}

/** Pairs of different tables with a key between them, in the order of the keys. */
function linkedTables({ foreignKeys, tables }: Database): readonly Linked[] {
  const pairs = new Map<string, ForeignKey[]>();
  for (const key of distinctKeys(foreignKeys)) {
    if (key.from.table === key.to.table) continue;
    const pair = `${key.from.table}>${key.to.table}`;
    pairs.set(pair, [...(pairs.get(pair) ?? []), key]);
  }
  return [...pairs.values()]
    .map((keys) => ({ main: itemAt(keys, 0).from.table, dropped: itemAt(keys, 0).to.table, keys }))
    .filter(({ main, dropped }) => [main, dropped].every((t) => isOrdinary(itemAt(tables, t))));
}

/** Why a table can't go into another without loss of what the schema says; null where it can. */
function refusal(database: Database, { main, dropped, keys }: Linked, known: readonly KnownKey[]): string | null {
  const [{ to }] = keys as [ForeignKey];
  if (keys.some((key) => key.to.column !== to.column)) return 'key-of-several-columns';
  const isUnique =
    known.every(({ facts }) => facts?.manyParents !== true) && soleKeyOf(database, to.table) === to.column;
  if (!isUnique && !known.every(({ facts }) => facts?.hasRows === true && !facts.manyParents)) {
    return 'referenced-column-is-not-unique';
  }
  const others = database.foreignKeys.filter((key) => key.to.table === dropped && key.from.table !== main);
  const canRelink =
    keys.length === 1 &&
    soleKeyOf(database, main) === itemAt(keys, 0).from.column &&
    itemAt(known, 0).facts?.distinct !== false;
  if (others.length > 0 && !canRelink) return 'referenced-by-further-tables';
  const names = columnsFor(database, { main, dropped, keys }).flat();
  return names.every(({ originalName }) => isOfLength(originalName, database)) ? null : 'no-short-name';
}

/** The prefix that the columns of a dropped table get in the main one for one key. */
interface Prefix {
  readonly name: string;
  readonly originalName: string;
}

/** The table's own name; where several keys point at it, that of the key's column without its "id". */
function prefixFor(database: Database, { dropped, keys }: Pick<Linked, 'dropped' | 'keys'>, from: ColumnRef): Prefix {
  const { name, originalName } = keys.length === 1 ? itemAt(database.tables, dropped) : columnAt(database, from);
  if (keys.length === 1) return { name, originalName };
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

/** The dropped table's columns as the main one has them, per key; the key's own column is there already. */
function columnsFor(database: Database, linked: Linked): readonly (readonly Column[])[] {
  const taken = itemAt(database.tables, linked.main).columns.map(({ originalName }) => originalName);
  return linked.keys.map(({ from, to }) => {
    const prefix = prefixFor(database, linked, from);
    return itemAt(database.tables, linked.dropped).columns.map((own, c) => {
      if (c === to.column) return columnAt(database, from);
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
function leavesOut({ facts }: KnownKey): boolean {
  return facts === null || facts.nulls || !facts.hasRows;
}

function flattenedOf(linked: Linked, columns: readonly (readonly Column[])[], known: readonly KnownKey[]): Flattened {
  const keys = linked.keys.map(({ from, to }, k): FlattenedKey => {
    const names = itemAt(columns, k).map(({ originalName }) => originalName);
    return { from: from.column, to: to.column, names, guarded: leavesOut(itemAt(known, k)) };
  });
  return { main: linked.main, dropped: linked.dropped, keys };
}

/**
 * Rows of the main table, each with its row of the dropped one per key, NULLs where it has none. Columns are called by
 * their place: the main table's `c0`, those of the k-th key `k0_c0` and so on.
 */
function joinedRows(draft: SchemaDraft, { main, dropped, keys }: Flattened): string {
  const [rows, others] = [itemAt(draft.tables, main), itemAt(draft.tables, dropped)];
  const own = rows.columns.map((_, c) => `m.c${c}`);
  const moved = keys.flatMap((_, k) => others.columns.map((__, c) => `d${k}.c${c} AS k${k}_c${c}`));
  const source = ({ from }: DraftTable, columns: readonly string[]): string =>
    `(SELECT ${columns.join(', ')} FROM ${from})`;
  const joins = keys.map(({ from, to }, k) => {
    return `LEFT JOIN ${source(others, plainColumns(others))} AS d${k} ON m.c${from} = d${k}.c${to}`;
  });
  return `(SELECT ${[...own, ...moved].join(', ')} FROM ${source(rows, plainColumns(rows))} AS m ${joins.join(' ')}) AS joined`;
}

function flatten(draft: SchemaDraft, flattened: Flattened, moved: readonly (readonly Column[])[]): SchemaDraft {
  const { main, dropped, keys } = flattened;
  const [rows, others] = [itemAt(draft.tables, main), itemAt(draft.tables, dropped)];
  const own = rows.columns.map((column, c) => ({ ...column, sql: `c${c}` }));
  const movedTo = keys.map(({ from, to }, k) =>
    others.columns.map(({ isMade, source }, c): DraftColumn => {
      const column = itemAt(itemAt(moved, k), c);
      return c === to ? itemAt(own, from) : { column, sql: `k${k}_c${c}`, isMade, source };
    }),
  );
  const columns = [...own, ...movedTo.flatMap((list, k) => list.toSpliced(itemAt(keys, k).to, 1))];
  const heirs = new Map<DraftColumn, readonly DraftColumn[]>();
  rows.columns.forEach((column, c) => heirs.set(column, [itemAt(own, c)]));
  others.columns.forEach((column, c) =>
    heirs.set(
      column,
      movedTo.map((list) => itemAt(list, c)),
    ),
  );
  const heirsOf = (column: DraftColumn): readonly DraftColumn[] => heirs.get(column) ?? [column];
  const foreignKeys = draft.foreignKeys
    .filter(({ from, to }) => !(rows.columns.includes(from) && others.columns.includes(to)))
    .flatMap(({ from, to }) =>
      heirsOf(from).flatMap((source) => heirsOf(to).map((target) => ({ from: source, to: target }))),
    );
  const table = { ...rows, columns, from: joinedRows(draft, flattened) };
  return {
    isTraced: draft.isTraced,
    tables: draft.tables.with(main, table).toSpliced(dropped, 1),
    primaryKeys: draft.primaryKeys.filter((key) => !others.columns.includes(key)).flatMap(heirsOf),
    foreignKeys,
  };
}

/** Why the rows forbid to say a gold on the dropped table on the main one; null where they do not. */
function rowsForbid(known: readonly KnownKey[]): string | null {
  if (known.some(({ facts }) => facts?.dangling === true)) return 'key-values-without-a-row';
  return known.some(({ facts }) => facts?.unlike === true) ? 'key-values-differ' : null;
}

function follow(
  gold: GoldUse,
  changed: Database,
  database: Database,
  flattened: Flattened,
  known: readonly KnownKey[],
  dialect: SqlDialect,
): string | NotApplicable {
  const { main, dropped, keys } = flattened;
  if (!gold.tables.has(dropped)) {
    if (!gold.tables.has(main)) return gold.sql;
    const added = keys.flatMap(({ names, to }) => names.toSpliced(to, 1));
    return withAdded(gold, database, main, added, dialect);
  }
  const reason = rowsForbid(known);
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
export function flattening(links: LinkReader, dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'FL',
    fingerprint: 'FL 2',
    dialect,
    readsGoldFor: 'how the two tables are read',
    variants: (one) => {
      const pairs = linkedTables(one.database);
      if (pairs.length === 0) return { reason: 'no-foreign-key' };
      const known = pairs.map((linked) => knownKeys(links, one, linked));
      const reasons = pairs.map((linked, i) => refusal(one.database, linked, itemAt(known, i)));
      if (reasons.every((reason) => reason !== null)) return { reason: itemAt(reasons, 0) };
      return pairs.flatMap((linked, i) =>
        reasons[i] === null ? [variantOf(one.database, linked, itemAt(known, i), dialect)] : [],
      );
    },
  });
}

function knownKeys(links: LinkReader, one: SchemaCase, { keys }: Linked): readonly KnownKey[] {
  return keys.map((key) => {
    const facts = links.factsOf(originOf(one), rowsOfColumn(one, key.from), rowsOfColumn(one, key.to));
    return { key, facts };
  });
}

function variantOf(database: Database, linked: Linked, known: readonly KnownKey[], dialect: SqlDialect): SchemaVariant {
  const columns = columnsFor(database, linked);
  const flattened = flattenedOf(linked, columns, known);
  const [into, gone] = [linked.main, linked.dropped].map((t) => itemAt(database.tables, t).originalName);
  return {
    key: linked.keys.map(({ from, to }) => `${columnKey(from)}>${columnKey(to)}`).join(),
    detail: `flattened ${gone} into ${into}`,
    change: (draft) => flatten(draft, flattened, columns),
    follow: (gold, changed) => follow(gold, changed, database, flattened, known, dialect),
  };
}
