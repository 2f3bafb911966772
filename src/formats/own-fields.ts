import type { OutputExample, OutputSet, OwnFields } from './output-set.js';
import { followTexts } from './schema-text/record-texts.js';
import { queryFieldsOf, type SpiderExampleRecord } from './spider-examples.js';

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
