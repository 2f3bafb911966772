import { itemAt } from '../../../present.js';
import { columnKey, type Database, keyColumns, type Table, type PlacedTable } from '../../../schema/schema.js';
import { renderIdentifier, type SqlDialect } from '../../../sql/dialect.js';
import type { RowReader } from '../../databases/row-reader.js';
import type { NotApplicable } from '../relation.js';
import type { GoldUse } from '../schema/gold-use.js';
import { draftColumnAt, type DraftTable, type SchemaDraft } from '../schema/schema-draft.js';
import type { SchemaRelation } from '../schema/schema-relation.js';
import { isKeyed, ordinaryTables, soleKeyOf } from '../schema/usable-columns.js';
import { evolutionRelation, type SchemaEvolution } from './evolution-relation.js';
import { rewriteGold } from './gold-rewriter.js';
import { partOfTable, type SourceReading, type SourceUse } from './source-reading.js';
import { areUsable, tableIdentifier, type TableName } from './table-naming.js';

/** Fewest columns that move: a table of a key and one column says little. */
const FEWEST_MOVED = 2;

/** A table whose later columns go into a table of their own, row by row. */
interface Split {
  readonly table: number;
  readonly own: Table;
  readonly key: number;
  /** Positions of the columns that move, in order. */
  readonly moved: readonly number[];
  readonly details: TableName;
}

function splitOf(database: Database, { t: table, table: own }: PlacedTable): Split | null {
  const key = soleKeyOf(database, table);
  if (key === null) return null;
  const keys = keyColumns(database);
  const free = [...own.columns.keys()].filter((column) => !keys.has(columnKey({ table, column })));
  const moved = free.slice(Math.ceil(free.length / 2));
  const words = `${own.name} ${/\bdetails?$/.test(own.name) ? 'information' : 'details'}`;
  const details = { name: words, originalName: tableIdentifier(words, own) };
  const isFree = areUsable({ ...database, tables: [...database.tables, { ...own, ...details }] }, new Map());
  const isShort = areUsable(database, new Map([[table, details]]));
  return moved.length >= FEWEST_MOVED && isFree && isShort ? { table, own, key, moved, details } : null;
}

function splitTable(draft: SchemaDraft, { table: t, key, moved, details }: Split): SchemaDraft {
  const { table, column: own } = draftColumnAt(draft, { table: t, column: key });
  const copy = { ...own, source: null };
  const kept = table.columns.filter((_, c) => !moved.includes(c));
  const further: DraftTable = {
    table: details,
    from: table.from,
    columns: [copy, ...table.columns.filter((_, c) => moved.includes(c))],
  };
  return {
    isTraced: draft.isTraced,
    tables: draft.tables.toSpliced(t, 1, { ...table, columns: kept }, further),
    primaryKeys: [...draft.primaryKeys, copy],
    foreignKeys: [...draft.foreignKeys, { from: copy, to: own }],
  };
}

/** Returns a gold query's reading of a split table: one of its tables if that has all columns in use, else both. */
function readingOf(
  { source, columns: used, usesRowid }: SourceUse,
  { own: { originalName, columns }, key, moved, details }: Split,
  asSubquery: boolean,
  dialect: SqlDialect,
): SourceReading | null {
  const isMoved = (column: number): boolean => moved.includes(column);
  // An index that the query names may be over columns that are moved.
  const namesIndex = source.node.kind === 'table' && source.node.namesIndex === true;
  if (!used.some(isMoved)) return namesIndex ? partOfTable(originalName) : null;
  if (!usesRowid && used.every((column) => isMoved(column) || column === key)) return partOfTable(details.originalName);
  const nameOf = (column: number): string => itemAt(columns, column).originalName;
  if (!asSubquery) {
    const joined = { table: details.originalName, key: nameOf(key), columns: new Set(moved) };
    return { kind: 'table', table: originalName, columns: new Map(), joined };
  }
  const [main, further, link] = [originalName, details.originalName, nameOf(key)].map((name) => {
    return renderIdentifier(name, dialect);
  });
  const list = used.map((c) => `${isMoved(c) ? further : main}.${renderIdentifier(nameOf(c), dialect)}`).join(', ');
  const select = `SELECT ${list} FROM ${main} JOIN ${further} ON ${main}.${link} = ${further}.${link}`;
  return { kind: 'subquery', select, columns: used };
}

function follow(
  gold: GoldUse,
  schemas: { readonly database: Database; readonly changed: Database },
  split: Split,
  dialect: SqlDialect,
): string | NotApplicable {
  const followed = (asSubquery: boolean): string | NotApplicable => {
    const read = (use: SourceUse): SourceReading | null => readingOf(use, split, asSubquery, dialect);
    return rewriteGold({ ...schemas, gold, dialect, tables: new Set([split.table]), read });
  };
  const joined = followed(false);
  return typeof joined === 'string' ? joined : followed(true);
}

function evolutionOf(database: Database, split: Split, dialect: SqlDialect): SchemaEvolution {
  const { originalName, columns } = split.own;
  const moved = columns.filter((_, c) => split.moved.includes(c));
  const names = moved.map((column) => column.originalName).join(', ');
  return {
    key: String(split.table),
    detail: `split ${originalName}: ${names} into ${split.details.originalName}`,
    change: (draft) => splitTable(draft, split),
    follow: (gold, changed) => follow(gold, { database, changed }, split, dialect),
  };
}

/**
 * Table Split: the later half of a table's columns goes into a table of its own with the same key; its keys stay. Gold
 * queries read the one that has what they use, or join the two.
 */
export function tableSplit(rows: RowReader, dialect: SqlDialect): SchemaRelation {
  return evolutionRelation({
    id: 'TSp',
    version: 1,
    dialect,
    changes: (one) => {
      const { database } = one;
      const splits = ordinaryTables(database).flatMap((placed) => splitOf(database, placed) ?? []);
      if (splits.length === 0) return { reason: 'no-table-with-a-key-and-enough-columns' };
      const keyed = splits.map((split) => isKeyed(rows, one, { table: split.table, column: split.key }));
      if (keyed.every((fact) => fact === null)) return { reason: 'no-rows-to-read' };
      return splits.flatMap((split, i) => (keyed[i] === true ? [evolutionOf(database, split, dialect)] : []));
    },
  });
}
