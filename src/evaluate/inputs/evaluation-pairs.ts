import { InputFormatError } from '../../errors.js';
import { withViews } from '../../formats/database-views.js';
import { loadJsonArray } from '../../formats/json-file.js';
import { parseSpiderTables } from '../../formats/spider-tables.js';
import type { Database } from '../../schema/schema.js';
import type { EvaluationPair } from '../metric.js';
import type { GoldQuery } from './gold-queries.js';

/**
 * The databases of gold queries, from Spider's `tables.json` or BIRD's, with the views that these name in their files
 * below `folder`. Records of other databases are not looked at: in some published files they are faulty.
 * @throws InputFormatError naming a gold query whose db_id is not there, or the fault of a record
 */
export function loadNeededSchemas(
  file: string,
  gold: readonly GoldQuery[],
  folder: string | null = null,
): ReadonlyMap<string, Database> {
  const needed = new Set(gold.map(({ dbId }) => dbId));
  const records = loadJsonArray(file, 'databases').filter((record) =>
    needed.has((record as { readonly db_id?: string } | null)?.db_id ?? ''),
  );
  const databases = parseSpiderTables(records, file);
  requireSchemas(gold, databases, file);
  const queries = gold.map(({ dbId, sql }) => ({ dbId, query: sql }));
  return withViews({ databases, records: new Map() }, queries, folder).databases;
}

/** @throws InputFormatError naming a gold query whose db_id has no schema; `file` holds the schemas */
export function requireSchemas(
  gold: readonly GoldQuery[],
  databases: ReadonlyMap<string, Database>,
  file: string,
): void {
  const lost = gold.find(({ dbId }) => !databases.has(dbId));
  if (lost === undefined) return;
  const line = lost.line === undefined ? '' : ` (line ${lost.line})`;
  throw new InputFormatError(`db_id "${lost.dbId}" of gold query ${lost.id}${line} is not in the tables file`, {
    where: { file },
    fix: 'Name the tables.json that belongs to this gold.',
  });
}

/** Gold queries with the predictions for them, as metrics take them; both lists in the same order. */
export function pairUp(
  gold: readonly GoldQuery[],
  predictions: readonly string[],
  databases: ReadonlyMap<string, Database>,
): readonly EvaluationPair[] {
  if (gold.length !== predictions.length) {
    throw new RangeError(`${gold.length} gold queries and ${predictions.length} predictions`);
  }
  return gold.map(({ id, group, dbId, sql }, i) => {
    const database = databases.get(dbId);
    if (database === undefined) throw new RangeError(`no schema of ${dbId}`);
    return { id, group, database, gold: sql, predicted: predictions[i] ?? '' };
  });
}
