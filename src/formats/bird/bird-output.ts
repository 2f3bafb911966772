import { databaseOf } from '../dataset.js';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Database } from '../../schema/schema.js';
import { renderJsonArray, renderJsonLines } from '../json-file.js';
import {
  isOriginal,
  type OutputExample,
  type OutputFolder,
  type OutputSchema,
  type OutputSet,
  type OwnFields,
  traceTables,
} from '../output-set.js';
import { recordWithQuery } from '../query-fields.js';
import { renderGold } from '../spider-output.js';
import { remapTables } from '../spider-remap.js';
import { RenameFollower } from '../schema-text/follow-renames.js';
import { followTexts } from '../schema-text/schema-texts.js';
import { followTableTexts } from '../schema-text/table-texts.js';
import { RecordIds } from '../variant-ids.js';
import type { BirdDataset, BirdRecord } from './bird-dataset.js';
import { birdTypeName, type ChangedDescription, changeDescription } from './bird-descriptions.js';
import { itemAt } from '../../present.js';

function renderVariant({ source, kind, schema, query }: OutputExample, input: BirdDataset, ids: RecordIds): BirdRecord {
  const record = followTexts(input, source, schema).example.record as BirdRecord;
  const { id } = schema.schema;
  const rendered = recordWithQuery(record, 'SQL', query, schema.schema, input.dialect);
  return { ...rendered, ...ids.idsOf(record, kind), db_id: id, SQL: query };
}

const IN_SPIDER_FIELDS = ['question_id', 'db_id', 'question', 'SQL'];

/** BIRD's fields beyond Spider's; evidence follows the schema. */
export const birdFields: OwnFields = ({ source, kind, schema, query }, dataset) => {
  const record = followTexts(dataset, source, schema).example.record as BirdRecord;
  const kept = kind === 'original' ? record : recordWithQuery(record, 'SQL', query, schema.schema, dataset.dialect);
  // The id is `question_id` as a text, and that of a variant tells its original.
  return Object.fromEntries(Object.entries(kept).filter(([field]) => !IN_SPIDER_FIELDS.includes(field)));
};

function* renderExamples(set: OutputSet, input: BirdDataset): Generator<BirdRecord> {
  const records = Array.from(input.examples(), ({ record }) => record as BirdRecord);
  const ids = new RecordIds(records, ['question_id']);
  for (const example of set.examples()) {
    yield example.kind === 'original' ? (example.source.record as BirdRecord) : renderVariant(example, input, ids);
  }
}

/** The position of the table that a description is of; -1 for one of another. */
export function describedTable(file: string, { tables }: Database): number {
  const title = basename(file, extname(file)).trim().toLowerCase();
  return tables.findIndex(({ originalName }) => originalName.trim().toLowerCase() === title);
}

function describe(file: string, output: OutputSchema, input: BirdDataset): ChangedDescription {
  const bytes = readFileSync(file);
  const database = databaseOf(input, output.origin);
  const table = describedTable(file, database);
  if (isOriginal(output) || table < 0) return { bytes, edits: [] };
  const traced = itemAt(traceTables(output, database), table);
  const follower = new RenameFollower(database, output, input.dialect);
  const follow = (text: string): string => follower.follow(text, { table }).text;
  return changeDescription(bytes, { ...traced, follow });
}

/** Where BIRD's tools look for descriptions: next to the databases of the run, where it has some. */
function descriptionRoot(set: OutputSet): string {
  return [...set.schemas].some(({ schema }) => set.sqliteFile(schema.id) !== null) ? 'database' : 'bird/databases';
}

/**
 * Writes the tables' file, `<stem>.json` and `<stem>_gold.sql` below "bird", and `database_description/<table>.csv` per
 * database: below "database/<db_id>" next to the run's SQLite files or, without any, below "bird/databases/<db_id>".
 */
export function writeBird(set: OutputSet, folder: OutputFolder): void {
  const input = set.input as BirdDataset;
  const tables = Array.from(set.schemas, (output) =>
    followTableTexts(input, output, remapTables(input.tableRecords, output, birdTypeName)),
  );
  folder.write(`bird/${input.tablesName}`, renderJsonArray(tables));
  folder.write(`bird/${input.stem}.json`, renderJsonArray(renderExamples(set, input)));
  folder.write(`bird/${input.stem}_gold.sql`, renderGold(set));
  writeDescriptions(set, folder);
}

/** Writes the descriptions, and `bird/descriptions.jsonl` with what changed in which. */
function writeDescriptions(set: OutputSet, folder: OutputFolder): void {
  const input = set.input as BirdDataset;
  const root = descriptionRoot(set);
  const changes: unknown[] = [];
  for (const output of set.schemas) {
    const { id } = output.schema;
    for (const file of input.descriptions(output.origin)) {
      const { bytes, edits } = describe(file, output, input);
      folder.write(`${root}/${id}/database_description/${basename(file)}`, [bytes]);
      if (edits.length > 0) changes.push({ db_id: id, original_db_id: output.origin, file: basename(file), edits });
    }
  }
  if (changes.length > 0) folder.write('bird/descriptions.jsonl', renderJsonLines(changes));
}
