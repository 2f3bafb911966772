import { existsSync, statSync } from 'node:fs';
import { present } from '../present.js';
import { fileSha256 } from '../run/sha256.js';
import { SQLITE } from '../sql/dialect.js';
import { withViews } from './database-views.js';
import type { Dataset, DatasetPaths } from './dataset.js';
import { loadSampleValues, sqlitePath } from './sample-values.js';
import { readSpiderExamples } from './spider-examples.js';
import { readSpiderSchemas } from './spider-tables.js';

/**
 * Spider: `tables.json`, `dev.json`, and `<db_id>/<db_id>.sqlite` below the folder of databases.
 * @throws InputFormatError when a file is not what Spider's format promises
 */
export function loadSpiderDataset(paths: DatasetPaths): Dataset {
  const [tables, questions, folder] = [
    present(paths.tables, 'paths.tables'),
    present(paths.examples, 'paths.examples'),
    paths.databases,
  ];
  const listed = readSpiderSchemas(tables);
  const { kept: examples, skipped } = readSpiderExamples(questions, listed, paths.withoutGold);
  const schemas = withViews(listed, examples, folder);
  return {
    format: 'spider',
    dialect: SQLITE,
    databases: schemas.databases,
    size: examples.length,
    skipped,
    skippedSchemas: schemas.skipped,
    notes: schemas.notes,
    spiderTables: schemas.records,
    fingerprints: { tables: fileSha256(tables), examples: fileSha256(questions) },
    examples: () => examples,
    ...sqliteFolder(folder),
  };
}

/** Rows of databases in Spider's layout, `<folder>/<db_id>/<db_id>.sqlite`; null = no rows are known. */
export function sqliteFolder(
  folder: string | null,
): Pick<Dataset, 'sampleValues' | 'hasRows' | 'sqliteBytes' | 'sqliteFile'> {
  const hasRows = (dbId: string): boolean => folder !== null && existsSync(sqlitePath(folder, dbId));
  return {
    hasRows,
    sqliteBytes: (dbId) => (hasRows(dbId) ? statSync(sqlitePath(present(folder, 'folder'), dbId)).size : null),
    sampleValues: (database) =>
      folder === null
        ? database.tables.map((table) => table.columns.map(() => []))
        : loadSampleValues(folder, database),
    sqliteFile: (dbId) => (hasRows(dbId) ? sqlitePath(present(folder, 'folder'), dbId) : null),
  };
}
