import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { groupBy } from '../run/group-by.js';
import { writeDurably } from '../run/durable-file.js';
import { sha256Of } from '../run/sha256.js';
import { mineConstraints } from '../rows/constraints/mine-constraints.js';
import { createFuzzer } from '../rows/fuzz/fuzzer.js';
import type { Database } from '../schema/schema.js';
import { SQLITE } from '../sql/dialect.js';
import { type Dataset, syntheticNotes } from './dataset.js';
import { whileOpen } from '../sql/execution/open-connection.js';
import { sqlitePath } from './sample-values.js';

/** Version of what the rows are drawn by: another one gives other rows. */
const METHOD = 'synthetic databases v1';

/** Rows that each query finds, where keys allow: with two, an order and a count can be seen. */
const WITNESSES = 2;

/** Folder below a scratch folder that the files are written to. */
const FOLDER = 'synthetic';

/**
 * The SQLite file of a schema, as bytes: tables, types and keys that the schema names, and a few dozen rows a table whose
 * references hold, whose keys are unique, and among which the queries find what their constants ask for. The same seed
 * gives the same bytes. A query that can't be read is passed over.
 */
export function createSyntheticDatabase(database: Database, queries: readonly string[], seed: number): Buffer {
  const constraints = mineConstraints({ database, file: null, level: 'observed', golds: queries });
  return whileOpen(createFuzzer({ database, file: null, constraints }, queries), (fuzzer) => {
    const orders = queries.map((sql) => ({ sql, turn: 0, batches: [WITNESSES], hasBare: true, repeats: false }));
    return whileOpen(fuzzer.materialize(fuzzer.withWitnesses(seed, orders, 'usual')), (sqlite) => sqlite.serialize());
  });
}

/** Schemas that have no rows, and the queries that are asked of them. */
export interface RowlessSchemas {
  readonly databases: ReadonlyMap<string, Database>;
  /** By the id of their schema; others get no database. */
  readonly queries: ReadonlyMap<string, readonly string[]>;
  readonly seed: number;
}

/** The schemas that some queries are asked of. */
export function rowlessSchemas(
  databases: ReadonlyMap<string, Database>,
  queries: readonly { readonly dbId: string; readonly sql: string }[],
  seed: number,
): RowlessSchemas {
  const byId = groupBy(queries, ({ dbId }) => dbId);
  const distinct = [...byId].map(([id, own]) => [id, [...new Set(own.map(({ sql }) => sql))]] as const);
  return { databases, queries: new Map(distinct), seed };
}

/** The file of a schema's synthetic database below `scratch`, written at the first call; null of one that gets none. */
export function syntheticFile(
  { databases, queries, seed }: RowlessSchemas,
  id: string,
  scratch: string,
): string | null {
  const [database, own] = [databases.get(id), queries.get(id)];
  if (database === undefined || own === undefined) return null;
  const file = sqlitePath(join(scratch, FOLDER), id);
  if (!existsSync(file)) writeDurably(file, [createSyntheticDatabase(database, own, seed)]);
  return file;
}

/**
 * The data set with a synthetic database for each schema that it has no rows for and that an example asks about. Sample
 * values, and with them candidates, stay those of the data set. One whose gold is not SQLite's stays as it is.
 */
export function withSyntheticDatabases(dataset: Dataset, seed: number): Dataset {
  if (dataset.dialect.name !== SQLITE.name) return dataset;
  const rowless = [...dataset.examples()].filter(({ dbId }) => !dataset.hasRows(dbId));
  const queries = rowless.map(({ dbId, query: sql }) => ({ dbId, sql }));
  const schemas = rowlessSchemas(dataset.databases, queries, seed);
  if (schemas.queries.size === 0) return dataset;
  return {
    ...dataset,
    notes: [...(dataset.notes ?? []), ...syntheticNotes(schemas.queries.size, seed)],
    fingerprints: { ...dataset.fingerprints, syntheticDatabases: sha256Of(`${METHOD}, seed ${seed}`) },
    synthetic: [...schemas.queries.keys()],
    hasRows: (id) => schemas.queries.has(id) || dataset.hasRows(id),
    sqliteFile: (id, scratch) => syntheticFile(schemas, id, scratch) ?? dataset.sqliteFile(id, scratch),
  };
}
