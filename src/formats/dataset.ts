import type { Database, Example } from '../schema/schema.js';
import type { DatasetFormat } from './dataset-formats.js';
import { loadSampleValues } from './sample-values.js';
import { loadSpiderExamples, type SpiderExample } from './spider-examples.js';
import { loadSpiderRecords, loadSpiderTables } from './spider-tables.js';

export interface DatasetPaths {
  readonly dataset: DatasetFormat;
  readonly tables: string;
  readonly examples: string;
  /** Folder of databases, `<db_id>/<db_id>.sqlite`; null = sample values are left out. */
  readonly databases: string | null;
}

/** A Text-to-SQL data set in memory: schemas, questions with gold SQL, sample values on demand. */
export interface Dataset {
  readonly databases: ReadonlyMap<string, Database>;
  /** Each database as its file writes it, by db_id: what is kept is written out again unchanged. */
  readonly records: ReadonlyMap<string, unknown>;
  readonly examples: readonly (Example & Pick<SpiderExample, 'record'>)[];
  /** Up to three distinct values per table and column; empty lists without databases. */
  sampleValues(database: Database): readonly (readonly (readonly string[])[])[];
}

/** @throws InputFormatError when a file is not what the format promises. */
export function loadDataset(paths: DatasetPaths): Dataset {
  const databases = loadSpiderTables(paths.tables);
  const examples = loadSpiderExamples(paths.examples, databases);
  const { databases: folder } = paths;
  return {
    databases,
    records: loadSpiderRecords(paths.tables),
    examples,
    sampleValues: (database) =>
      folder === null
        ? database.tables.map((table) => table.columns.map(() => []))
        : loadSampleValues(folder, database),
  };
}
