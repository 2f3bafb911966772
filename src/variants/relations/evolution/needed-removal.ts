import { whereReadable } from '../../../errors.js';
import { spellingKey } from '../../../schema/name-identity.js';
import { columnKey, type Database, type PlacedColumn } from '../../../schema/schema.js';
import { bindQuery } from '../../../sql/binder.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import type { NotApplicable } from '../relation.js';
import { describeColumn } from '../schema/identifiers.js';
import type { GoldUse } from '../schema/gold-use.js';
import { withoutColumn } from '../schema/schema-draft.js';
import { SchemaRelation, type SchemaVariant } from '../schema/schema-relation.js';
import { keylessColumns, ordinaryTables } from '../schema/usable-columns.js';
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
      const isCounted = parent?.kind === 'function' && /count/i.test((parent as unknown as NamedCall).name.name);
      return isCounted ? [] : [columnKey({ table: target.source.relation.table, column: target.column.index })];
    }),
  );
}

interface NamedCall {
  readonly name: { readonly name: string };
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
      return needed.map((placed): SchemaVariant => ({
        key: columnKey(placed.ref),
        detail: `dropped ${describeColumn(placed)}, which the question needs`,
        isUnanswerable: true,
        mapping: null,
        change: (draft) => withoutColumn(draft, placed.ref),
        follow: (use, changed) => requireUnread(use, changed, dialect),
      }));
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
      return needed.map(({ t, table }): SchemaVariant => ({
        key: String(t),
        detail: `dropped ${table.originalName}, which the question needs`,
        isUnanswerable: true,
        mapping: null,
        change: (draft) => ({ ...draft, tables: draft.tables.toSpliced(t, 1) }),
        follow: (use, changed) => requireUnread(use, changed, dialect),
      }));
    },
  });
}
