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
import { withQueryFields } from '../query-fields.js';
import { renderGold } from '../spider-output.js';
import { remapTables } from '../spider-remap.js';
import { RenameFollower } from '../schema-text/follow-renames.js';
import { followTexts } from '../schema-text/schema-texts.js';
import { followTableTexts } from '../schema-text/table-texts.js';
import { variantId } from '../variant-ids.js';
import type { BirdDataset, BirdRecord } from './bird-dataset.js';
import { birdTypeName, type ChangedDescription, changeDescription } from './bird-descriptions.js';
import { itemAt } from '../../present.js';

type QuestionId = string | number;

/** Gives variants ids of their own: whole numbers go on after the greatest, so that the field keeps its type. */
class QuestionIds {
  readonly #taken: Set<QuestionId>;
  #next: number;

  constructor(input: BirdDataset) {
    const ids = [...input.examples()].map(({ record }) => (record as BirdRecord).question_id);
    this.#taken = new Set(ids.filter((id) => id !== undefined && id !== null));
    this.#next = ids.reduce<number>((next, id) => (typeof id === 'number' ? Math.max(next, id + 1) : next), 0);
  }

  forVariant(id: QuestionId, kind: OutputExample['kind']): QuestionId {
    if (typeof id === 'number') return this.#next++;
    return variantId(id, kind, this.#taken);
  }
}

function renderVariant(
  { source, kind, schema, query }: OutputExample,
  input: BirdDataset,
  ids: QuestionIds,
): BirdRecord {
  const record = followTexts(input, source, schema).example.record as BirdRecord;
  const { question_id: id } = record;
  const isSqlite = input.dialect.name === 'sqlite';
  return {
    ...(withQueryFields(record, { query, queryField: 'SQL', schema: schema.schema, isSqlite }) as BirdRecord),
    ...(id === undefined || id === null ? {} : { question_id: ids.forVariant(id, kind), original_question_id: id }),
    db_id: schema.schema.id,
    SQL: query,
  };
}

const IN_SPIDER_FIELDS = ['question_id', 'db_id', 'question', 'SQL'];

/** BIRD's fields beyond Spider's; evidence follows the schema. */
export const birdFields: OwnFields = ({ source, kind, schema, query }, dataset) => {
  const record = followTexts(dataset, source, schema).example.record as BirdRecord;
  const isSqlite = dataset.dialect.name === 'sqlite';
  const parsed = { query, queryField: 'SQL', schema: schema.schema, isSqlite };
  const kept = kind === 'original' ? record : withQueryFields(record, parsed);
  // The id is `question_id` as a text, and that of a variant tells its original.
  return Object.fromEntries(Object.entries(kept).filter(([field]) => !IN_SPIDER_FIELDS.includes(field)));
};

function* renderExamples(set: OutputSet, input: BirdDataset): Generator<BirdRecord> {
  const ids = new QuestionIds(input);
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
