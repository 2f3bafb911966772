import { SqlRewriteError } from '../errors.js';
import type { Database } from '../schema/schema.js';
import { type SpiderSql, toSpiderSql } from '../sql/spider-sql.js';
import { toQueryTokens, toQueryTokensNoValue } from '../sql/spider-tokens.js';
import type { DatasetExample } from './dataset.js';
import type { OutputExample, OutputFolder, OutputSchema, OutputSet } from './output-set.js';
import type { SpiderExampleRecord } from './spider-examples.js';
import { renderSpiderTables } from './spider-tables.js';

/** Spider's structure of a query; undefined for a query outside its grammar, where the input has none to keep up with. */
function renderStructure(record: SpiderExampleRecord, query: string, schema: Database): SpiderSql | undefined {
  try {
    return toSpiderSql(query, schema);
  } catch (error) {
    if (error instanceof SqlRewriteError && record['sql'] === undefined) return undefined;
    throw error;
  }
}

/**
 * An example's record with another query on another schema: question and unknown fields stay, `query_toks`,
 * `query_toks_no_value` and `sql` are rebuilt.
 * @throws SqlRewriteError when the input has `sql` and the query is outside the grammar of that structure.
 */
export function renderSpiderExample(record: SpiderExampleRecord, query: string, schema: Database): SpiderExampleRecord {
  const sql = renderStructure(record, query, schema);
  return {
    ...record,
    db_id: schema.id,
    query,
    query_toks: toQueryTokens(query),
    query_toks_no_value: toQueryTokensNoValue(query),
    ...(sql === undefined ? {} : { sql }),
  };
}

/** The record of an example in Spider's form: its own where the data set is Spider's, else made of its fields. */
export function spiderRecordOf(input: OutputSet['input'], example: DatasetExample): SpiderExampleRecord {
  if (input.format === 'spider') return example.record as SpiderExampleRecord;
  return { id: example.id, db_id: example.dbId, question: example.question, query: example.query };
}

function renderExample(input: OutputSet['input'], { source, kind, schema, query }: OutputExample): SpiderExampleRecord {
  const record = spiderRecordOf(input, source);
  const asItWas = kind === 'original' && input.format === 'spider';
  return asItWas ? record : renderSpiderExample(record, query, schema.schema);
}

function renderTables({ input, schemas }: OutputSet): unknown[] {
  return schemas.map(({ schema, origin }: OutputSchema) => {
    const kept = schema.id === origin ? input.spiderTables?.get(origin) : undefined;
    return kept ?? renderSpiderTables(schema);
  });
}

/** A JSON array, one record per line. */
export function* renderJsonArray(records: Iterable<unknown>): Generator<string> {
  let separator = '[\n';
  for (const record of records) {
    yield `${separator}${JSON.stringify(record)}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

function* mapIterable<T, U>(items: Iterable<T>, map: (item: T) => U): Generator<U> {
  for (const item of items) yield map(item);
}

/** A line of Spider's gold file: query, tab, db_id. */
export function renderGoldLine(query: string, dbId: string): string {
  return `${query.replace(/[\t\r\n]+/g, ' ').trim()}\t${dbId}\n`;
}

/**
 * Writes `tables.json`, `examples.json` and `gold.sql`, as Spider's own tools read them. Originals of a Spider data set
 * are its records as they were.
 */
export function writeSpiderDataset(set: OutputSet, folder: OutputFolder): void {
  folder.write('tables.json', renderJsonArray(renderTables(set)));
  folder.write('examples.json', renderJsonArray(mapIterable(set.examples(), (one) => renderExample(set.input, one))));
  folder.write(
    'gold.sql',
    mapIterable(set.examples(), ({ query, schema }) => renderGoldLine(query, schema.schema.id)),
  );
}
