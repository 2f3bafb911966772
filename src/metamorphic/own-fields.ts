import type { Dataset, DatasetExample } from '../formats/dataset.js';
import { type OwnFields, samePositions } from '../formats/output-set.js';
import type { Database } from '../schema/schema.js';

type AnyRecord = Readonly<Record<string, unknown>>;

/** A gold on a schema that it is asked of. */
export interface GoldOn {
  readonly query: string;
  readonly schema: Database;
}

/**
 * The fields of an example that are the data set's own, beyond those of its record in Spider's form.
 * @param on the gold of a mutant, which fields that are made from the gold follow; null = as they are
 */
export function ownFieldsIn(
  dataset: Dataset,
  source: DatasetExample,
  fieldsOf: OwnFields,
  on: GoldOn | null = null,
): AnyRecord {
  const database = on?.schema ?? dataset.databases.get(source.dbId);
  if (database === undefined) return {};
  const schema = { schema: database, origin: database.id, columns: samePositions(database) };
  const [kind, query] = on === null ? (['original', source.query] as const) : (['RPL', on.query] as const);
  return fieldsOf({ source, kind, schema, query }, dataset);
}

/** Ids that a record has in its file, where the example is called otherwise. */
function ownIds({ id, record }: DatasetExample): AnyRecord {
  const fields = record as AnyRecord;
  const named = ['id', 'question_id'].filter((field) => {
    const value = fields[field];
    return (typeof value === 'string' || typeof value === 'number') && String(value) !== id;
  });
  return Object.fromEntries(named.map((field) => [field, fields[field]]));
}

/**
 * A line of `mutants.jsonl` or `seeds.jsonl` with the fields of the data set's own behind its own; one of the same name
 * is there as `original_<name>`.
 */
export function withOwnFields<T extends object>(line: T, source: DatasetExample, fields: AnyRecord): T & AnyRecord {
  const own = Object.entries({ ...ownIds(source), ...fields }).map(([name, value]) => [
    Object.hasOwn(line, name) ? `original_${name}` : name,
    value,
  ]);
  return { ...line, ...(Object.fromEntries(own) as AnyRecord) };
}
