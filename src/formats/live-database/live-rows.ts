import { foldName } from '../../sql/dialect.js';
import { openConnection } from '../../sql/execution/open-connection.js';
import { groupBy } from '../../run/group-by.js';
import type { RowSource } from '../dataset.js';
import { fillTables, type SqliteTable } from '../sqlite-builder.js';
import { firstRows } from './live-samples.js';
import type { CatalogColumn, CatalogTable, LiveCatalog, LiveServer, LiveSession, TextRow } from './live-server.js';

/** Most rows of a table that are copied: what is read of rows must be true of all of them. */
const MOST_ROWS = 100_000;

/** Tables whose names SQLite distinguishes, and the names of their columns. */
function copiedTables({ tables }: LiveCatalog): readonly CatalogTable[] {
  const isSole = (names: readonly { readonly name: string }[]): boolean =>
    new Set(names.map(({ name }) => foldName(name))).size === names.length;
  return [...groupBy(tables, ({ name }) => foldName(name)).values()]
    .filter(isSole)
    .flat()
    .filter(({ columns, isView }) => !isView && isSole(columns));
}

async function rowsOf(
  session: LiveSession,
  server: LiveServer,
  catalog: LiveCatalog,
  table: CatalogTable,
): Promise<readonly TextRow[] | { readonly reason: string }> {
  const rows = await session.attempt(firstRows(catalog, table, server.quote, MOST_ROWS + 1));
  return !('reason' in rows) && rows.length > MOST_ROWS ? { reason: `it has more than ${MOST_ROWS}` } : rows;
}

function declared({ name, declaredType }: CatalogColumn): SqliteTable['columns'][number] {
  return { name, declaration: /^\w+$/.test(declaredType) ? declaredType : '' };
}

/**
 * The tables of a server's schema in memory, with their rows as texts that SQLite takes for numbers where the server's
 * type is one of numbers. A table with too many rows, or one that can't be read, is left out, and a note says so.
 */
export async function copyRows(session: LiveSession, server: LiveServer, catalog: LiveCatalog): Promise<RowSource> {
  const sqlite = openConnection(':memory:');
  const notes: string[] = [];
  try {
    for (const table of copiedTables(catalog)) {
      const { name } = table;
      const rows = await rowsOf(session, server, catalog, table);
      if ('reason' in rows) notes.push(`the rows of table ${name} are not read: ${rows.reason}`);
      else fillTables(sqlite, [{ name, columns: table.columns.map(declared), rows }]);
    }
    return { copy: { bytes: sqlite.serialize(), notes }, sqliteFile: () => null };
  } finally {
    sqlite.close();
  }
}
