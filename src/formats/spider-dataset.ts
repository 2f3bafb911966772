import { existsSync, statSync } from 'node:fs';
import { fileSha256 } from '../run/sha256.js';
import { SQLITE } from '../sql/dialect.js';
import { withViews } from './database-views.js';
import type { Dataset, DatasetExample, PathsWith } from './dataset.js';
import { loadSampleValues, sqlitePath } from './sample-values.js';
import { readSpiderExamples } from './spider-examples.js';
import { readSpiderSchemas } from './spider-tables.js';
import type { KnownSchemas, UsableRecords } from './usable-records.js';

/**
 * Loads a data set in Spider's layout: `tables.json`, a file of examples, and `<db_id>/<db_id>.sqlite` below the folder
 * of databases. @throws InputFormatError when a file is not what the layout promises
 */
export function loadSpiderLayout(
  format: Dataset['format'],
  paths: PathsWith<'tables' | 'examples'>,
  readExamples: (file: string, schemas: KnownSchemas) => UsableRecords<DatasetExample>,
): Dataset {
  const { tables, examples: questions } = paths;
  const listed = readSpiderSchemas(tables);
  const { kept: examples, skipped } = readExamples(questions, listed);
  const schemas = withViews(listed, examples, paths.databases);
  return {
    format,
    dialect: SQLITE,
    databases: schemas.databases,
    size: examples.length,
    skipped,
    skippedSchemas: schemas.skipped,
    notes: schemas.notes,
    spiderTables: schemas.records,
    fingerprints: { tables: fileSha256(tables), examples: fileSha256(questions) },
    examples: () => examples,
    ...sqliteFolder(paths.databases),
  };
}

/** The schemas of a `tables.json`, without questions. @throws InputFormatError when it is none */
export function loadSpiderSchemas(tables: string, databases: string | null): Dataset {
  const listed = readSpiderSchemas(tables);
  return {
    format: 'spider',
    dialect: SQLITE,
    databases: listed.databases,
    size: 0,
    skipped: [],
    skippedSchemas: listed.skipped,
    fingerprints: { tables: fileSha256(tables) },
    examples: () => [],
    ...sqliteFolder(databases),
  };
}

/** Spider, with `dev.json` and the like for examples. @throws as `loadSpiderLayout` */
export function loadSpiderDataset(paths: PathsWith<'tables' | 'examples'>): Dataset {
  return loadSpiderLayout('spider', paths, (file, schemas) => readSpiderExamples(file, schemas, paths.withoutGold));
}

/** Rows of databases in Spider's layout, `<folder>/<db_id>/<db_id>.sqlite`; null = no rows are known. */
export function sqliteFolder(
  folder: string | null,
): Pick<Dataset, 'sampleValues' | 'hasRows' | 'sqliteBytes' | 'sqliteFile'> {
  const fileOf = (dbId: string): string | null => {
    const file = folder === null ? null : sqlitePath(folder, dbId);
    return file !== null && existsSync(file) ? file : null;
  };
  return {
    hasRows: (dbId) => fileOf(dbId) !== null,
    sqliteBytes: (dbId) => sizeOfFile(fileOf(dbId)),
    sampleValues: (database) =>
      folder === null
        ? database.tables.map((table) => table.columns.map(() => []))
        : loadSampleValues(folder, database),
    sqliteFile: fileOf,
  };
}

/** Bytes of a file; null where there is none. */
export const sizeOfFile = (file: string | null): number | null => (file === null ? null : statSync(file).size);
