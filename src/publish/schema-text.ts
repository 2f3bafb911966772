import { renderCreateTables } from '../sql/create-tables.js';
import type { Database } from '../schema/schema.js';
import { memoize } from '../schema/memoize.js';

/** Schemas whose text is kept: rows of one come together. */
const KEPT = 256;

/** The CREATE TABLE statements of a schema by its id; empty where a run's `tables.json` has none of that id. */
export function createTablesOf(schemas: ReadonlyMap<string, Database>): (dbId: string) => string {
  return memoize((dbId) => {
    const schema = schemas.get(dbId);
    return schema === undefined ? '' : renderCreateTables(schema);
  }, KEPT);
}
