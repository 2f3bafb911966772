import { itemAt } from '../../../present.js';
import { identifierKey } from '../../../schema/name-identity.js';
import { columnNamingStyle, styledIdentifier } from '../../../schema/naming-style.js';
import { singularOf } from '../../../schema/natural-name.js';
import type { Column, Database, PlacedTable } from '../../../schema/schema.js';
import { renderString, type SqlDialect } from '../../../sql/dialect.js';
import type { RowReader } from '../../databases/row-reader.js';
import { isOfLength } from '../schema/identifiers.js';
import { withAdded } from '../schema/new-names.js';
import { changeTable, type DraftColumn, overRows, plainColumns, type SchemaDraft } from '../schema/schema-draft.js';
import { type GoldlessCase, originOf, type SchemaRelation } from '../schema/schema-relation.js';
import { ordinaryTables } from '../schema/usable-columns.js';
import { evolutionRelation, type SchemaEvolution } from './evolution-relation.js';

/** A table's new key: "singer in concert id"; null where the name is taken or too long. */
function keyFor(database: Database, { t, table: { name: own, columns } }: PlacedTable): Column | null {
  const like = columns.find(({ originalName }) => /ID/.test(originalName))?.originalName ?? '';
  const style = columnNamingStyle(database, { table: t, column: 0 });
  const row = singularOf(own);
  const names = [`${row} id`, `${row.split(' ').at(-1) ?? row} id`, 'row id'].map((name): Column => {
    return { name, originalName: styledIdentifier(name, style, like), type: 'number' };
  });
  const taken = new Set(columns.map(({ originalName }) => identifierKey(originalName)));
  return (
    names.find(({ originalName }) => isOfLength(originalName, database) && !taken.has(identifierKey(originalName))) ??
    null
  );
}

function withKey(draft: SchemaDraft, t: number, column: Column): SchemaDraft {
  const table = itemAt(draft.tables, t);
  const rows = [...plainColumns(table), 'row_number() OVER () AS place'].join(', ');
  const numbered = overRows(draft, t, `(SELECT ${rows} FROM ${table.from}) AS whole`);
  const { columns } = itemAt(numbered.tables, t);
  const key: DraftColumn = { column, sql: 'place', isMade: false, source: null, declaredType: 'INTEGER' };
  const keyed = changeTable(numbered, t, (own) => ({ ...own, columns: [key, ...columns] }));
  return { ...keyed, primaryKeys: [...keyed.primaryKeys.filter((old) => !columns.includes(old)), key] };
}

function evolutionOf(database: Database, { t, table }: PlacedTable, key: Column, dialect: SqlDialect): SchemaEvolution {
  return {
    key: String(t),
    detail: `gave ${table.originalName} the key ${key.originalName} in the place of several columns`,
    change: (draft) => withKey(draft, t, key),
    follow: (gold) => withAdded(gold, database, t, [key.originalName], dialect),
  };
}

/**
 * Checks whether a key has several columns in the schema or, as Spider's schemas name one of them at most, in the
 * database.
 */
function hasCompositeKey(rows: RowReader, one: GoldlessCase, { t, table: { originalName } }: PlacedTable): boolean {
  if (one.database.primaryKeys.filter(({ table }) => table === t).length > 1) return true;
  if (one.mutated !== null) return false;
  const name = renderString(originalName);
  const [[count] = [0n]] =
    rows.rowsOf(originOf(one), `SELECT count(*) FROM pragma_table_info(${name}) WHERE pk > 0`) ?? [];
  return Number(count) > 1;
}

/** Surrogate Key: a table whose primary key is several columns gets a number as its key; the columns stay. */
export function surrogateKey(rows: RowReader, dialect: SqlDialect): SchemaRelation {
  return evolutionRelation({
    id: 'SK',
    version: 1,
    dialect,
    changes: (one) => {
      const { database } = one;
      const composite = ordinaryTables(database).filter((placed) => hasCompositeKey(rows, one, placed));
      if (composite.length === 0) return { reason: 'no-composite-key' };
      return composite.flatMap((placed) => {
        const key = keyFor(database, placed);
        return key === null ? [] : [evolutionOf(database, placed, key, dialect)];
      });
    },
  });
}
