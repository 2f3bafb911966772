import { whereReadable } from '../sql/sql-fault.js';
import type { Database } from '../schema/schema.js';
import { toSpiderSql } from '../sql/spider-sql.js';
import { toQueryTokens, toQueryTokensNoValue } from '../sql/spider-tokens.js';
import { type Token, tokenize } from '../sql/tokenizer.js';
import type { Dataset, DatasetExample } from './dataset.js';
import { renderJsonArray } from './json-file.js';
import { isOriginal, type OutputExample, type OutputFolder, type OutputSet, type OwnFields } from './output-set.js';
import { RecordIds } from './variant-ids.js';
import { followTexts } from './schema-text/schema-texts.js';
import { followTableTexts } from './schema-text/table-texts.js';
import { queryFieldsOf, type SpiderExampleRecord } from './spider-dataset.js';
import { ownTableFields } from './spider-remap.js';
import { renderSpiderTables } from './spider-tables.js';

/** The fields of a record that hold its gold SQL as text, in the shape that they have. */
function renderQueryFields(record: SpiderExampleRecord, query: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    queryFieldsOf(record).map((field) => [field, Array.isArray(record[field]) ? [query] : query]),
  );
}

function withoutStructure(record: SpiderExampleRecord): SpiderExampleRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'sql')) as SpiderExampleRecord;
}

/**
 * An example's record with another query on another schema: question and unknown fields stay, `query_toks`,
 * `query_toks_no_value` and `sql` are rebuilt; where `sql` is text or a list of texts, it keeps that shape, and where the
 * query is outside the grammar of Spider's structure, it goes.
 * @throws SqlRewriteError when the query can't be cut into tokens
 */
export function renderSpiderExample(record: SpiderExampleRecord, query: string, schema: Database): SpiderExampleRecord {
  const texts = renderQueryFields(record, query);
  const structure = Object.hasOwn(texts, 'sql')
    ? undefined
    : whereReadable(() => toSpiderSql(query, schema), undefined);
  const rendered = {
    ...record,
    db_id: schema.id,
    query,
    ...texts,
    query_toks: toQueryTokens(query),
    query_toks_no_value: toQueryTokensNoValue(query),
  };
  if (structure !== undefined) return { ...rendered, sql: structure };
  return Object.hasOwn(texts, 'sql') ? rendered : withoutStructure(rendered);
}

/** The record of an example in Spider's form: its own where the data set is Spider's, else made of its fields. */
export function spiderRecordOf(input: Dataset, example: DatasetExample): SpiderExampleRecord {
  if (input.format === 'spider') return example.record as SpiderExampleRecord;
  return { id: example.id, db_id: example.dbId, question: example.question, query: example.query };
}

/**
 * A variant's record. Spider's tokens and structure are SQLite's: a query in another dialect goes without them.
 * @throws SqlRewriteError as `renderSpiderExample`
 */
export function renderVariantRecord(
  input: Dataset,
  source: DatasetExample,
  query: string,
  schema: Database,
): SpiderExampleRecord {
  const record = spiderRecordOf(input, source);
  if (input.dialect.name !== 'sqlite') return { ...record, db_id: schema.id, query };
  return renderSpiderExample(record, query, schema);
}

/** Spider's own records stay as they are; others get tokens and structure where the query can be read. */
function renderOriginal(input: Dataset, { source, schema, query }: OutputExample): SpiderExampleRecord {
  const own = spiderRecordOf(input, source);
  if (input.format === 'spider') return own;
  return whereReadable(() => renderVariantRecord(input, source, query, schema.schema), own);
}

function renderExample(input: Dataset, example: OutputExample): SpiderExampleRecord {
  const { source, kind, schema, query } = example;
  return kind === 'original'
    ? renderOriginal(input, example)
    : renderVariantRecord(input, followTexts(input, source, schema).example, query, schema.schema);
}

function* originalRecords(set: OutputSet, fieldsOf: OwnFields): Generator<object> {
  for (const example of set.examples('original')) {
    if (example.kind !== 'original') continue;
    yield { ...fieldsOf(example, set.input), ...spiderRecordOf(set.input, example.source) };
  }
}

function* renderExamples(set: OutputSet, fieldsOf: OwnFields): Generator<SpiderExampleRecord> {
  const ids = new RecordIds(originalRecords(set, fieldsOf));
  for (const example of set.examples()) {
    const record = { ...fieldsOf(example, set.input), ...renderExample(set.input, example) };
    const own = example.id === undefined ? ids.idsOf(record, example.kind) : ids.namedIdsOf(record, example.id);
    yield Object.keys(own).length === 0 ? record : { ...record, ...own };
  }
}

function* renderTables({ input, schemas }: OutputSet): Generator<unknown> {
  for (const output of schemas) {
    const record = input.spiderTables?.get(output.origin);
    if (output.record !== undefined) yield output.record;
    else if (record !== undefined && isOriginal(output)) yield record;
    else {
      const own = record === undefined ? {} : ownTableFields(record, output);
      yield followTableTexts(input, output, { ...renderSpiderTables(output.schema), ...own });
    }
  }
}

const BREAKS = /[\t\r\n]/;

/** A string literal without line breaks and tabs of the same value, `'a' || char(10) || 'b'`. */
function onOneLine({ text }: Token): string {
  const parts = text.split(/([\t\r\n])/);
  const joined = parts.map((part, i) => (i % 2 === 1 ? `' || char(${part.charCodeAt(0)}) || '` : part));
  return `(${joined.join('')})`;
}

/** A token without line breaks and tabs; a quoted name keeps its own. */
function onLine(token: Token): string {
  if (!BREAKS.test(token.text) && token.kind !== 'comment') return token.text;
  return token.kind === 'string' ? onOneLine(token) : token.kind === 'quoted' ? token.text : ' ';
}

function onOneLineQuery(query: string): string {
  return whereReadable(() => tokenize(query).map(onLine).join(''), query).replace(/[\t\r\n]+/g, ' ');
}

/**
 * A line of Spider's gold file: query, tab, db_id. A query over several lines is put on one that means the same,
 * without its comments.
 */
export function renderGoldLine(query: string, dbId: string): string {
  return `${(BREAKS.test(query) ? onOneLineQuery(query) : query).trim()}\t${dbId}\n`;
}

/** Spider's gold file: a line per example. */
export function* renderGold(set: OutputSet): Generator<string> {
  for (const { query, schema } of set.examples()) yield renderGoldLine(query, schema.schema.id);
}

/**
 * Writes `examples.json` and `gold.sql`, as Spider's own tools read them. Originals of a Spider data set are its records
 * as they were; records of another are made of its fields, with what it has of its own by `fieldsOf`.
 */
export function writeSpiderExamples(set: OutputSet, folder: OutputFolder, fieldsOf: OwnFields = () => ({})): void {
  folder.write('examples.json', renderJsonArray(renderExamples(set, fieldsOf)));
  folder.write('gold.sql', renderGold(set));
}

/** Writes `tables.json`, then as `writeSpiderExamples`. */
export function writeSpiderDataset(set: OutputSet, folder: OutputFolder, fieldsOf?: OwnFields): void {
  folder.write('tables.json', renderJsonArray(renderTables(set)));
  writeSpiderExamples(set, folder, fieldsOf);
}
