import { itemAt } from '../../../present.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { columnKey, type Column, type ColumnRef, type Database, type PlacedColumn } from '../../../schema/schema.js';
import { columnNamingStyle } from '../../../schema/naming-style.js';
import { describeColumn, freshIdentifier, isOfLength, joinedIdentifier, nameOfLength } from './identifiers.js';
import { withRenamed } from './new-names.js';
import {
  draftColumnAt,
  overRows,
  plainColumns,
  type DraftColumn,
  type DraftTable,
  type SchemaDraft,
} from './schema-draft.js';
import { SchemaRelation, type SchemaVariant } from './schema-relation.js';
import { unusedColumns } from './usable-columns.js';

/** Orders values so that two are equal only if they are the same, storage class and all. */
const identityOf = (value: string): string => `typeof(${value}), ${value} COLLATE BINARY`;

/** Called so next to plain columns: the place of a row. */
const ROW = 'place';

/** The names that a normalization brings in. */
interface NewNames {
  readonly table: { readonly name: string; readonly originalName: string };
  /** The link column, of one name in both tables. */
  readonly link: Column;
}

/** A link's identifier after its column's: `Country` → `Country_ID`, `petType` → `petTypeId`. */
function linkIdentifier(database: Database, { ref, column: { originalName } }: PlacedColumn): string {
  const style = columnNamingStyle(database, ref);
  if (style === 'camelCase' || style === 'PascalCase') return `${originalName}Id`;
  return joinedIdentifier(originalName, /^[A-Z]/.test(originalName) ? 'ID' : 'id');
}

function namesFor(database: Database, placed: PlacedColumn): NewNames {
  const { table, column } = placed;
  const taken = table.columns.map(({ originalName }) => originalName);
  const originalName = freshIdentifier(linkIdentifier(database, placed), taken);
  const tables = database.tables.map((other) => other.originalName);
  return {
    table: nameOfLength(
      [
        {
          name: `${table.name} ${column.name}`,
          originalName: freshIdentifier(joinedIdentifier(table.originalName, column.originalName), tables),
        },
        { name: column.name, originalName: freshIdentifier(column.originalName, tables) },
      ],
      database,
    ),
    link: { name: `${column.name} id`, originalName, type: 'number' },
  };
}

/** The draft with a table's rows numbered, so that a window function over them leaves their order as it is. */
function withNumberedRows(draft: SchemaDraft, t: number): SchemaDraft {
  const table = itemAt(draft.tables, t);
  if (table.from.endsWith(ROW)) return draft;
  const rows = [...plainColumns(table), `row_number() OVER () AS ${ROW}`].join(', ');
  return overRows(draft, t, `(SELECT ${rows} FROM ${table.from}) ORDER BY ${ROW}`);
}

/** The new table: each value of the column once, with its number. */
function valueTable(names: NewNames, moved: DraftColumn, from: string): DraftTable {
  const distinct = `SELECT v FROM (SELECT ${moved.sql} AS v FROM ${from}) WHERE v IS NOT NULL GROUP BY ${identityOf('v')}`;
  const numbered = `SELECT row_number() OVER (ORDER BY ${identityOf('v')}) AS n, v FROM (${distinct})`;
  const columns: readonly DraftColumn[] = [
    { column: names.link, sql: 'n', isMade: false, source: null },
    { ...moved, sql: 'v' },
  ];
  return { table: names.table, columns, from: `(${numbered})` };
}

function normalize(draft: SchemaDraft, ref: ColumnRef, names: NewNames): SchemaDraft {
  const source = draftColumnAt(draft, ref);
  const values = valueTable(names, source.column, source.table.from);
  const numbered = withNumberedRows(draft, ref.table);
  const {
    table,
    column: { sql },
  } = draftColumnAt(numbered, ref);
  const rank = `dense_rank() OVER (PARTITION BY ${sql} IS NULL ORDER BY ${identityOf(sql)})`;
  const number = `CASE WHEN ${sql} IS NOT NULL THEN ${rank} END`;
  const link: DraftColumn = { column: names.link, sql: number, isMade: false, source: null };
  const linked = { ...table, columns: table.columns.with(ref.column, link) };
  return {
    isTraced: numbered.isTraced,
    tables: [...numbered.tables.with(ref.table, linked), values],
    primaryKeys: [...numbered.primaryKeys, itemAt(values.columns, 0)],
    foreignKeys: [...numbered.foreignKeys, { from: link, to: itemAt(values.columns, 0) }],
  };
}

/**
 * Normalization: an unused column moves into a table of its own, each of its values once; a link column is in its
 * place, with a foreign key to the new table. The paper makes a table of two columns, too; the published tool's key
 * links a column to itself and moves no rows.
 */
export function normalization(dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'NO',
    fingerprint: 'NO 2',
    dialect,
    readsGoldFor: 'which columns are unused',
    variants: ({ database, gold }) => {
      const unused = unusedColumns(database, gold);
      if (unused.length === 0) return { reason: 'no-unused-column' };
      const named = unused.map((placed) => ({ placed, names: namesFor(database, placed) }));
      const fitting = named.filter(({ names: { table, link } }) =>
        [table, link].every(({ originalName }) => isOfLength(originalName, database)),
      );
      if (fitting.length === 0) return { reason: 'no-short-name' };
      return fitting.map(({ placed, names }) => variantOf(database, placed, names, dialect));
    },
  });
}

function variantOf(database: Database, placed: PlacedColumn, names: NewNames, dialect: SqlDialect): SchemaVariant {
  const { ref } = placed;
  return {
    key: columnKey(ref),
    detail: `moved ${describeColumn(placed)} into ${names.table.originalName}`,
    change: (draft) => normalize(draft, ref, names),
    follow: (gold) => withRenamed(gold, database, columnKey(ref), names.link.originalName, dialect),
  };
}
