import { sampleRows } from '../sample-values.js';
import { quoteName, type CatalogTable, type LiveCatalog, type LiveServer, type LiveSession } from './live-server.js';

/** Rows looked at for samples, as in SQLite files. */
const ROWS = 50;

/** Sample values per table and column, and which tables have none for a reason. */
export interface LiveSamples {
  readonly values: readonly (readonly (readonly string[])[])[];
  readonly notes: readonly string[];
}

/** The first rows as texts; by the primary key, where there is one, so that they stay the same ones. */
export function firstRows(
  { schema, primaryKeys }: LiveCatalog,
  table: CatalogTable,
  quote: LiveServer['quote'],
  rows: number,
): string {
  const key = primaryKeys.filter((one) => one.table === table.name).map(({ column }) => quoteName(column, quote));
  const order = key.length === 0 ? '' : ` ORDER BY ${key.join(', ')}`;
  const name = `${quoteName(schema, quote)}.${quoteName(table.name, quote)}`;
  return `SELECT ${table.columns.map(({ sample }) => sample ?? 'NULL').join(', ')} FROM ${name}${order} LIMIT ${rows}`;
}

/**
 * Up to three distinct values per column, from the first rows of each table. A table that the user may not read, or a
 * view that fails or takes too long, goes without, and a note says so.
 */
export async function readSamples(
  session: LiveSession,
  server: LiveServer,
  catalog: LiveCatalog,
): Promise<LiveSamples> {
  const values: (readonly (readonly string[])[])[] = [];
  const notes: string[] = [];
  for (const table of catalog.tables) {
    const rows = await session.attempt(firstRows(catalog, table, server.quote, ROWS));
    if ('reason' in rows) notes.push(`no sample values for table ${table.name}: ${rows.reason}`);
    values.push(sampleRows('reason' in rows ? [] : rows, table.columns.length));
  }
  return { values, notes };
}
