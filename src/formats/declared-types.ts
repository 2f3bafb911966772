import type { DeclaredTypes } from '../sql/create-tables.js';
import type { Database } from '../schema/schema.js';
import { foldName } from '../sql/dialect.js';
import { isSqliteError } from '../sql/execution/open-connection.js';
import { columnsOf } from '../sql/execution/table-pragmas.js';
import { readTables } from './sample-values.js';

/**
 * The types that a SQLite file declares for the columns of a schema; null for what it lacks or can't tell.
 * @throws InputFormatError when the file is not a readable SQLite database
 */
export function declaredTypes(file: string, database: Database): DeclaredTypes {
  return readTables(file, database, (sqlite, { originalName, columns }) => {
    try {
      const types = new Map(columnsOf(sqlite, originalName).map(({ name, type }) => [foldName(name), type]));
      return columns.map((column) => types.get(foldName(column.originalName)) ?? null);
    } catch (error) {
      // A view that SQLite can't prepare.
      if (isSqliteError(error)) return columns.map(() => null);
      throw error;
    }
  });
}
