import { itemAt } from '../../../present.js';
import { identifierKey } from '../../../schema/name-identity.js';
import { columnNamingStyle, styledIdentifier } from '../../../schema/naming-style.js';
import { singularOf } from '../../../schema/noun-number.js';
import type { Column, Database } from '../../../schema/schema.js';
import { renderString, type SqlDialect } from '../../../sql/dialect.js';
import type { RowReader } from '../../databases/row-reader.js';
import { isOfLength } from '../schema/identifiers.js';
import { withAdded } from '../schema/new-names.js';
import {
  type DraftColumn,
  plainColumns,
  replaceColumns,
  replaceTable,
  type SchemaDraft,
} from '../schema/schema-draft.js';
import { type GoldlessCase, originOf, type SchemaRelation } from '../schema/schema-relation.js';
import { isOrdinary } from '../schema/usable-columns.js';
import { evolutionRelation, type SchemaEvolution } from './evolution-relation.js';

/** A table's new key: "singer in concert id"; null where the name is taken or too long. */
function keyFor(database: Database, t: number): Column | null {
  const { name: own, columns } = itemAt(database.tables, t);
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
  const numbered = replaceColumns(draft, new Map(table.columns.map((old, c) => [old, { ...old, sql: `c${c}` }])));
  const { columns, ...rest } = itemAt(numbered.tables, t);
  const key: DraftColumn = { column, sql: 'place', isMade: false, source: null, declaredType: 'INTEGER' };
  const from = `(SELECT ${[...plainColumns(table), 'row_number() OVER () AS place'].join(', ')} FROM ${table.from}) AS whole`;
  const keyed = replaceTable(numbered, t, { ...rest, from, columns: [key, ...columns] });
  return { ...keyed, primaryKeys: [...keyed.primaryKeys.filter((old) => !columns.includes(old)), key] };
}

function evolutionOf(database: Database, t: number, key: Column, dialect: SqlDialect): SchemaEvolution {
  const { originalName } = itemAt(database.tables, t);
  return {
    key: String(t),
    detail: `gave ${originalName} the key ${key.originalName} in the place of several columns`,
    change: (draft) => withKey(draft, t, key),
    follow: (gold) => withAdded(gold, database, t, [key.originalName], dialect),
  };
}

/**
 * Checks whether a key has several columns in the schema or, as Spider's schemas name one of them at most, in the
 * database.
 */
function hasCompositeKey(rows: RowReader, one: GoldlessCase, t: number): boolean {
  if (one.database.primaryKeys.filter(({ table }) => table === t).length > 1) return true;
  if (one.mutated !== null) return false;
  const name = renderString(itemAt(one.database.tables, t).originalName);
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
      const composite = [...database.tables.keys()].filter((t) => {
        return isOrdinary(itemAt(database.tables, t)) && hasCompositeKey(rows, one, t);
      });
      if (composite.length === 0) return { reason: 'no-composite-key' };
      return composite.flatMap((t) => {
        const key = keyFor(database, t);
        return key === null ? [] : [evolutionOf(database, t, key, dialect)];
      });
    },
  });
}
