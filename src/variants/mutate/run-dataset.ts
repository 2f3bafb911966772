import { join } from 'node:path';
import { ConfigError } from '../../errors.js';
import type { Dataset, DatasetExample, DatasetPaths } from '../../formats/dataset.js';
import { sqliteFolder } from '../../formats/spider-dataset.js';
import { readRunManifest } from '../../run/run-folder.js';
import { fileSha256 } from '../../run/sha256.js';
import type { Database } from '../../schema/schema.js';
import { SQLITE } from '../../sql/dialect.js';
import { loadSeeds, SEEDS_FILE } from '../../formats/artifacts/seeds.js';

/** Formats whose gold is not in SQLite's SQL. */
const OTHER_DIALECTS: ReadonlySet<unknown> = new Set(['mysql', 'postgresql']);

/** Folder of a run with the databases of its schemas, the data set's own among them. */
export function runDatabases(run: string): string {
  return join(run, 'database');
}

/** Where a `mutate` run holds schemas and rows: what further training examples are read with. */
export function runPaths(run: string, databases: string | null): DatasetPaths {
  const tables = join(run, 'tables.json');
  return { dataset: 'spider', tables, examples: null, databases: databases ?? runDatabases(run), connection: null };
}

/**
 * The data set that a `mutate` run was made of, as far as the run holds it: examples, schemas, and rows where it has
 * written databases or `databases` says where they are.
 * @throws ConfigError for one whose dialect is not SQLite's: only the data set itself says which
 */
export function loadRunDataset(run: string, schemas: ReadonlyMap<string, Database>, databases: string | null): Dataset {
  if (OTHER_DIALECTS.has(readRunManifest(run).settings['dataset'])) {
    const fix = 'Give --dataset and --connection, as to `perturbql mutate`.';
    throw new ConfigError('the run does not hold the server’s part of its data set', { where: { file: run }, fix });
  }
  const examples = [...loadSeeds(run).values()].map(({ id, db_id: dbId, question, query }): DatasetExample => {
    return { id, group: id, dbId, question, query: query ?? '', record: { db_id: dbId, question, query } };
  });
  return {
    format: 'spider',
    dialect: SQLITE,
    databases: schemas,
    size: examples.length,
    skipped: [],
    fingerprints: { seeds: fileSha256(join(run, SEEDS_FILE)) },
    examples: () => examples,
    ...sqliteFolder(databases ?? runDatabases(run)),
  };
}
