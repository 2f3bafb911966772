import { isFolder } from '../../regular-file.js';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputFormatError } from '../../errors.js';
import { mustGet } from '../../present.js';
import { fileSha256, sha256Of } from '../../run/sha256.js';
import type { Database } from '../../schema/schema.js';
import { SQLITE } from '../../sql/dialect.js';
import type { Dataset, DatasetExample, DatasetPaths, SkippedExample } from '../dataset.js';
import { checkRecord, loadJsonArray } from '../json-file.js';
import type { PerturbedPair } from '../perturbed-pair.js';
import { sqlitePath } from '../sample-values.js';
import { readUsable } from '../usable-records.js';
import { completeSchema } from './complete-schema.js';
import { type EvoSchemaRecord, evoSchemaRecord, mappingOf } from './evoschema-record.js';
import { evoSchemaOf } from './evoschema-schema.js';

const FIX = 'Each record needs db_id, question, query and relevant_table.';

/** Words of a file's name that do not say what is changed. */
const NO_KIND = new Set(['bird', 'spider', 'dev', 'train', 'revised', 'finally']);

/** What a file of the release changes, after its name: `rename_columns_bird_dev.json` → "rename columns". */
function kindOf(file: string): string {
  const [stem = ''] = basename(file).split('.');
  const words = stem.split('_').filter((word) => !NO_KIND.has(word.toLowerCase()));
  return words.length === 0 ? stem : words.join(' ');
}

/** The files of a release's folder, by name. */
function jsonFilesIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  if (names.length > 0) return names.sort().map((name) => join(folder, name));
  throw new InputFormatError('there is no JSON file in it', {
    where: { file: folder },
    fix: 'Name a folder of the release.',
  });
}

function ddlsOf(tables: EvoSchemaRecord['relevant_table']): readonly string[] {
  return Object.values(tables).map(({ ddl }) => ddl);
}

/** The columns that records list next to the schema of a table. */
function listedIn(tables: EvoSchemaRecord['relevant_table']): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(tables).flatMap(([name, { columns }]) => (columns === undefined ? [] : [[name, columns]])),
  );
}

function pairOf(record: EvoSchemaRecord, json: unknown, id: string, file: string, rows: string | null): PerturbedPair {
  const { db_id: origin, question, query, relevant_table: tables, new_relevant_table: changed = tables } = record;
  const isRead = typeof changed !== 'string';
  const before = evoSchemaOf(origin, ddlsOf(tables));
  const meant = isRead ? evoSchemaOf(origin, ddlsOf(changed), true) : null;
  const isRemoval = record.new_gold_sql === undefined && record.new_relevant_table !== undefined;
  const own = rows === null ? null : sqlitePath(rows, origin);
  return {
    id,
    kind: kindOf(file),
    before: { database: before, question, query },
    after: {
      database: isRead ? evoSchemaOf(origin, ddlsOf(changed)) : null,
      question,
      query: record.new_gold_sql ?? query,
    },
    mapping: mappingOf(record),
    origin,
    intended: meant === null || !isRead ? null : completeSchema(meant, before, listedIn(changed)),
    ...{ isRemoval, keepsRows: !isRemoval, rowsAfter: null },
    rowsBefore: own !== null && existsSync(own) ? own : null,
    goldField: record.new_gold_sql === undefined ? 'query' : 'new_gold_sql',
    record: json as Readonly<Record<string, unknown>>,
    file: basename(file),
  };
}

function readFile(
  file: string,
  rows: string | null,
): { readonly pairs: readonly PerturbedPair[]; readonly skipped: readonly SkippedExample[] } {
  const [stem = ''] = basename(file).split('.');
  const { kept, skipped } = readUsable(loadJsonArray(file, 'records'), file, (json, index) => {
    const id = `${stem}:${index}`;
    const record = checkRecord(evoSchemaRecord, json, { file, id }, FIX);
    const pair = pairOf(record, json, id, file, rows);
    if (pair.before.database !== null) return pair;
    throw new InputFormatError('a table of relevant_table is not as EvoSchema writes it', {
      where: { file, id },
      fix: FIX,
    });
  });
  return { pairs: kept, skipped };
}

/** An example of the set after its change; null where there is nothing to ask. */
function exampleOf({ id, after, record }: PerturbedPair): DatasetExample | null {
  const { database, question, query } = after;
  return database === null || query === null ? null : { id, group: id, dbId: database.id, question, query, record };
}

/**
 * EvoSchema: a file of its release, or a folder of such files, one kind of change each. Examples are those after the
 * change, each on the tables that its record lists; `pairs` has them with what they were. It ships no rows;
 * `--databases` are those of the set that it was made from.
 * @throws InputFormatError when a file is not what the format promises
 */
export function loadEvoSchemaDataset(paths: DatasetPaths): Dataset {
  const given = mustGet(paths.examples, 'paths.examples');
  const files = isFolder(given) ? jsonFilesIn(given) : [given];
  const read = files.map((file) => readFile(file, paths.databases));
  const pairs = read.flatMap((one) => one.pairs);
  const examples = pairs.map(exampleOf).filter((example) => example !== null);
  const databases = new Map<string, Database>();
  for (const { after } of pairs) if (after.database !== null) databases.set(after.database.id, after.database);
  const unread = pairs
    .filter(({ after }) => after.database === null)
    .map(({ id }) => ({ id, reason: 'its new schema can’t be read' }));
  return {
    format: 'evoschema',
    dialect: SQLITE,
    databases,
    size: examples.length,
    skipped: [...read.flatMap(({ skipped }) => skipped), ...unread],
    fingerprints: { examples: sha256Of(JSON.stringify(files.map((file) => [basename(file), fileSha256(file)]))) },
    pairs,
    examples: () => examples,
    sampleValues: ({ tables }) => tables.map(({ columns }) => columns.map(() => [])),
    hasRows: () => false,
    sqliteFile: () => null,
  };
}
