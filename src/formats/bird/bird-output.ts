import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { elementAt, present } from '../../present.js';
import { renderJsonArray } from '../json-output.js';
import {
  isOriginal,
  type OutputExample,
  type OutputFolder,
  type OutputSchema,
  type OutputSet,
  type OwnFields,
} from '../output-set.js';
import { renderGold } from '../spider-output.js';
import { remapTables } from '../spider-remap.js';
import { variantId } from '../variant-ids.js';
import type { BirdDataset, BirdRecord } from './bird-dataset.js';
import { changeDescription } from './bird-descriptions.js';
import { rewriteEvidence } from './bird-evidence.js';
import { birdTypeName } from './bird-tables.js';

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
  const record = source.record as BirdRecord;
  const { question_id: id, evidence } = record;
  const before = present(input.databases.get(source.dbId), 'input.databases.get(source.dbId)');
  return {
    ...record,
    ...(id === undefined || id === null ? {} : { question_id: ids.forVariant(id, kind), original_question_id: id }),
    db_id: schema.schema.id,
    ...(typeof evidence === 'string' ? { evidence: rewriteEvidence(evidence, source.query, before, schema) } : {}),
    SQL: query,
  };
}

const IN_SPIDER_FIELDS = ['question_id', 'db_id', 'question', 'SQL'];

/** BIRD's fields beyond Spider's; evidence follows the schema. */
export const birdFields: OwnFields = ({ source, schema }, dataset) => {
  const record = source.record as BirdRecord;
  // The id is `question_id` as a text, and that of a variant tells its original.
  const others = Object.entries(record).filter(([field]) => !IN_SPIDER_FIELDS.includes(field));
  const own = Object.fromEntries(others);
  const { evidence } = record;
  if (typeof evidence !== 'string' || isOriginal(schema)) return own;
  const before = present(dataset.databases.get(source.dbId), 'dataset.databases.get(source.dbId)');
  return { ...own, evidence: rewriteEvidence(evidence, source.query, before, schema) };
};

function* renderExamples(set: OutputSet, input: BirdDataset): Generator<BirdRecord> {
  const ids = new QuestionIds(input);
  for (const example of set.examples()) {
    yield example.kind === 'original' ? (example.source.record as BirdRecord) : renderVariant(example, input, ids);
  }
}

function describe(file: string, output: OutputSchema, input: BirdDataset): Buffer {
  const bytes = readFileSync(file);
  const { tables } = present(input.databases.get(output.origin), 'input.databases.get(output.origin)');
  const title = basename(file, extname(file)).trim().toLowerCase();
  const table = tables.findIndex(({ originalName }) => originalName.trim().toLowerCase() === title);
  if (isOriginal(output) || table < 0) return bytes;
  const [before, after] = [elementAt(tables, table), elementAt(output.schema.tables, table)];
  return changeDescription(bytes, { before, after, columns: elementAt(output.columns, table) });
}

/** Where BIRD's tools look for descriptions: next to the databases of the run, where it has some. */
function descriptionRoot(set: OutputSet): string {
  return set.schemas.some(({ schema }) => set.sqliteFile(schema.id) !== null) ? 'database' : 'bird/databases';
}

/**
 * Writes the tables' file, `<stem>.json` and `<stem>_gold.sql` below "bird", and `database_description/<table>.csv` per
 * database: below "database/<db_id>" next to the run's SQLite files or, without any, below "bird/databases/<db_id>".
 */
export function writeBird(set: OutputSet, folder: OutputFolder): void {
  const input = set.input as BirdDataset;
  const tables = set.schemas.map((output) => remapTables(input.tableRecords, output, birdTypeName));
  folder.write(`bird/${input.tablesName}`, renderJsonArray(tables));
  folder.write(`bird/${input.stem}.json`, renderJsonArray(renderExamples(set, input)));
  folder.write(`bird/${input.stem}_gold.sql`, renderGold(set));
  const root = descriptionRoot(set);
  for (const output of set.schemas) {
    for (const file of input.descriptions(output.origin)) {
      const name = `${root}/${output.schema.id}/database_description/${basename(file)}`;
      folder.write(name, [describe(file, output, input)]);
    }
  }
}
