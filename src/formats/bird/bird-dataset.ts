import type { Database } from '../../schema/schema.js';
import { type SqlDialect, SQLITE } from '../../sql/dialect.js';
import { MYSQL } from '../../sql/mysql-dialect.js';
import { POSTGRESQL } from '../../sql/postgresql-dialect.js';
import { readSpiderSchemas, type SpiderTablesRecord } from '../spider-tables.js';
import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { fileSha256 } from '../../run/sha256.js';
import { withViews } from '../database-views.js';
import { type Dataset, type DatasetExample, NO_SQL, type PathsWith } from '../dataset.js';
import { checkRecord, loadJsonArray, type RecordPlace } from '../json-file.js';
import { sqliteFolder } from '../spider-dataset.js';
import { type KnownSchemas, readUsable, requireSchema, type UsableRecords } from '../usable-records.js';
import { itemAt } from '../../present.js';

/** BIRD's mini-dev has its gold in three dialects, which the files are called after: `mini_dev_postgresql.json`. */
const BY_NAME: readonly (readonly [RegExp, SqlDialect])[] = [
  [/postgres/i, POSTGRESQL],
  [/mysql/i, MYSQL],
];

/** The dialect of a file of BIRD's examples, by the name of the file without its ending. */
function birdDialect(stem: string): SqlDialect {
  return BY_NAME.find(([pattern]) => pattern.test(stem))?.[1] ?? SQLITE;
}

/**
 * BIRD's PostgreSQL databases were loaded without quotes: names that need none are in lower case, others as they are.
 */
function serverName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name.toLowerCase() : name;
}

function serverSchema(database: Database): Database {
  const named = <T extends { readonly originalName: string }>(one: T): T => {
    return { ...one, originalName: serverName(one.originalName) };
  };
  const tables = database.tables.map((table) => ({ ...named(table), columns: table.columns.map(named) }));
  return { ...database, tables };
}

function serverRecord(record: SpiderTablesRecord): SpiderTablesRecord {
  return {
    ...record,
    table_names_original: record.table_names_original.map(serverName),
    column_names_original: record.column_names_original.map(([table, name]) => [table, serverName(name)]),
  };
}

/** Schemas with their records by db_id. */
interface Schemas {
  readonly databases: ReadonlyMap<string, Database>;
  readonly records: ReadonlyMap<string, unknown>;
}

/** The schemas that gold queries of a dialect are on: the tables' file has the names of the SQLite files. */
function schemasFor<T extends Schemas>(dialect: SqlDialect, schemas: T): T {
  if (dialect.name !== 'postgresql') return schemas;
  return {
    ...schemas,
    databases: new Map([...schemas.databases].map(([id, database]) => [id, serverSchema(database)])),
    records: new Map([...schemas.records].map(([id, record]) => [id, serverRecord(record as SpiderTablesRecord)])),
  };
}

const recordSchema = z.looseObject({
  question_id: z.union([z.number(), z.string()]).nullish(),
  db_id: z.string().min(1),
  question: z.string(),
  evidence: z.unknown().optional(),
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

function readRecord(json: unknown, where: RecordPlace, schemas: KnownSchemas): BirdRecord {
  checkRecord(recordSchema, json, where, 'Each example needs db_id, question and SQL.');
  // As it is in the file: zod's copy has its own order of fields.
  const record = json as BirdRecord;
  requireSchema(record.db_id, 'db_id', schemas, where);
  return record;
}

/** BIRD's own ids where each record has one and no two are alike (train.json has none), else positions. */
function chooseIds(records: readonly unknown[], stem: string): readonly string[] {
  const own = records.flatMap((record) => {
    const id = (record as Partial<BirdRecord> | null)?.question_id;
    return typeof id === 'string' || typeof id === 'number' ? [String(id)] : [];
  });
  const areIds = new Set(own).size === records.length;
  return areIds ? own : records.map((_, index) => `${stem}:${index}`);
}

/** Returns the remedy for a record without gold query: Spider's has it in another field. */
function fixOf(record: BirdRecord): string {
  if (typeof record['query'] !== 'string') return 'Give the example its gold SQL, in field "SQL".';
  return 'BIRD’s gold is in field "SQL"; this record has "query", as Spider’s do: check --dataset.';
}

function loadExamples(
  file: string,
  stem: string,
  schemas: KnownSchemas,
  withoutGold: boolean,
): UsableRecords<BirdExample> {
  const records = loadJsonArray(file, 'questions', 'question_id');
  const ids = chooseIds(records, stem);
  return readUsable(records, file, (json, index) => {
    const id = itemAt(ids, index);
    const record = readRecord(json, { file, id }, schemas);
    const query = (record.SQL ?? '').trim() === '' ? '' : (record.SQL ?? '');
    if (query !== '' || withoutGold)
      return { id, group: id, dbId: record.db_id, question: record.question, query, record };
    throw new InputFormatError(NO_SQL, { where: { file, id }, fix: fixOf(record) });
  });
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
export function loadBirdDataset(paths: PathsWith<'tables' | 'examples'>): BirdDataset {
  const { tables, examples: questions, databases: folder } = paths;
  const stem = basename(questions, extname(questions));
  const listed = readSpiderSchemas(tables);
  const { kept: examples, skipped } = loadExamples(questions, stem, listed, paths.withoutGold === true);
  const dialect = birdDialect(stem);
  const isSqlite = dialect === SQLITE;
  const schemas = isSqlite ? withViews(listed, examples, folder) : schemasFor(dialect, listed);
  const rows = sqliteFolder(folder);
  return {
    format: 'bird',
    stem,
    tablesName: basename(tables),
    tableRecords: schemas.records,
    descriptions: (dbId) => descriptionFiles(folder, dbId),
    dialect,
    databases: schemas.databases,
    size: examples.length,
    skipped,
    skippedSchemas: schemas.skipped,
    notes: [
      ...schemas.notes,
      ...(isSqlite ? [] : [`its gold query is read as ${dialect.title}, after the name of its file`]),
    ],
    fingerprints: { tables: fileSha256(tables), examples: fileSha256(questions) },
    examples: () => examples,
    // The SQLite files can't run gold in another dialect; they hold the same values.
    ...(isSqlite
      ? rows
      : {
          sampleValues: rows.sampleValues,
          hasRows: () => false,
          sqliteFile: () => null,
          readServerRows: () => Promise.resolve(rows),
        }),
  };
}
