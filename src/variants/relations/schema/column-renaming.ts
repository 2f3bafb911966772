import { columnNamingStyle, styledIdentifier } from '../../../schema/naming-style.js';
import { columnKey, type Column, type Database, type PlacedColumn } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { renameColumns } from '../../../sql/rename-columns.js';
import { identifierKey, spellingKey } from '../../../schema/name-identity.js';
import { isAskedFor, withRenamed } from './new-names.js';
import { describeColumn, isOfLength } from './identifiers.js';
import type { GoldUse } from './gold-use.js';
import type { OtherNames } from './other-names.js';
import { withColumns } from './schema-draft.js';
import { SchemaRelation, type SchemaVariant } from './schema-relation.js';
import { unusedColumns, usedColumns } from './usable-columns.js';

/** Names per column: the nearest, so that one column with many synonyms does not crowd out the others. */
const NAMES_PER_COLUMN = 3;

/** A column under a new name; null where its table has it already, as words or as an identifier, or it is too long. */
function renamedColumn(database: Database, { ref, table, column }: PlacedColumn, name: string): Column | null {
  const originalName = styledIdentifier(name, columnNamingStyle(database, ref), column.originalName);
  const isTaken = [...table.columns, table].some(
    (other) =>
      spellingKey(other.name) === spellingKey(name) ||
      identifierKey(other.originalName) === identifierKey(originalName),
  );
  return isTaken || originalName === '' || !isOfLength(originalName, database)
    ? null
    : { ...column, name, originalName };
}

/** A relation that gives one column another name that says the same. */
interface Renaming {
  readonly id: string;
  readonly version: number;
  readonly readsGoldFor: string;
  readonly columns: (database: Database, gold: GoldUse) => readonly PlacedColumn[];
  /** Why there is nothing to rename. */
  readonly without: string;
  readonly follow: (gold: GoldUse, database: Database, column: string, name: string, dialect: SqlDialect) => string;
  readonly mapping?: null;
}

/** A name that the question holds is left out: the question might then mean that column, or be told which it is. */
function renamingRelation(renaming: Renaming, names: OtherNames, dialect: SqlDialect): SchemaRelation {
  const { id, version, readsGoldFor, columns, without, follow, ...mapping } = renaming;
  const variantOf = (database: Database, placed: PlacedColumn, column: Column): SchemaVariant => {
    const key = columnKey(placed.ref);
    return {
      key: `${key}=${column.name}`,
      detail: `renamed ${describeColumn(placed)} to ${column.originalName}`,
      ...mapping,
      change: (draft) => withColumns(draft, new Map([[key, column]])),
      follow: (gold) => follow(gold, database, key, column.originalName, dialect),
    };
  };
  return new SchemaRelation({
    id,
    fingerprint: `${id} ${version}, ${names.fingerprint}`,
    dialect,
    readsGoldFor,
    variants: async ({ database, gold, question }, _limit, context) => {
      const open = columns(database, gold);
      if (open.length === 0) return { reason: without };
      const variants: SchemaVariant[] = [];
      for (const placed of open) {
        const found = await names.of(database, placed.ref, context);
        const fitting = found.flatMap((name) => renamedColumn(database, placed, name) ?? []).slice(0, NAMES_PER_COLUMN);
        const unasked = fitting.filter(({ name }) => !isAskedFor(name, question));
        variants.push(...unasked.map((column) => variantOf(database, placed, column)));
      }
      return variants.length === 0 ? { reason: 'no-other-name' } : variants;
    },
  });
}

/** Column Renaming: a column that the gold does not use gets another name that says the same, written as its own was. */
export function columnRenaming(names: OtherNames, dialect: SqlDialect): SchemaRelation {
  const renaming: Renaming = {
    id: 'CRn',
    version: 2,
    readsGoldFor: 'which columns are unused',
    columns: unusedColumns,
    without: 'no-unused-column',
    follow: withRenamed,
  };
  return renamingRelation(renaming, names, dialect);
}

/**
 * Column Synonym: a column that the gold uses gets another name that says the same, and the gold has it (ADVETA's RPL,
 * one column at a time).
 */
export function columnSynonym(names: OtherNames, dialect: SqlDialect): SchemaRelation {
  const renaming: Renaming = {
    id: 'CSy',
    version: 1,
    readsGoldFor: 'which columns it uses',
    columns: usedColumns,
    without: 'no-used-column',
    follow: ({ sql }, database, column, name) => renameColumns(sql, database, new Map([[column, name]]), dialect).sql,
    mapping: null,
  };
  return renamingRelation(renaming, names, dialect);
}
