import { formatCount } from '../counts.js';
import { ConfigError, InputFormatError } from '../errors.js';
import { type Dataset, type DatasetExample, type DatasetPaths, leftOutOf } from './dataset.js';
import { DATASET_NEEDS, type DatasetFormat, unreadInputs } from './dataset-formats.js';
import { withGivenReadings } from './given-readings.js';
import { joinComparisons } from '../sql/executable-sql.js';
import { withNaturalNames } from './natural-names.js';
import type { OutputWriter, OwnFields } from './output-set.js';

/**
 * One format, loaded when it is used. `write` gives the format back; null where Spider's layout, which every run has,
 * is it.
 */
export interface DatasetAdapter {
  /**
   * Reads a data set, given the inputs that the format needs (`DATASET_NEEDS`).
   * @throws InputFormatError when an input is not what the format promises
   */
  read(paths: DatasetPaths): Dataset | Promise<Dataset>;
  readonly write: OutputWriter | null;
  /** The fields of its records beyond Spider's, for Spider's layout; absent if they are Spider's, or have nothing. */
  readonly fields?: OwnFields;
}

const interactions = async (): Promise<DatasetAdapter> => ({
  read: (await import('./interaction-dataset.js')).loadInteractionDataset,
  write: (await import('./interaction-output.js')).writeInteractions,
  fields: (await import('./interaction-output.js')).interactionFields,
});

const liveDatabase = async (): Promise<DatasetAdapter> => ({
  read: (await import('./live-database/live-dataset.js')).loadLiveDataset,
  write: (await import('./live-database/live-dataset.js')).writeLiveDataset,
  fields: (await import('./question-output.js')).questionFields,
});

const ADAPTERS: Readonly<Record<DatasetFormat, () => Promise<DatasetAdapter>>> = {
  spider: async () => ({ read: (await import('./spider-dataset.js')).loadSpiderDataset, write: null }),
  cosql: interactions,
  sparc: interactions,
  bird: async () => ({
    read: (await import('./bird/bird-dataset.js')).loadBirdDataset,
    write: (await import('./bird/bird-output.js')).writeBird,
    fields: (await import('./bird/bird-output.js')).birdFields,
  }),
  wikisql: async () => ({
    read: (await import('./wikisql/wikisql-dataset.js')).loadWikiSqlDataset,
    write: (await import('./wikisql/wikisql-output.js')).writeWikiSql,
    fields: (await import('./wikisql/wikisql-output.js')).wikiSqlFields,
  }),
  sqlite: async () => ({
    read: (await import('./sqlite-dataset.js')).loadSqliteDataset,
    write: (await import('./sqlite-dataset.js')).writeSqliteDataset,
    fields: (await import('./question-output.js')).questionFields,
  }),
  csv: async () => ({
    read: (await import('./csv-dataset.js')).loadCsvDataset,
    write: (await import('./csv-output.js')).writeCsvDataset,
    fields: (await import('./question-output.js')).questionFields,
  }),
  squall: async () => ({
    read: (await import('./squall/squall-dataset.js')).loadSquallDataset,
    write: (await import('./squall/squall-output.js')).writeSquall,
    fields: (await import('./squall/squall-record-output.js')).squallFields,
  }),
  evoschema: async () => ({
    read: (await import('./evoschema/evoschema-dataset.js')).loadEvoSchemaDataset,
    write: null,
  }),
  'dr-spider': async () => ({
    read: (await import('./dr-spider/dr-spider-dataset.js')).loadDrSpiderDataset,
    write: null,
  }),
  postgresql: liveDatabase,
  mysql: liveDatabase,
};

function requireInputs(paths: DatasetPaths): void {
  const missing = DATASET_NEEDS[paths.dataset].filter((input) => paths[input] === null);
  if (missing.length === 0) return;
  const options = missing.map((input) => `--${input}`).join(' and ');
  throw new ConfigError(`data set format ${paths.dataset} needs ${options}`, {
    fix: `Give ${options}; docs/datasets.md says what they are for this format.`,
  });
}

/** A path that is not read is a mistake: of the format, or of the path, which need not even be there. */
function refuseUnread(paths: DatasetPaths): void {
  const given = unreadInputs(paths.dataset).filter((input) => paths[input] !== null);
  if (given.length === 0) return;
  const options = given.map((input) => `--${input}`).join(' and ');
  throw new ConfigError(`data set format ${paths.dataset} does not read ${options}`, {
    fix: `Leave out ${options}, or name the format that your data have with --dataset; docs/datasets.md says what each is read from.`,
  });
}

/** Longest id: file systems take names of 255 bytes, and variants and their files are called after it. */
const MAX_ID_BYTES = 200;

function isFolderName(id: string): boolean {
  return !/[/\\\p{Cc}]/u.test(id) && id !== '.' && id !== '..' && Buffer.byteLength(id) <= MAX_ID_BYTES;
}

/** Databases are read from and written to folders of their ids: one that is a path would lead out of them. */
function requireFolderNames({ databases }: Dataset, file: string | undefined): void {
  const unsafe = [...databases.keys()].find((id) => !isFolderName(id));
  if (unsafe === undefined) return;
  throw new InputFormatError(`the id ${JSON.stringify(unsafe)} can't be the name of a folder`, {
    where: file === undefined ? { id: unsafe } : { file, id: unsafe },
    fix: `Give the database an id without slashes, tabs and line breaks, of at most ${MAX_ID_BYTES} bytes.`,
  });
}

/** @throws InputFormatError where a record of a data set that is to be whole was left out */
function requireWhole(dataset: Dataset, file: string | undefined): void {
  const leftOut = leftOutOf(dataset);
  const [first] = leftOut;
  if (first === undefined) return;
  const records = leftOut.length === 1 ? 'a record' : `${formatCount(leftOut.length)} records`;
  throw new InputFormatError(`${records} can’t be used, the first for this reason: ${first.reason}`, {
    where: file === undefined ? { id: first.id } : { file, id: first.id },
    fix: 'Fix the records, or leave out --strict.',
  });
}

/** The example with a gold query that only white space makes invalid read as it is meant. */
function joined(example: DatasetExample): DatasetExample {
  const query = joinComparisons(example.query);
  return query === example.query ? example : { ...example, query };
}

/** The data set with the operators of its gold queries joined, and a note of how many were not. */
function withJoinedGolds(dataset: Dataset): Dataset {
  let cut = 0;
  for (const example of dataset.examples()) if (joined(example) !== example) cut++;
  if (cut === 0) return dataset;
  const goldQueries = `${cut} gold ${cut === 1 ? 'query has' : 'queries have'}`;
  return {
    ...dataset,
    notes: [
      ...(dataset.notes ?? []),
      `${goldQueries} white space within an operator (> =, < =, ! =), which is read as if it were not there`,
    ],
    *examples() {
      for (const example of dataset.examples()) yield joined(example);
    },
  };
}

/** The reader and writer of a format. */
export function datasetAdapter(format: DatasetFormat): Promise<DatasetAdapter> {
  return ADAPTERS[format]();
}

/**
 * Loads a data set.
 * @throws ConfigError when a path that the format needs is not given, or one is that it does not read
 * @throws InputFormatError when an input is not what the format promises
 */
export async function loadDataset(paths: DatasetPaths): Promise<Dataset> {
  const written = await loadDatasetAsWritten(paths);
  const dataset = withJoinedGolds(written);
  if (paths.syntheticDatabases !== true) return dataset;
  const { withSyntheticDatabases } = await import('./synthetic-databases.js');
  return withSyntheticDatabases(dataset, paths.seed ?? 0);
}

/**
 * As `loadDataset`, with gold queries as they are written, white space within operators included. @throws as
 * `loadDataset`
 */
export async function loadDatasetAsWritten(paths: DatasetPaths): Promise<Dataset> {
  requireInputs(paths);
  refuseUnread(paths);
  const dataset = named(await (await datasetAdapter(paths.dataset)).read(paths), paths.readings);
  if (paths.strict === true) requireWhole(dataset, paths.examples ?? undefined);
  requireFolderNames(dataset, paths.tables ?? paths.databases ?? undefined);
  return dataset;
}

function named(dataset: Dataset, readings: string | null | undefined): Dataset {
  const own = withNaturalNames(dataset);
  return readings == null ? own : withGivenReadings(own, readings);
}

/** Formats whose schemas stand in a file as Spider's `tables.json` has them, or in SQLite databases. */
const SCHEMAS_ALONE: ReadonlySet<DatasetFormat> = new Set(['spider', 'cosql', 'sparc', 'bird', 'sqlite']);

/**
 * The schemas of a data set: with its questions where they are named, else those of a `tables.json` or of SQLite
 * databases alone.
 * @throws as `loadDataset`
 */
export async function loadSchemas(paths: DatasetPaths): Promise<Dataset> {
  const { examples, connection, tables, databases, readings } = paths;
  if (examples !== null || connection !== null) return loadDataset(paths);
  refuseUnread(paths);
  if (!SCHEMAS_ALONE.has(paths.dataset)) {
    throw new ConfigError(`schemas of data set format ${paths.dataset} are read with its questions`, {
      fix: 'Give --examples; or leave out --dataset, for a tables.json in Spider’s form or SQLite databases.',
    });
  }
  if (tables !== null)
    return named((await import('./spider-dataset.js')).loadSpiderSchemas(tables, databases), readings);
  if (databases !== null) return named((await import('./sqlite-dataset.js')).loadSqliteSchemas(databases), readings);
  throw new ConfigError('no schema is named', {
    fix: 'Give --tables with a tables.json, or --databases with a SQLite file or a folder of them.',
  });
}
