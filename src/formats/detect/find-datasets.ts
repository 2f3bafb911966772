import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { PerturbqlError } from '../../errors.js';
import { type DatasetPaths, leftOutOf, PATH_DEFAULTS, type SkippedExample } from '../dataset.js';
import { loadDataset } from '../load-dataset.js';
import { readHead, type WalkedFolder, walkFolders } from '../../run/walk-folders.js';
import type { DatasetFormat } from '../dataset-formats.js';
import { groupBy } from '../../run/group-by.js';

/** The apparent kind of a file. */
type DataFileKind = 'tables' | 'spider' | 'bird' | 'interactions' | 'questions' | 'sqlite' | 'csv';

/** Enough for a first record of each format, and little of a large file. */
const HEAD_BYTES = 64 * 1024;

const hasKeys = (text: string, ...keys: readonly string[]): boolean =>
  keys.every((key) => new RegExp(`"${key}"\\s*:`, 'i').test(text));
/** Checks whether a field is a text: WikiSQL's `query`, for one, is a structure. */
const hasText = (text: string, key: string): boolean => new RegExp(`"${key}"\\s*:\\s*"`, 'i').test(text);

function kindOfRecords(head: string, isArray: boolean): DataFileKind | null {
  if (isArray && hasKeys(head, 'table_names_original', 'column_names_original')) return 'tables';
  if (isArray && hasKeys(head, 'database_id', 'interaction')) return 'interactions';
  if (!hasText(head, 'question') || !(hasText(head, 'query') || hasText(head, 'sql'))) return null;
  if (!isArray || !hasKeys(head, 'db_id')) return 'questions';
  return hasText(head, 'query') ? 'spider' : 'bird';
}

function kindOfCsv(head: string): DataFileKind {
  const header = (head.split(/\r?\n/, 1)[0] ?? '').toLowerCase().split(/[,;\t|]/u);
  const names = new Set(header.map((name) => name.replace(/^[\ufeff"\s]+|["\s]+$/gu, '')));
  return names.has('question') && (names.has('query') || names.has('sql')) ? 'questions' : 'csv';
}

/** Tells by its name and first bytes what a file is; null where it is of no data set. */
function dataFileKind(file: string): DataFileKind | null {
  const ending = extname(file).toLowerCase();
  if (['.sqlite', '.sqlite3', '.db', '.db3'].includes(ending)) return 'sqlite';
  if (ending === '.csv' || ending === '.tsv') return kindOfCsv(readHead(file, HEAD_BYTES));
  if (ending === '.jsonl' || ending === '.ndjson')
    return kindOfRecords(readHead(file, HEAD_BYTES).split('\n', 1)[0] ?? '', false);
  if (ending !== '.json' || basename(file).startsWith('package')) return null;
  // A file of that name is meant to be the schemas: what is wrong with it is told by its reader.
  if (/(?:^|_)tables\.json$/i.test(basename(file))) return 'tables';
  const head = readHead(file, HEAD_BYTES);
  return head.trimStart().startsWith('[') ? kindOfRecords(head, true) : null;
}

/** Files that look like a data set, not yet read. */
interface Layout {
  readonly paths: DatasetPaths;
  /** Questions to learn from, where the data set has some of their own. */
  readonly train: string | null;
  readonly gold: string | null;
  readonly predictions: string | null;
}

/** Folders looked through, also where links lead; a data set lies near the top. */
const MOST_FOLDERS = 5_000;

interface Inventory {
  readonly files: ReadonlyMap<DataFileKind, readonly string[]>;
  /** Every file by its path, whatever it is. */
  readonly all: ReadonlySet<string>;
}

/** A run is made of data and is none; SQLite files of a layout lie in folders of their own, which hold nothing else. */
function isLeaf({ path, files }: WalkedFolder): boolean {
  return files.includes('run.json') || files.includes(`${basename(path)}.sqlite`);
}

function takeInventory(root: string): Inventory {
  const files = new Map<DataFileKind, string[]>();
  const all = new Set<string>();
  let left = MOST_FOLDERS;
  for (const folder of walkFolders(root, isLeaf, { followsLinks: true })) {
    if (left-- === 0) break;
    if (folder.files.includes('run.json')) continue;
    for (const file of folder.files.map((name) => join(folder.path, name))) {
      all.add(file);
      const kind = dataFileKind(file);
      if (kind !== null) files.set(kind, [...(files.get(kind) ?? []), file]);
    }
  }
  return { files, all };
}

const stemOf = (file: string): string => basename(file, extname(file));
const isTrain = (file: string): boolean => stemOf(file).toLowerCase().startsWith('train');

/**
 * Which of several files of questions is asked first: the development set, never the training set if there is another.
 */
function rankOfQuestions(file: string): number {
  const stem = stemOf(file).toLowerCase();
  const rank = [/^dev$/, /^dev/, /test|val/].findIndex((pattern) => pattern.test(stem));
  return isTrain(file) ? 4 : rank < 0 ? 3 : rank;
}

function byRank(files: readonly string[]): readonly string[] {
  const key = (file: string): string => `${rankOfQuestions(file)} ${String(file.length).padStart(5, '0')} ${file}`;
  return [...files].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** How far apart two paths lie: steps up and down from one folder to the other. */
function distance(from: string, to: string): number {
  const path = relative(from, to);
  return path === '' ? 0 : path.split(sep).length;
}

/** Of several places the one that begins as the questions' file does ("dev_databases"), else the nearest. */
function nearest(places: readonly string[], questions: string): string | null {
  const [first] = places
    .map((place) => ({ place, steps: distance(dirname(questions), place) }))
    .map(({ place, steps }) => ({ place, key: steps * 2 - (basename(place).startsWith(stemOf(questions)) ? 1 : 0) }))
    .sort((a, b) => a.key - b.key || (a.place < b.place ? -1 : 1));
  return first?.place ?? null;
}

/** Folders with `<db_id>/<db_id>.sqlite` below them. */
function databaseFolders({ files }: Inventory): readonly string[] {
  const own = (files.get('sqlite') ?? []).filter((file) => stemOf(file) === basename(dirname(file)));
  return [...new Set(own.map((file) => dirname(dirname(file))))];
}

function companion({ all }: Inventory, questions: string, names: readonly string[]): string | null {
  return names.map((name) => join(dirname(questions), name)).find((file) => all.has(file)) ?? null;
}

function toLayout(inventory: Inventory, paths: Partial<DatasetPaths>, questions: readonly string[]): Layout | null {
  const [examples] = byRank(questions);
  if (examples === undefined) return null;
  const stem = stemOf(examples);
  return {
    paths: { ...PATH_DEFAULTS, ...paths, examples },
    train: questions.find((file) => isTrain(file) && file !== examples) ?? null,
    gold: companion(inventory, examples, [`${stem}_gold.sql`, `${stem}_gold.txt`, 'gold.sql']),
    predictions: companion(inventory, examples, ['pred.sql', 'predictions.sql', 'predictions.jsonl', 'predict.txt']),
  };
}

/** Files of questions that belong to a file of tables: those next to it that no other file of tables is nearer to. */
function questionsOf(inventory: Inventory, kind: DataFileKind, tables: string): readonly string[] {
  const all = inventory.files.get('tables') ?? [];
  return (inventory.files.get(kind) ?? []).filter((file) => nearest(all, file) === tables);
}

const FORMATS_WITH_TABLES: readonly (readonly [DataFileKind, (tables: string) => DatasetFormat])[] = [
  ['spider', () => 'spider'],
  ['bird', () => 'bird'],
  // The two are written alike; the folder's name tells.
  ['interactions', (tables) => (/cosql/i.test(tables) ? 'cosql' : 'sparc')],
];

function* layoutsWithTables(inventory: Inventory): Generator<Layout | null> {
  for (const tables of inventory.files.get('tables') ?? []) {
    for (const [kind, formatOf] of FORMATS_WITH_TABLES) {
      const questions = questionsOf(inventory, kind, tables);
      const databases = nearest(databaseFolders(inventory), tables);
      const isNear = databases !== null && distance(dirname(tables), databases) <= 2;
      const paths = { dataset: formatOf(tables), tables, databases: isNear ? databases : null };
      yield toLayout(inventory, paths, questions);
    }
  }
}

/** WikiSQL: `dev.jsonl`, `dev.tables.jsonl` and perhaps `dev.db`. */
function* wikiSqlLayouts(inventory: Inventory): Generator<Layout | null> {
  for (const tables of [...inventory.all].filter((file) => file.endsWith('.tables.jsonl'))) {
    const [examples, db] = ['.jsonl', '.db'].map((ending) => tables.replace(/\.tables\.jsonl$/, ending));
    if (examples === undefined || db === undefined || !inventory.all.has(examples)) continue;
    const databases = inventory.all.has(db) ? db : null;
    yield toLayout(inventory, { dataset: 'wikisql', tables, databases }, [examples]);
  }
}

/** Where the files of one kind lie that go with questions: a file alone, else the folder that holds them or theirs. */
function placeOf(files: readonly string[], questions: string): string | null {
  const folder = nearest([...new Set(files.map(dirname))], questions);
  if (folder === null || distance(dirname(questions), folder) > 2) return null;
  const here = files.filter((file) => dirname(file) === folder);
  return here.length === 1 ? (here[0] ?? null) : folder;
}

/** Tables as CSV files: in the questions' folder, or in folders below it, one per database. */
function csvPlace({ files }: Inventory, questions: string): string | null {
  const folder = nearest([...new Set((files.get('csv') ?? []).map(dirname))], questions);
  if (folder === null) return null;
  const below = relative(dirname(questions), folder).split(sep);
  return below.length === 2 && below[0] !== '..' ? dirname(folder) : folder;
}

type Place = Pick<DatasetPaths, 'dataset'> & Partial<DatasetPaths>;

/** Questions without a file of tables, by the SQLite or CSV files that they are asked of. */
function placeQuestions(inventory: Inventory): readonly (readonly [Place, readonly string[]])[] {
  const { files } = inventory;
  const folders = databaseFolders(inventory);
  const loose = (files.get('sqlite') ?? []).filter((file) => !folders.includes(dirname(dirname(file))));
  const withTables = new Set((files.get('tables') ?? []).map(dirname));
  const records = (files.get('spider') ?? []).filter((file) => !withTables.has(dirname(file)));
  const placeAt = (questions: string): Place | null => {
    const databases = placeOf(loose, questions) ?? nearest(folders, questions);
    if (databases !== null) return { dataset: 'sqlite', databases };
    const tables = csvPlace(inventory, questions);
    return tables === null ? null : { dataset: 'csv', tables };
  };
  const placed = [...(files.get('questions') ?? []), ...records].flatMap((questions) => {
    const place = placeAt(questions);
    return place === null ? [] : [{ questions, place }];
  });
  const groups = groupBy(placed, ({ place }) => JSON.stringify(place));
  return [...groups.values()].map((group) => [group[0].place, group.map(({ questions }) => questions)]);
}

/** A layout per file of questions; the training questions are the others' to learn from, if there are others. */
function* layoutsOfQuestions(inventory: Inventory): Generator<Layout | null> {
  for (const [paths, questions] of placeQuestions(inventory)) {
    const asked = questions.filter((file) => !isTrain(file));
    const training = questions.filter(isTrain);
    for (const file of byRank(asked)) {
      const train = nearest(training, file);
      yield toLayout(inventory, paths, train === null ? [file] : [file, train]);
    }
    if (asked.length === 0) for (const file of byRank(training)) yield toLayout(inventory, paths, [file]);
  }
}

/** Finds what looks like a data set below a folder: Spider, BIRD, CoSQL, SParC, WikiSQL, SQLite and CSV. */
function findLayouts(root: string): readonly Layout[] {
  const inventory = takeInventory(root);
  const found = [layoutsWithTables, wikiSqlLayouts, layoutsOfQuestions].flatMap((find) => [...find(inventory)]);
  return found.filter((layout) => layout !== null);
}

/** A data set that was found and can be read. */
export interface FoundDataset extends Layout {
  /** Questions and databases that it has. */
  readonly questions: number;
  /** Questions that the built-in parser can learn from: the training set's, else all but the one asked. */
  readonly toLearnFrom: number;
  readonly databases: number;
  /** How many of the databases have rows. */
  readonly withRows: number;
  /** Schemas that can't be used, or else questions: those of such schemas go with them. */
  readonly leftOut: readonly SkippedExample[];
}

/** The data sets in a folder. */
export interface FoundDatasets {
  /** Those with rows first, then the ones nearer to the folder. */
  readonly datasets: readonly FoundDataset[];
  /** The reasons that seeming data sets can't be read. */
  readonly refused: readonly string[];
}

const depthOf = ({ paths }: FoundDataset): number => (paths.examples ?? '').split(/[/\\]/).length;
const hasRows = ({ withRows }: FoundDataset): boolean => withRows > 0;

/** The questions of a training set; none of one that can't be read, which takes nothing from the data set. */
async function countQuestions(paths: DatasetPaths, examples: string): Promise<number> {
  try {
    return (await loadDataset({ ...paths, examples })).size;
  } catch (error) {
    if (error instanceof PerturbqlError) return 0;
    throw error;
  }
}

/** Finds data sets below a folder, each read once to see that it can be. */
export async function findDatasets(root: string): Promise<FoundDatasets> {
  const datasets: FoundDataset[] = [];
  const refused: string[] = [];
  for (const layout of findLayouts(root)) {
    try {
      const dataset = await loadDataset(layout.paths);
      const ids = [...dataset.databases.keys()];
      const withRows = ids.filter((id) => dataset.hasRows(id)).length;
      const toLearnFrom = layout.train === null ? dataset.size - 1 : await countQuestions(layout.paths, layout.train);
      const { skippedSchemas = [], skipped } = dataset;
      const leftOut = leftOutOf({ skippedSchemas, skipped: skippedSchemas.length === 0 ? skipped : [] });
      datasets.push({ ...layout, questions: dataset.size, toLearnFrom, databases: ids.length, withRows, leftOut });
    } catch (error) {
      if (!(error instanceof PerturbqlError)) throw error;
      refused.push(error.render());
    }
  }
  datasets.sort((a, b) => Number(hasRows(b)) - Number(hasRows(a)) || depthOf(a) - depthOf(b));
  return { datasets, refused };
}
