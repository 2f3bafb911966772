import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { InputFormatError } from '../../errors.js';
import { fileSha256, sha256Of } from '../../run/sha256.js';
import type { Database } from '../../schema/schema.js';
import { SQLITE } from '../../sql/dialect.js';
import {
  type Dataset,
  type DatasetPaths,
  NO_MAPPING,
  type PathsWith,
  type PerturbedPair,
  type SkippedExample,
} from '../dataset.js';
import { sqlitePath } from '../sample-values.js';
import { loadSpiderExamples, readSpiderExamples, type SpiderExample, sqliteFolder } from '../spider-dataset.js';
import { readSpiderSchemas } from '../spider-tables.js';

const [PRE, POST] = ['questions_pre_perturbation.json', 'questions_post_perturbation.json'];

/** The first of some paths that is there. */
function firstThere(paths: readonly (string | null)[]): string | null {
  return paths.find((path) => path !== null && existsSync(path)) ?? null;
}

/** The folders of perturbation sets: the one given, or those in it. */
function setFolders(given: string): readonly string[] {
  if (existsSync(join(given, POST))) return [given];
  const names = existsSync(given) ? readdirSync(given).sort() : [];
  const folders = names.map((name) => join(given, name)).filter((folder) => existsSync(join(folder, POST)));
  if (folders.length > 0) return folders;
  throw new InputFormatError(`there is no ${POST} in it or in a folder of it`, {
    where: { file: given },
    fix: 'Name a folder of Dr.Spider’s release, such as data/DB_schema_synonym, or the folder of all of them.',
  });
}

function schemasIn(
  folder: string,
  names: readonly string[],
  given: string | null,
): ReturnType<typeof readSpiderSchemas> {
  const places = [...names.map((name) => join(folder, name)), given, join(folder, '..', 'Spider-dev', 'tables.json')];
  const file = firstThere(places);
  if (file !== null) return readSpiderSchemas(file);
  throw new InputFormatError(`none of ${names.join(', ')} is there`, {
    where: { file: folder },
    fix: 'Run the release’s data_preprocess.py, or give Spider’s tables.json with --tables.',
  });
}

/** Sets that have schemas and rows of their own would never look for a mistyped path. */
function requireGiven(paths: DatasetPaths): void {
  for (const input of ['tables', 'databases'] as const) {
    const path = paths[input];
    if (path === null || existsSync(path)) continue;
    throw new InputFormatError('nothing is at this path', {
      where: { file: path },
      fix: `Check the path given as --${input}, or leave it out.`,
    });
  }
}

function fileIn(folder: string | null, id: string): string | null {
  return folder === null ? null : firstThere([sqlitePath(folder, id)]);
}

/** One set of the release: its examples after the perturbation, with what they were. */
interface ReadSet {
  readonly examples: readonly SpiderExample[];
  readonly pairs: readonly PerturbedPair[];
  readonly databases: ReadonlyMap<string, Database>;
  readonly records: ReadonlyMap<string, unknown>;
  readonly skipped: readonly SkippedExample[];
  readonly rows: string | null;
}

function readSet(folder: string, paths: DatasetPaths): ReadSet {
  const kind = basename(resolve(folder));
  const before = schemasIn(folder, ['tables_pre_perturbation.json', 'tables.json'], paths.tables);
  const hasOwnSchemas = existsSync(join(folder, 'tables_post_perturbation.json'));
  const after = hasOwnSchemas ? schemasIn(folder, ['tables_post_perturbation.json'], null) : before;
  const originals = loadSpiderExamples(join(folder, PRE), before.databases);
  const { kept, skipped } = readSpiderExamples(join(folder, POST), after, paths.withoutGold);
  const renamed = (id: string): string => `${kind}:${id.slice(id.lastIndexOf(':') + 1)}`;
  const examples = kept.map((example) => ({ ...example, id: renamed(example.id), group: renamed(example.id) }));
  const own = ['database_post_perturbation', 'databases'].map((name) => join(folder, name));
  const rows = firstThere([...own, paths.databases, join(folder, '..', 'Spider-dev', 'databases')]);
  const oldFolders = ['databases_pre_perturbation', 'databases'].map((name) => join(folder, name));
  const oldRows = firstThere([...oldFolders, paths.databases, join(folder, '..', 'Spider-dev', 'databases')]);
  const pairs = examples.map((example): PerturbedPair => {
    // The two files are parallel.
    const original = originals[Number(example.id.slice(kind.length + 1))];
    if (original === undefined) {
      throw new InputFormatError(`${PRE} has fewer records than ${POST}`, {
        where: { file: folder, id: example.id },
        fix: 'Take both files from the release: they are parallel.',
      });
    }
    return {
      id: example.id,
      kind,
      mapping: NO_MAPPING,
      origin: original.dbId,
      isRemoval: false,
      keepsRows: kind.startsWith('DB_schema'),
      intended: after.databases.get(example.dbId) ?? null,
      rowsBefore: fileIn(oldRows, original.dbId),
      rowsAfter: fileIn(rows, example.dbId),
      before: {
        database: before.databases.get(original.dbId) ?? null,
        question: original.question,
        query: original.query,
      },
      after: { database: after.databases.get(example.dbId) ?? null, question: example.question, query: example.query },
      record: example.record,
      goldField: 'query',
      file: `${kind}/${POST}`,
    };
  });
  return {
    examples,
    pairs,
    databases: after.databases,
    records: after.records,
    rows,
    skipped: skipped.map((one) => ({ ...one, id: renamed(one.id) })),
  };
}

/**
 * Dr.Spider: one of its 17 folders (`DB_schema_synonym`), or the folder of all, in which examples get the folder's name
 * in their ids. The schemas before the perturbation are `tables_pre_perturbation.json` or `tables.json`, which the
 * release's data_preprocess.py copies there, else `--tables`.
 * @throws InputFormatError when a file is not what the format promises
 */
export function loadDrSpiderDataset(paths: PathsWith<'examples'>): Dataset {
  requireGiven(paths);
  const folders = setFolders(paths.examples);
  const sets = folders.map((folder) => readSet(folder, paths));
  const examples = sets.flatMap((set) => set.examples);
  const folderOf = new Map(
    sets.flatMap(({ databases, rows }) => [...databases.keys()].map((id) => [id, rows] as const)),
  );
  const rowsOf = (id: string): ReturnType<typeof sqliteFolder> => sqliteFolder(folderOf.get(id) ?? null);
  return {
    format: 'dr-spider',
    dialect: SQLITE,
    databases: new Map(sets.flatMap(({ databases }) => [...databases])),
    size: examples.length,
    skipped: sets.flatMap(({ skipped }) => skipped),
    spiderTables: new Map(sets.flatMap(({ records }) => [...records])),
    fingerprints: { examples: sha256Of(JSON.stringify(folders.map((folder) => fileSha256(join(folder, POST))))) },
    pairs: sets.flatMap(({ pairs }) => pairs),
    examples: () => examples,
    sampleValues: (database) => rowsOf(database.id).sampleValues(database),
    hasRows: (id) => rowsOf(id).hasRows(id),
    sqliteFile: (id, scratch) => rowsOf(id).sqliteFile(id, scratch),
  };
}
