import { basename, extname } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../errors.js';
import type { Database } from '../schema/schema.js';
import type { DatasetExample } from './dataset.js';
import { checkRecord, loadJsonArray } from './json-file.js';

const recordSchema = z.looseObject({ db_id: z.string().min(1), question: z.string(), query: z.string().min(1) });

/** One record of Spider's examples; fields that perturbql does not know are carried along. */
export type SpiderExampleRecord = z.infer<typeof recordSchema>;

export interface SpiderExample extends DatasetExample {
  readonly record: SpiderExampleRecord;
}

/**
 * Loads Spider's examples (`dev.json`, `train.json`); ids are the file's stem and the position, "dev:17".
 * @throws InputFormatError when the file is not JSON, is empty, a field is missing or a db_id is unknown.
 */
export function loadSpiderExamples(file: string, databases: ReadonlyMap<string, Database>): readonly SpiderExample[] {
  const stem = basename(file, extname(file));
  return loadJsonArray(file, 'questions').map((json, index) => {
    const id = `${stem}:${index}`;
    checkRecord(recordSchema, json, { file, id }, 'Each example needs db_id, question and query.');
    // As it is in the file: zod's copy has its own order of fields.
    const record = json as SpiderExampleRecord;
    if (!databases.has(record.db_id)) {
      throw new InputFormatError(`db_id "${record.db_id}" is not in the tables file`, {
        where: { file, id },
        fix: 'Name the tables.json that belongs to these examples.',
      });
    }
    return { id, group: id, dbId: record.db_id, question: record.question, query: record.query, record };
  });
}
