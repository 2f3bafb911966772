import { foldName } from '../../sql/dialect.js';
import { sha256Of } from '../../run/sha256.js';
import { naturalName } from '../../schema/natural-name.js';
import type { ColumnRef, Database } from '../../schema/schema.js';
import { type EvoSchemaTable, readEvoSchemaTable } from './evoschema-table.js';

/** Hexadecimal digits of a schema's content in its id. */
const ID_DIGITS = 10;

function refsOf(tables: readonly EvoSchemaTable[]): (table: string, column: string) => ColumnRef | null {
  const places = new Map<string, ColumnRef>();
  const key = (table: string, column: string): string => JSON.stringify([foldName(table), foldName(column)]);
  tables.forEach(({ name, columns }, t) => {
    columns.forEach(({ originalName }, c) => places.set(key(name, originalName), { table: t, column: c }));
  });
  return (table, column) => places.get(key(table, column)) ?? null;
}

/**
 * A schema of EvoSchema's tables; null where one of them can't be read. Its id is that of its database and its content,
 * so that equal schemas are one.
 * @param isTyped whether every column has a type: renamed columns of the release may have renamed types
 */
export function evoSchemaOf(dbId: string, ddls: readonly string[], isTyped = false): Database | null {
  const read = ddls.map((ddl) => readEvoSchemaTable(ddl, isTyped));
  const tables = read.filter((table) => table !== null);
  if (tables.length < read.length || tables.length === 0) return null;
  const at = refsOf(tables);
  const primaryKeys = tables.flatMap(({ name, primaryKeys: own }) => own.flatMap((column) => at(name, column) ?? []));
  const foreignKeys = tables.flatMap(({ name, foreignKeys: own }) =>
    own.flatMap(({ column, table, to }) => {
      const [from, target] = [at(name, column), at(table, to)];
      return from === null || target === null ? [] : [{ from, to: target }];
    }),
  );
  return {
    id: `${dbId}~${sha256Of(JSON.stringify(ddls)).slice(0, ID_DIGITS)}`,
    tables: tables.map(({ name, columns }) => ({ name: naturalName(name), originalName: name, columns })),
    primaryKeys,
    foreignKeys,
  };
}
