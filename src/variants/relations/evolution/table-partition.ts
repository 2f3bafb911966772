import { itemAt } from '../../../present.js';
import { columnKey, type Database, type PlacedColumn } from '../../../schema/schema.js';
import type { Expression } from '../../../sql/ast.js';
import { unparenthesized } from '../../../sql/ast-walk.js';
import type { BoundQuery } from '../../../sql/bound-query.js';
import { renderIdentifier, renderString, type SqlDialect } from '../../../sql/dialect.js';
import type { RowReader } from '../../databases/row-reader.js';
import type { GoldUse } from '../schema/gold-use.js';
import { chainOf, conjuncts, isPlainChain, joinConditions } from '../schema/join-chain.js';
import {
  type DraftColumn,
  draftColumnAt,
  type DraftTable,
  plainColumns,
  rowsOfColumn,
  type SchemaDraft,
} from '../schema/schema-draft.js';
import { type GoldlessCase, originOf, type SchemaRelation } from '../schema/schema-relation.js';
import { evolutionRelation, type SchemaEvolution } from './evolution-relation.js';
import { rewriteGold } from './gold-rewriter.js';
import { comparedText, FEWEST_ROWS_OF_A_VALUE, type ReadColumn, readColumns } from './recoding.js';
import { partOfTable, type SourceReading, type SourceUse } from './source-reading.js';
import { areUsable, tableIdentifier, type TableName } from './table-naming.js';

/** Most values of a column that is a category. */
const MOST_VALUES = 6;
/** Categories that tables are called after are short words. */
const CATEGORY = /^(?!(?:yes|no|true|false|other)$)\p{L}[\p{L} _-]{1,19}$/iu;

/** A table whose rows go into two tables by the value of a column. */
interface Partition extends PlacedColumn {
  /** The value of the rows in the first table. */
  readonly value: string;
  readonly names: readonly [TableName, TableName];
}

/** A value, or NULL, with the number of its rows. */
type Frequency = readonly [value: string | null, rows: bigint];

/** The values of a column, the most frequent first. */
function frequency(rows: RowReader, one: GoldlessCase, { ref }: ReadColumn): readonly Frequency[] {
  const { sql, from } = rowsOfColumn(one, ref);
  const query = `SELECT v, count(*) FROM (SELECT ${sql} AS v FROM ${from}) GROUP BY v ORDER BY count(*) DESC, v`;
  return (rows.rowsOf(originOf(one), query) ?? []) as unknown as readonly Frequency[];
}

function partitionOf(rows: RowReader, one: GoldlessCase, read: ReadColumn): Partition | null {
  const { ref, table, column, values } = read;
  const isCategory = values.every((value) => typeof value === 'string' && CATEGORY.test(value));
  if (!isCategory || values.length < 2 || values.length > MOST_VALUES) return null;
  const counts = frequency(rows, one, read);
  if (counts.reduce((sum, [, count]) => sum + Number(count), 0) < FEWEST_ROWS_OF_A_VALUE * counts.length) return null;
  const found = counts.map(([value]) => value);
  const value = found.find((candidate) => candidate !== null);
  if (value === undefined || value === null) return null;
  const others = found.filter((candidate) => candidate !== value);
  const other = others.length === 1 ? itemAt(others, 0) : null;
  const name = (word: string): TableName => {
    const words = `${table.name} ${word.toLowerCase()}`;
    return { name: words, originalName: tableIdentifier(words, table) };
  };
  const names = [name(value), name(other ?? 'other')] as const;
  const [first, second] = names;
  const tables = [...one.database.tables, { ...table, ...second }];
  const isFree = areUsable({ ...one.database, tables }, new Map([[ref.table, first]]));
  return isFree && areUsable(one.database, new Map([[ref.table, second]]))
    ? { ref, table, column, value, names }
    : null;
}

function partTable(table: DraftTable, name: TableName, condition: string): DraftTable {
  const columns = table.columns.map((column, c): DraftColumn => ({ ...column, sql: `c${c}` }));
  return {
    table: name,
    columns,
    from: `(SELECT ${plainColumns(table).join(', ')} FROM ${table.from}) AS whole WHERE ${condition}`,
  };
}

function partitionTable(draft: SchemaDraft, { ref, value, names }: Partition): SchemaDraft {
  const { table } = draftColumnAt(draft, ref);
  const { table: t, column } = ref;
  const literal = renderString(value);
  const parts = [
    partTable(table, names[0], `c${column} = ${literal}`),
    partTable(table, names[1], `(c${column} <> ${literal} OR c${column} IS NULL)`),
  ];
  const heirsOf = (old: DraftColumn): readonly DraftColumn[] => {
    const place = table.columns.indexOf(old);
    return place < 0 ? [old] : parts.map(({ columns }) => itemAt(columns, place));
  };
  return {
    isTraced: draft.isTraced,
    tables: draft.tables.toSpliced(t, 1, ...parts),
    primaryKeys: draft.primaryKeys.flatMap(heirsOf),
    // Nothing can refer to two tables.
    foreignKeys: draft.foreignKeys
      .filter(({ to }) => !table.columns.includes(to))
      .flatMap(({ from, to }) => heirsOf(from).map((source) => ({ from: source, to }))),
  };
}

/** The text that a column of a source must be equal to for a row to be of use; null where nothing says one. */
function requiredText({ source, core }: SourceUse, column: number, { names }: BoundQuery): string | null {
  const { from, where } = core.node;
  if (from === null) return null;
  const chain = chainOf(from);
  if (!isPlainChain(chain)) return null;
  const bindings = new Map(names.map((binding) => [binding.token.span.start, binding.found]));
  const isColumn = (side: Expression): boolean => {
    const found = side.kind === 'column' ? bindings.get(side.column.span.start) : null;
    return found?.target.kind === 'column' && found.target.source === source && found.target.column.index === column;
  };
  const textOf = (side: Expression): string | null => {
    if (side.kind === 'literal') return side.type === 'string' ? side.value : null;
    return side.kind === 'column' && bindings.get(side.column.span.start) === null ? side.column.name : null;
  };
  for (const condition of [...chain.flatMap(joinConditions), ...conjuncts(where)]) {
    const bare = unparenthesized(condition);
    if (bare.kind !== 'binary' || !['=', '=='].includes(bare.operator)) continue;
    const [left, right] = [unparenthesized(bare.left), unparenthesized(bare.right)];
    const text = isColumn(left) ? textOf(right) : isColumn(right) ? textOf(left) : null;
    if (text !== null) return text;
  }
  return null;
}

function readingOf(use: SourceUse, partition: Partition, gold: GoldUse, dialect: SqlDialect): SourceReading {
  const [first, second] = partition.names.map(({ originalName }) => originalName) as [string, string];
  const text = use.usesRowid ? null : requiredText(use, partition.ref.column, gold.bound);
  if (text !== null) {
    const isFirst = comparedText(text, dialect) === comparedText(partition.value, dialect);
    return partOfTable(isFirst ? first : second);
  }
  // Of a table of which only the number of rows matters, any column will do.
  const columns = use.columns.length === 0 ? [0] : use.columns;
  const list = columns
    .map((c) => renderIdentifier(itemAt(partition.table.columns, c).originalName, dialect))
    .join(', ');
  const [one, other] = [first, second].map((name) => `SELECT ${list} FROM ${renderIdentifier(name, dialect)}`);
  return { kind: 'subquery', select: `${one} UNION ALL ${other}`, columns };
}

function evolutionOf(database: Database, partition: Partition, dialect: SqlDialect): SchemaEvolution {
  const { ref, table, column } = partition;
  const names = partition.names.map((name) => name.originalName).join(' and ');
  return {
    key: columnKey(ref),
    detail: `split ${table.originalName} by ${column.originalName} into ${names}`,
    change: (draft) => partitionTable(draft, partition),
    follow: (gold, changed) =>
      rewriteGold({
        gold,
        database,
        changed,
        dialect,
        tables: new Set([ref.table]),
        read: (use) => readingOf(use, partition, gold, dialect),
      }),
  };
}

/**
 * Table Partition: the rows of a table go into two tables by the value of a column that is a category: those of the
 * most frequent value, and the others. Gold queries read the table whose rows they ask for, else both, as a union.
 */
export function tablePartition(rows: RowReader, dialect: SqlDialect): SchemaRelation {
  return evolutionRelation({
    id: 'TPa',
    version: 1,
    dialect,
    changes: (one) => {
      const columns = readColumns(rows, one, dialect);
      if (columns === null) return { reason: 'no-rows-to-read' };
      return columns.flatMap((read) => {
        const partition = partitionOf(rows, one, read);
        return partition === null ? [] : [evolutionOf(one.database, partition, dialect)];
      });
    },
  });
}
