import type { Database } from '../schema/schema.js';
import type { Dataset, DatasetExample } from './dataset.js';
import { type OutputExample, type OutputSet, type OwnFields, samePositions } from './output-set.js';
import { followTexts } from './schema-text/schema-texts.js';
import { queryFieldsOf, type SpiderExampleRecord } from './spider-dataset.js';

/** Fields of Spider's records: what an export says itself, and what is made of it. */
const SPIDER_FIELDS: ReadonlySet<string> = new Set([
  ...['id', 'db_id', 'question', 'question_toks'],
  ...['query', 'query_toks', 'query_toks_no_value', 'sql'],
]);

/** The fields of a record in Spider's form that are not Spider's; texts about the schema follow it. */
function spiderOwnFields({ source, schema }: OutputExample, input: OutputSet['input']): ReturnType<OwnFields> {
  const record = followTexts(input, source, schema).example.record as SpiderExampleRecord;
  const queries = new Set<string>(queryFieldsOf(record));
  return Object.fromEntries(
    Object.entries(record).filter(([field]) => !SPIDER_FIELDS.has(field) && !queries.has(field)),
  );
}

/** The data set's own fields of an example that is written, whatever the format; `fieldsOf` is the format's. */
export function ownFieldsOf({ input }: Pick<OutputSet, 'input'>, fieldsOf: OwnFields | undefined): OwnFields {
  if (input.format === 'spider') return spiderOwnFields;
  return fieldsOf ?? (() => ({}));
}

/** A gold on a schema that it is asked of. */
export interface GoldOn {
  readonly query: string;
  readonly schema: Database;
}

/**
 * The fields of an example that are the data set's own, beyond those of its record in Spider's form, wherever it is used.
 * @param on the gold of a mutant, which fields that are made from the gold follow; null = as they are
 */
export function ownFieldsIn(
  dataset: Dataset,
  source: DatasetExample,
  fieldsOf: OwnFields,
  on: GoldOn | null = null,
): Readonly<Record<string, unknown>> {
  const database = on?.schema ?? dataset.databases.get(source.dbId);
  if (database === undefined) return {};
  const schema = { schema: database, origin: database.id, columns: samePositions(database) };
  const [kind, query] = on === null ? (['original', source.query] as const) : (['RPL', on.query] as const);
  return fieldsOf({ source, kind, schema, query }, dataset);
}
