import { identifierKey } from '../../../schema/name-identity.js';
import { columnNamingStyle, styledIdentifier } from '../../../schema/naming-style.js';
import type { Column, Database } from '../../../schema/schema.js';
import { renderString, type SqlDialect } from '../../../sql/dialect.js';
import type { CorpusTable } from '../../../stage.js';
import { isOfLength } from '../schema/identifiers.js';
import type { DraftTable, SchemaDraft } from '../schema/schema-draft.js';
import type { SchemaRelation } from '../schema/schema-relation.js';
import { isOrdinary } from '../schema/usable-columns.js';
import { evolutionRelation, type SchemaEvolution } from './evolution-relation.js';
import type { FurtherTable, FurtherTables } from './further-tables.js';
import { areUsable, tableIdentifier, type TableName } from './table-naming.js';

/** A table that a schema could have, too, as the schema would write it. */
interface Addition {
  readonly name: TableName;
  readonly columns: readonly Column[];
  readonly rows: CorpusTable['rows'];
  readonly level: FurtherTable['level'];
}

/** A table in the manner of a schema; null where a name is taken or too long. */
function additionTo(database: Database, { table, level }: FurtherTable): Addition | null {
  const like = database.tables.findIndex((own) => isOrdinary(own));
  const own = database.tables[like];
  if (own === undefined) return null;
  const words = table.title.toLowerCase();
  const name = { name: words, originalName: tableIdentifier(words, own) };
  const style = columnNamingStyle(database, { table: like, column: own.columns.length - 1 });
  const columns = table.columns.map((column, c): Column => {
    const type = table.types[c] ?? 'text';
    return { name: column, originalName: styledIdentifier(column, style), type };
  });
  const keys = new Set(columns.map(({ originalName }) => identifierKey(originalName)));
  const areColumnsUsable = columns.every(
    ({ originalName }) => originalName !== '' && isOfLength(originalName, database),
  );
  if (!areColumnsUsable || keys.size < columns.length || columns.length === 0) return null;
  const isFree = areUsable({ ...database, tables: [...database.tables, { ...own, ...name }] }, new Map());
  return isFree && areUsable(database, new Map([[like, name]])) ? { name, columns, rows: table.rows, level } : null;
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

function literal(cell: string, { type }: Column): string {
  return type === 'number' && NUMBER.test(cell) ? cell : renderString(cell);
}

/** Returns a column's declared type: a number only if all of its cells are numbers. */
function declaredTypeOf({ type }: Column, cells: readonly string[]): string {
  if (type !== 'number' || !cells.every((cell) => NUMBER.test(cell))) return 'TEXT';
  return cells.some((cell) => cell.includes('.')) ? 'REAL' : 'INTEGER';
}

function addTable(draft: SchemaDraft, { name, columns, rows }: Addition): SchemaDraft {
  const selects = rows.map((cells) => {
    return `SELECT ${columns.map((column, c) => `${literal(cells[c] ?? '', column)} AS c${c}`).join(', ')}`;
  });
  const table: DraftTable = {
    table: name,
    columns: columns.map((column, c) => ({
      column,
      sql: `c${c}`,
      isMade: false,
      source: null,
      declaredType: declaredTypeOf(column, rows.map((cells) => cells[c] ?? '')), // prettier-ignore
    })),
    from: `(${selects.join(' UNION ALL ')}) AS added`,
  };
  return { ...draft, tables: [...draft.tables, table] };
}

function evolutionOf(addition: Addition, dialect: SqlDialect): SchemaEvolution {
  const { name, columns, level } = addition;
  return {
    key: name.originalName,
    level,
    detail: `added the ${level} table ${name.originalName}(${columns.map((one) => one.originalName).join(', ')})`,
    change: (draft) => addTable(draft, addition),
    // A WITH of the gold's own, or a text in double quotes, would be read otherwise.
    follow: ({ sql, words }) => (words.has(dialect.fold(name.originalName)) ? { reason: 'name-in-the-gold' } : sql),
  };
}

/**
 * Table Addition: a table more, with rows, of those of the index that are nearest to a table of the schema (related),
 * or of any other domain (unrelated). Gold queries stay.
 */
export function tableAddition(further: FurtherTables, dialect: SqlDialect): SchemaRelation {
  return evolutionRelation({
    id: 'TAd',
    version: 1,
    dialect,
    parts: further.fingerprint,
    changes: async ({ database }, context) => {
      const found = await further.of(database, context);
      const additions = new Map(
        found.flatMap((table) => {
          const addition = table.table.rows.length === 0 ? null : additionTo(database, table);
          return addition === null ? [] : [[identifierKey(addition.name.originalName), addition] as const];
        }),
      );
      if (additions.size === 0) return { reason: 'no-table-to-add' };
      return [...additions.values()].map((addition) => evolutionOf(addition, dialect));
    },
  });
}
