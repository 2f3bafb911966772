import { whereReadable } from '../../../sql/sql-fault.js';
import { spellingKey } from '../../../schema/name-identity.js';
import { columnKey, type Database, type PlacedColumn, type PlacedTable } from '../../../schema/schema.js';
import type { FunctionCall } from '../../../sql/ast.js';
import { bindQuery } from '../../../sql/binder.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import type { NotApplicable } from '../relation.js';
import { describeColumn } from '../schema/identifiers.js';
import type { GoldUse } from '../schema/gold-use.js';
import { changeTable } from '../schema/schema-draft.js';
import { SchemaRelation, type SchemaVariant } from '../schema/schema-relation.js';
import { keylessColumns, ordinaryTables, unusedColumns } from '../schema/usable-columns.js';
import { valueContexts, withoutParentheses } from './value-context.js';

/**
 * Checks whether another column may hold the same: it is called so, or after the table and so ("singer name" of a
 * song).
 */
function hasTwin({ tables }: Database, { table, column }: PlacedColumn): boolean {
  const keys = [column.name, `${table.name} ${column.name}`].map(spellingKey);
  return tables.some((other) =>
    other.columns.some((one) => {
      if (other === table && one === column) return false;
      return [one.name, `${other.name} ${one.name}`].some((words) => keys.includes(spellingKey(words)));
    }),
  );
}

/** Columns of a gold whose values it asks for, by `columnKey`: a column that it only counts is not one. */
function askedColumns({ bound }: GoldUse): ReadonlySet<string> {
  const contexts = valueContexts(bound.select);
  return new Set(
    bound.names.flatMap(({ token, found }) => {
      const target = found?.target;
      const context = contexts.get(token.span.start);
      if (target?.kind !== 'column' || target.source.relation.table === null || context === undefined) return [];
      const [parent] = withoutParentheses(context).around;
      const isCounted = parent?.kind === 'function' && /count/i.test((parent as unknown as FunctionCall).name.name);
      return isCounted ? [] : [columnKey({ table: target.source.relation.table, column: target.column.index })];
    }),
  );
}

/** Columns that no key holds, whose values the gold asks for, and that nothing else of the schema has. */
function neededColumns(database: Database, gold: GoldUse): readonly PlacedColumn[] {
  const asked = askedColumns(gold);
  return keylessColumns(database).filter((placed) => asked.has(columnKey(placed.ref)) && !hasTwin(database, placed));
}

/** Refuses a change after which the gold still can be read, whatever its names refer to then. */
function requireUnread({ sql }: GoldUse, changed: Database, dialect: SqlDialect): string | NotApplicable {
  return whereReadable(() => {
    bindQuery(sql, changed, dialect);
    return { reason: 'gold-can-still-be-read' };
  }, sql);
}

/** A column is gone. */
function withoutColumn(placed: PlacedColumn): SchemaVariant {
  const { table, column } = placed.ref;
  return {
    key: columnKey(placed.ref),
    detail: `dropped ${describeColumn(placed)}`,
    change: (draft) => changeTable(draft, table, (own) => ({ ...own, columns: own.columns.toSpliced(column, 1) })),
  };
}

/** A table is gone, and the keys that point at it. */
function withoutTable({ t, table }: PlacedTable): SchemaVariant {
  return {
    key: String(t),
    detail: `dropped ${table.originalName}`,
    mapping: null,
    change: (draft) => ({ ...draft, tables: draft.tables.toSpliced(t, 1) }),
  };
}

/** The removal of what the question needs. */
function unanswerable(removal: SchemaVariant, dialect: SqlDialect): SchemaVariant {
  return {
    ...removal,
    detail: `${removal.detail}, which the question needs`,
    isUnanswerable: true,
    mapping: null,
    follow: (gold, changed) => requireUnread(gold, changed, dialect),
  };
}

/** Column Removal: a column that the gold does not use and no key holds is gone. A table's only column stays. */
export function columnRemoval(dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'CRm',
    fingerprint: 'CRm 1',
    dialect,
    readsGoldFor: 'which columns are unused',
    variants: ({ database, gold }) => {
      const unused = unusedColumns(database, gold).filter(({ table }) => table.columns.length > 1);
      return unused.length === 0 ? { reason: 'no-unused-column' } : unused.map(withoutColumn);
    },
  });
}

/** Table Removal: a table that the gold does not read is gone, and the keys that point at it. One table stays. */
export function tableRemoval(dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'TRm',
    fingerprint: 'TRm 1',
    dialect,
    readsGoldFor: 'which tables are unused',
    variants: ({ database, gold }) => {
      const unused = ordinaryTables(database).filter(({ t }) => !gold.tables.has(t));
      if (unused.length === 0 || database.tables.length === 1) return { reason: 'no-unused-table' };
      return unused.map(withoutTable);
    },
  });
}

/**
 * Needed Column Removal: a column whose values the gold asks for is gone, and no other column has them, so that nothing
 * in the schema answers the question (EvoSchema's column removal). Such a mutant has no gold.
 */
export function neededColumnRemoval(dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'NCR',
    fingerprint: 'NCR 1',
    dialect,
    readsGoldFor: 'which columns it needs',
    variants: ({ database, gold }) => {
      const needed = neededColumns(database, gold).filter(({ table }) => table.columns.length > 1);
      if (needed.length === 0) return { reason: 'no-column-that-only-it-has' };
      return needed.map((placed) => unanswerable(withoutColumn(placed), dialect));
    },
  });
}

/**
 * Needed Table Removal: a table that the gold reads is gone, with a column whose values it asks for and that nothing
 * else has, or with the only rows that it counts. Such a mutant has no gold.
 */
export function neededTableRemoval(dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'NTR',
    fingerprint: 'NTR 1',
    dialect,
    readsGoldFor: 'which tables it needs',
    variants: ({ database, gold }) => {
      const withNeeded = new Set(neededColumns(database, gold).map(({ ref }) => ref.table));
      const ordinary = new Map(ordinaryTables(database).map((placed) => [placed.t, placed]));
      const read = [...gold.tables].flatMap((t) => ordinary.get(t) ?? []);
      const needed = read.filter(({ t }) => withNeeded.has(t) || gold.tables.size === 1);
      if (needed.length === 0 || database.tables.length === 1) return { reason: 'no-table-that-only-it-has' };
      return needed.map((placed) => unanswerable(withoutTable(placed), dialect));
    },
  });
}
