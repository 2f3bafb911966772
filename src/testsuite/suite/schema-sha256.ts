import { sha256Of } from '../../run/sha256.js';
import { columnKey, type Database } from '../../schema/schema.js';

/**
 * sha256 of what a schema's queries and databases depend on: identifiers, types and keys, in their order. Not of its id
 * and of the natural words that refer to identifiers, and not of views, which follow their tables.
 */
export function schemaSha256({ tables, primaryKeys, foreignKeys }: Database): string {
  const content = {
    tables: tables.flatMap(({ originalName, columns, isView }) =>
      isView === true ? [] : [[originalName, columns.map((column) => [column.originalName, column.type])]],
    ),
    primaryKeys: primaryKeys.map(columnKey),
    foreignKeys: foreignKeys.map(({ from, to }) => [columnKey(from), columnKey(to)]),
  };
  return sha256Of(JSON.stringify(content));
}
