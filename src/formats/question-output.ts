import { renderCsvRecord, type CsvDialect } from './csv-text.js';
import type { Dataset } from './dataset.js';
import { renderJsonArray, renderJsonLines } from './json-file.js';
import type { OutputExample, OutputFolder, OutputSet } from './output-set.js';
import { fieldName, queryField, type QuestionFile, type QuestionRecord } from './question-file.js';
import { recordWithQuery } from './query-fields.js';
import { createVariantIds, RecordIds } from './variant-ids.js';
import { followTexts } from './schema-text/schema-texts.js';

/** A data set whose questions come from a file of any of the plain kinds. */
export interface QuestionDataset extends Dataset {
  readonly questions: QuestionFile;
}

/** A record whose fields that are made from its SQL are those of an output example; an original's stay as they are. */
function keptFields(record: QuestionRecord, { kind, schema, query }: OutputExample, input: Dataset): QuestionRecord {
  if (kind === 'original') return record;
  return recordWithQuery(record, queryField(record), query, schema.schema, input.dialect);
}

/** An example's record with its database, id and query; what lacks comes first, other fields stay as they are. */
function renderRecord(input: Dataset, example: OutputExample, id: string): QuestionRecord {
  const { source, kind, schema, query } = example;
  const record = followTexts(input, source, schema).example.record as QuestionRecord;
  const [dbField, idField] = [fieldName(record, 'db_id') ?? 'db_id', fieldName(record, 'id') ?? 'id'];
  const field = queryField(record);
  const kept = keptFields(record, example, input);
  // An id that is a number stays one.
  const written = record[idField];
  const ownId = kind === 'original' && typeof written === 'number' && String(written) === id ? written : id;
  const given = { [dbField]: schema.schema.id, [idField]: ownId };
  const lacking = Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(record, name)));
  return { ...lacking, ...kept, ...given, [field]: query };
}

/** The fields of a question that are not its database, id, question and query; texts about the schema follow it. */
export function questionFields(example: OutputExample, input: Dataset): QuestionRecord {
  const { source, schema } = example;
  const record = followTexts(input, source, schema).example.record as QuestionRecord;
  const named = ['db_id', 'id', 'question'].map((field) => fieldName(record, field));
  const field = queryField(record);
  const kept = keptFields(record, example, input);
  return Object.fromEntries(Object.entries(kept).filter(([name]) => name !== field && !named.includes(name)));
}

function* renderCsv(
  records: Iterable<QuestionRecord>,
  header: readonly string[],
  dialect: CsvDialect,
): Generator<string> {
  const columns = [...['db_id', 'id'].filter((name) => fieldNameIn(header, name) === undefined), ...header];
  yield renderCsvRecord(columns, dialect);
  for (const record of records)
    yield renderCsvRecord(
      columns.map((name) => cellOf(record[name])),
      dialect,
    );
}

function fieldNameIn(header: readonly string[], field: string): string | undefined {
  return fieldName(Object.fromEntries(header.map((name) => [name, ''])), field);
}

function cellOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function* sourceRecords(input: Dataset): Generator<object> {
  for (const { record } of input.examples()) yield record as QuestionRecord;
}

function* renderRecords(set: OutputSet): Generator<QuestionRecord> {
  const idOf = createVariantIds(set.input);
  const ids = new RecordIds(sourceRecords(set.input), ['question_id']);
  for (const example of set.examples()) {
    const record = renderRecord(set.input, example, idOf(example));
    yield { ...record, ...ids.idsOf(record, example.kind) };
  }
}

/**
 * Writes the examples as `examples.csv`, `.tsv`, `.jsonl` or `.json`, in the shape of the input's file, with `db_id`
 * and `id`. Cells are the input's own, SQL or made from ids, so none is guarded against spreadsheets.
 */
export function writeQuestions(set: OutputSet, folder: OutputFolder, stem: string): void {
  const { layout } = (set.input as QuestionDataset).questions;
  const records = renderRecords(set);
  if (layout.kind === 'csv') {
    const extension = layout.dialect.delimiter === '\t' ? 'tsv' : 'csv';
    folder.write(`${stem}.${extension}`, renderCsv(records, layout.header, layout.dialect));
  } else if (layout.kind === 'jsonl') folder.write(`${stem}.jsonl`, renderJsonLines(records));
  else folder.write(`${stem}.json`, renderJsonArray(records));
}
