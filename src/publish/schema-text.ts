import { declaredTypes } from '../formats/declared-types.js';
import { memoize } from '../schema/memoize.js';
import type { Database } from '../schema/schema.js';
import { renderCreateTables } from '../sql/create-tables.js';
import { writtenDatabase } from '../variants/databases/write-variants.js';

/** Schemas whose text is kept: rows of one come together. */
const KEPT = 256;

/**
 * The CREATE TABLE statements of a schema of a run by its id, with the types that its database declares, where the run
 * holds it; empty where there is no schema of that id.
 */
export function createTablesOf(folder: string, schemas: ReadonlyMap<string, Database>): (dbId: string) => string {
  return memoize((dbId) => {
    const [schema, file] = [schemas.get(dbId), writtenDatabase(folder, dbId)];
    return schema === undefined ? '' : renderCreateTables(schema, file === null ? [] : declaredTypes(file, schema));
  }, KEPT);
}
