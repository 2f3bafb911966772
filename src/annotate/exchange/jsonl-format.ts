import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { checkRecord, parseJson, renderJsonLines } from '../../formats/json-file.js';
import { readTextLines, type TextLine } from '../../formats/streamed-file.js';
import { writeDurably } from '../../run/durable-file.js';
import type { ItemRecord } from '../project/item-store.js';
import { type ExchangeFormat, type ExchangeSet, inRevisionOrder } from './exchange-set.js';
import { personSchema, recordSchema } from './record-schema.js';

const FORMAT = 'perturbql annotations';
const VERSION = 1;
const FIX = 'Name a file that `perturbql annotate export --format jsonl` wrote.';

const headSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  name: z.string(),
  people: z.array(personSchema),
  notes: z.record(z.string(), z.string()),
});

function* renderSet({ name, people, notes, records }: ExchangeSet): Generator<unknown> {
  yield { format: FORMAT, version: VERSION, name, people, notes };
  yield* records;
}

function* readRecords(lines: Iterable<TextLine>, file: string): Generator<ItemRecord> {
  for (const { text, line } of lines) {
    if (text.trim() === '') continue;
    const record = checkRecord(recordSchema, parseJson(text, file, line), { file, line, id: 'item' }, FIX);
    // The last one stands: files may have been put together from several.
    const adjudications = record.adjudications.sort((a, b) => a.revision - b.revision);
    yield { ...record, answers: inRevisionOrder(record.answers), adjudications };
  }
}

function readSet(file: string): ExchangeSet {
  const lines = readTextLines(file);
  const first = lines.next();
  if (first.done === true) throw new InputFormatError('the file is empty', { where: { file }, fix: FIX });
  const json = parseJson(first.value.text, file, 1);
  const { name, people, notes } = checkRecord(headSchema, json, { file, line: 1, id: 'head' }, FIX);
  return { name, people, notes, records: readRecords(lines, file) };
}

/**
 * JSON Lines: a head with the people, then an item per line with everything that is known of it, each revision, flag and
 * comment of each annotator. Fields are those of the HTTP API. Read and written line by line.
 */
export const JSONL_FORMAT: ExchangeFormat = {
  out: 'file',
  oneKind: false,
  holdsSplits: true,
  write: (set, out) => writeDurably(out, renderJsonLines(renderSet(set))),
  read: (path) => readSet(path),
};
