import { identifierKey, spellingKey } from '../../../schema/name-identity.js';
import { columnNamingStyle, styledIdentifier } from '../../../schema/naming-style.js';
import type { Column, ColumnType, Database, PlacedTable, Table } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { isAskedFor, withAdded } from './new-names.js';
import { isOfLength } from './identifiers.js';
import { changeTable } from './schema-draft.js';
import { originOf, SchemaRelation, type SchemaVariant } from './schema-relation.js';
import { ordinaryTables } from './usable-columns.js';
import type { StageContext } from '../../../stage.js';

/** A column that a table could have, too. */
export interface PossibleColumn {
  /** Natural words. */
  readonly name: string;
  readonly type: ColumnType;
}

/** A table that is asked about. */
export interface AskedTable {
  /** Id of the data set's own database. */
  readonly origin: string;
  readonly table: Table;
}

/** Says what the thing that a table's rows stand for can have (MT-TEQL §3.2, Column Insertion). */
export interface PossibleColumns {
  readonly fingerprint: string;
  /** The likeliest first. */
  of(asked: AskedTable, context: StageContext): Promise<readonly PossibleColumn[]>;
}

/** Columns per table: the likeliest, so that one table with many does not crowd out the others. */
const COLUMNS_PER_TABLE = 5;

/** Names of a schema's tables and columns, as they are compared. */
function namesIn({ tables }: Database): ReadonlySet<string> {
  return new Set(tables.flatMap((table) => [table, ...table.columns].map(({ name }) => spellingKey(name))));
}

/** A possible column as the table would have it; null where its identifier is taken or too long. */
function columnFor(database: Database, { t, table }: PlacedTable, { name, type }: PossibleColumn): Column | null {
  const { columns } = table;
  // The last column that is not a bare word shows how the table writes words.
  const style = columnNamingStyle(database, { table: t, column: columns.length - 1 });
  const like = columns.find(({ originalName }) => /ID/.test(originalName))?.originalName ?? '';
  const originalName = styledIdentifier(name, style, like);
  const isTaken = columns.some((other) => identifierKey(other.originalName) === identifierKey(originalName));
  return isTaken || originalName === '' || !isOfLength(originalName, database) ? null : { name, originalName, type };
}

function variantOf(database: Database, { t, table }: PlacedTable, column: Column, dialect: SqlDialect): SchemaVariant {
  const added = { column, sql: 'NULL', isMade: true, source: null };
  return {
    key: `${t}+${column.name}`,
    detail: `added ${table.originalName}.${column.originalName}`,
    change: (draft) => changeTable(draft, t, (own) => ({ ...own, columns: [...own.columns, added] })),
    follow: (gold) => withAdded(gold, database, t, [column.originalName], dialect),
  };
}

/**
 * Column Insertion: a table gets a column more, of those that the thing it tells of can have. Left out: names that the
 * schema has, names that the question holds, and tables that the gold selects by a star, whose meaning would change.
 */
export function columnInsertion(possible: PossibleColumns, dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'CI',
    fingerprint: `CI 2, ${possible.fingerprint}`,
    dialect,
    readsGoldFor: 'whether a star takes in the new column',
    variants: async (one, _limit, context) => {
      const { database, gold, question } = one;
      const open = ordinaryTables(database).filter(({ t }) => !gold.starred.has(t));
      if (open.length === 0) return { reason: 'star-selects-all' };
      const names = namesIn(database);
      const variants: SchemaVariant[] = [];
      for (const placed of open) {
        const found = await possible.of({ origin: originOf(one), table: placed.table }, context);
        const fitting = found
          .filter(({ name }) => !names.has(spellingKey(name)))
          .flatMap((column) => columnFor(database, placed, column) ?? []);
        for (const column of fitting.slice(0, COLUMNS_PER_TABLE)) {
          if (!isAskedFor(column.name, question)) variants.push(variantOf(database, placed, column, dialect));
        }
      }
      return variants.length === 0 ? { reason: 'no-possible-column' } : variants;
    },
  });
}
