import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { elementAt, present } from '../../present.js';
import { fileSha256 } from '../../run/sha256.js';
import type { Database } from '../../schema/schema.js';
import { SQLITE } from '../../sql/dialect.js';
import type { Dataset, DatasetExample, DatasetPaths, SkippedExample } from '../dataset.js';
import { checkRecord, loadJsonArray } from '../json-file.js';
import { sqliteFolder } from '../spider-dataset.js';
import { loadBirdTables } from './bird-tables.js';

const recordSchema = z.looseObject({
  question_id: z.union([z.int(), z.string()]).optional(),
  db_id: z.string().min(1),
  question: z.string(),
  evidence: z.string().nullish(),
  SQL: z.string().nullish(),
});

/** One record of BIRD's examples; fields that perturbql does not know are carried along. */
export type BirdRecord = z.infer<typeof recordSchema>;

export interface BirdExample extends DatasetExample {
  readonly record: BirdRecord;
}

export interface BirdDataset extends Dataset {
  /** Name of the examples' file without its ending, "dev". */
  readonly stem: string;
  /** Name of the tables' file, "dev_tables.json". */
  readonly tablesName: string;
  /** Records of the tables' file by db_id; not `spiderTables`, for their words for types are not Spider's. */
  readonly tableRecords: ReadonlyMap<string, unknown>;
  /** Paths of a database's `database_description/*.csv`, sorted by name. */
  descriptions(dbId: string): readonly string[];
}

function loadRecords(file: string, stem: string, databases: ReadonlyMap<string, Database>): readonly BirdRecord[] {
  return loadJsonArray(file, 'questions').map((json, index) => {
    const where = { file, id: `${stem}:${index}` };
    checkRecord(recordSchema, json, where, 'Each example needs db_id, question and SQL.');
    // As it is in the file: zod's copy has its own order of fields.
    const record = json as BirdRecord;
    if (!databases.has(record.db_id)) {
      throw new InputFormatError(`db_id "${record.db_id}" is not in the tables file`, {
        where,
        fix: 'Name the tables.json that belongs to these examples.',
      });
    }
    return record;
  });
}

/** BIRD's own ids where each record has one and no two are alike (train.json has none), else positions. */
function chooseIds(records: readonly BirdRecord[], stem: string): readonly string[] {
  const own = records.flatMap(({ question_id }) => (question_id === undefined ? [] : [String(question_id)]));
  const areIds = new Set(own).size === records.length;
  return areIds ? own : records.map((_, index) => `${stem}:${index}`);
}

function toExamples(records: readonly BirdRecord[], ids: readonly string[]): [BirdExample[], SkippedExample[]] {
  const examples: BirdExample[] = [];
  const skipped: SkippedExample[] = [];
  records.forEach((record, index) => {
    const id = elementAt(ids, index);
    const query = record.SQL ?? '';
    if (query.trim() === '') skipped.push({ id, reason: 'it has no SQL' });
    else examples.push({ id, group: id, dbId: record.db_id, question: record.question, query, record });
  });
  return [examples, skipped];
}

function descriptionFiles(folder: string | null, dbId: string): readonly string[] {
  const descriptions = folder === null ? null : join(folder, dbId, 'database_description');
  if (descriptions === null || !existsSync(descriptions)) return [];
  // "._x.csv": what macOS leaves in archives; BIRD's hold some.
  const names = readdirSync(descriptions).filter((name) => /\.csv$/i.test(name) && !name.startsWith('.'));
  return names.sort().map((name) => join(descriptions, name));
}

/**
 * BIRD: `dev.json` or `train.json`, `dev_tables.json`, and below the folder of databases `<db_id>/<db_id>.sqlite` with
 * `<db_id>/database_description/*.csv`.
 * @throws InputFormatError when a file is not what the format promises
 */
export function loadBirdDataset(paths: DatasetPaths): BirdDataset {
  const [tables, questions, folder] = [
    present(paths.tables, 'paths.tables'),
    present(paths.examples, 'paths.examples'),
    paths.databases,
  ];
  const stem = basename(questions, extname(questions));
  const { databases, records: tableRecords } = loadBirdTables(tables);
  const records = loadRecords(questions, stem, databases);
  const [examples, skipped] = toExamples(records, chooseIds(records, stem));
  return {
    format: 'bird',
    stem,
    tablesName: basename(tables),
    tableRecords,
    descriptions: (dbId) => descriptionFiles(folder, dbId),
    dialect: SQLITE,
    databases,
    size: examples.length,
    skipped,
    fingerprints: { tables: fileSha256(tables), examples: fileSha256(questions) },
    examples: () => examples,
    ...sqliteFolder(folder),
  };
}
