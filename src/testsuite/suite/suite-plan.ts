import { ConfigError, InputFormatError } from '../../errors.js';
import {
  databaseOf,
  type Dataset,
  type DatasetPaths,
  type ExamplesNamed,
  examplesNamed,
} from '../../formats/dataset.js';
import { loadDataset } from '../../formats/load-dataset.js';
import { requireDatabases, requireExamples } from '../../variants/candidates/candidates-run.js';
import { findUnusable } from '../../variants/databases/unusable-databases.js';
import type { RunManifest } from '../../run/run-folder.js';
import { hashRows } from '../../variants/databases/own-files.js';
import type { DistillBudget } from '../distill/distillation.js';
import type { Database } from '../../schema/schema.js';
import { SQLITE } from '../../sql/dialect.js';
import { executableSql } from '../../sql/executable-sql.js';
import { VERSION } from '../../version.js';
import { sqliteVersion } from './sqlite-version.js';
import { COMPRESSION_LEVEL, SUITE_FORMAT } from './suite-files.js';
import type { SuiteBuildOptions } from './suite-options.js';
import { groupBy } from '../../run/group-by.js';

/** A schema that gets a suite. */
export interface PlannedSchema {
  readonly database: Database;
  /** Distinct gold queries as they are executed, in the data set's order. */
  readonly golds: readonly string[];
}

/** The plan that a suite is built from. */
export interface SuitePlan {
  readonly dataset: Dataset;
  /** The name of its examples. */
  readonly named: ExamplesNamed;
  /** In the order in which the data set's examples name them. */
  readonly schemas: readonly PlannedSchema[];
}

function planSchemas(dataset: Dataset): readonly PlannedSchema[] {
  return [...groupBy([...dataset.examples()], ({ dbId }) => dbId)].map(([dbId, examples]) => {
    const database = databaseOf(dataset, dbId);
    // As the evaluation executes them, which looks them up in the suite by this text.
    return { database, golds: [...new Set(examples.map(({ query }) => executableSql(query, database)))] };
  });
}

/**
 * Reads a data set and its gold queries.
 * @throws InputFormatError or ConfigError when an input is missing or wrong, or the gold is not in SQLite's dialect
 */
export async function planSuite(paths: DatasetPaths): Promise<SuitePlan> {
  requireDatabases(paths.databases);
  const dataset = await loadDataset(paths);
  if (dataset.dialect.name !== SQLITE.name) {
    throw new ConfigError(`gold queries of ${dataset.format} are in the dialect of ${dataset.dialect.title}`, {
      fix: 'Name a data set whose gold SQL is SQLite’s: the databases of a suite are SQLite files.',
    });
  }
  requireExamples(dataset, paths);
  findUnusable(dataset, paths.databases);
  if (dataset.size === 0) {
    throw new InputFormatError('there are no examples, hence no gold queries', {
      where: paths.examples === null ? {} : { file: paths.examples },
      fix: 'Give --examples, questions with gold SQL.',
    });
  }
  return { dataset, named: examplesNamed(paths), schemas: planSchemas(dataset) };
}

/** The budget as run.json keeps it, with the keys of earlier versions. */
function storedBudget({
  randomDatabases,
  targetedDatabases,
  ...rest
}: DistillBudget): Readonly<Record<string, number>> {
  return { randomDatabases, aimedDatabases: targetedDatabases, ...rest };
}

/** Returns the manifest that defines a suite: a different one is refused in its folder. */
export async function suiteManifest(
  { budget, seed, data }: SuiteBuildOptions,
  plan: SuitePlan,
): Promise<Omit<RunManifest, 'complete'>> {
  const rows = await hashRows(
    plan.dataset,
    plan.schemas.map(({ database }) => database.id),
  );
  return {
    command: 'suite build',
    version: VERSION,
    seed,
    settings: {
      suiteFormat: SUITE_FORMAT,
      dataset: plan.dataset.format,
      data,
      budget: storedBudget(budget),
      sqlite: sqliteVersion(),
      compressionLevel: COMPRESSION_LEVEL,
    },
    inputs: { ...plan.dataset.fingerprints, ...(rows === null ? {} : { databases: rows }) },
  };
}
