import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type ListedTable, parseColumnLists } from '../../src/bank/bank-lists.js';
import { checkShape, loadText, parseJson } from '../../src/formats/json-file.js';
import { itemAt } from '../../src/present.js';
import type { ColumnType } from '../../src/schema/schema.js';
import type { CandidateSourceKind, TargetColumn } from '../../src/stage.js';

const SPIDER_FIX = 'Name Spider’s tables.json (../shared/data/spider).';
/** Folders of the lists that readers saw tables of. */
const LISTS = ['data/columns/lists', ...['', '_2', '_3', '_4', '_5', '_6'].map((n) => `training/column_groups${n}`)];

const spiderSchema = z.array(
  z.looseObject({
    db_id: z.string(),
    table_names: z.array(z.string()),
    table_names_original: z.array(z.string()),
    column_names: z.array(z.tuple([z.int(), z.string()])),
    column_types: z.array(z.string()),
  }),
);

/** A name of training/readings in its table. */
export interface ReadName {
  readonly bucket: 'RPL' | 'ADD';
  readonly name: string;
  readonly source: CandidateSourceKind;
  /** Where it was drawn from: accepted names, rejected ones, bad ones on purpose. */
  readonly pool: string;
  /** Its column as readers saw it: a list's may have lost its unit since. */
  readonly column: string;
  /** What the rows of its table are. */
  readonly entity: string;
  readonly target: TargetColumn;
  /** The tables of the list that its table is from; none of Spider's. */
  readonly lists: readonly ListedTable[];
  /** What each reader said: y, c or n, and of additions t or f. */
  readonly verdicts: readonly (readonly string[])[];
}

/** A table that readers saw. */
interface SeenTable {
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly lists: readonly ListedTable[];
}

const linesOf = (file: string): readonly string[] => readFileSync(file, 'utf8').trim().split('\n');
const withoutUnit = (name: string): string => name.replace(/\s*\([^)]*\)/g, '').trim();

function readVerdicts(folder: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  const verdicts = new Map<string, (readonly string[])[]>();
  for (const file of readdirSync(folder)
    .filter((name) => name.startsWith('answers-'))
    .sort())
    for (const line of linesOf(join(folder, file))) {
      const [id = '', ...said] = line.split('\t');
      verdicts.set(id, [...(verdicts.get(id) ?? []), said]);
    }
  return verdicts;
}

/** Finds a table that readers saw: of Spider's training databases, or of a list. */
function tableFinder(root: string, spiderTables: string): (database: string, table: string) => SeenTable | null {
  const spider = new Map(
    checkShape(
      spiderSchema,
      parseJson(loadText(spiderTables), spiderTables),
      { file: spiderTables, id: 'tables' },
      SPIDER_FIX,
    ).map((one) => [one.db_id, one]),
  );
  return (database, table) => {
    const known = spider.get(database);
    if (known !== undefined) {
      const at = Math.max(known.table_names.indexOf(table), known.table_names_original.indexOf(table));
      const columns = known.column_names.flatMap(([of, name], i) =>
        of === at ? [{ name, type: itemAt(known.column_types, i) as ColumnType }] : [],
      );
      return { columns, lists: [] };
    }
    const names = [`${database.replaceAll('_', '-')}.txt`, `${database}.txt`];
    const file = LISTS.flatMap((folder) => names.map((name) => join(root, folder, name))).find((path) =>
      existsSync(path),
    );
    const tables = file === undefined ? [] : parseColumnLists(readFileSync(file, 'utf8'));
    const found =
      tables.find(({ entities }) => entities[0] === table) ?? tables.find(({ entities }) => entities.includes(table));
    if (found === undefined) return null;
    return { columns: found.columns.map(({ name }) => ({ name, type: 'text' })), lists: tables };
  };
}

/** The names that readers read, each in its table as a target; those whose table is not found are left out. */
export function loadReadNames(root: string, spiderTables: string): readonly ReadName[] {
  const folder = join(root, 'training/readings');
  const verdicts = readVerdicts(folder);
  const find = tableFinder(root, spiderTables);
  const [, ...lines] = linesOf(join(folder, 'items.tsv'));
  const seen = new Map<string, SeenTable | null>();
  return lines.flatMap((line) => {
    const [
      id = '',
      database = '',
      table = '',
      entity = '',
      column = '',
      type = '',
      bucket,
      name = '',
      pool = '',
      source,
    ] = line.split('\t');
    const key = `${database}\n${table}`;
    if (!seen.has(key)) seen.set(key, find(database, table));
    const { columns: own = [], lists = [] } = seen.get(key) ?? {};
    const at = own.findIndex((one) => withoutUnit(one.name) === withoutUnit(column));
    if (at === -1) return [];
    const columns = own.map((one, i) => ({
      ...one,
      originalName: one.name,
      type: i === at ? (type as ColumnType) : one.type,
    }));
    const target = { dbId: database, table: { name: table, originalName: table, columns }, questions: [], values: [] };
    return {
      bucket: bucket as ReadName['bucket'],
      name,
      source: source as CandidateSourceKind,
      pool,
      column,
      entity,
      target: { target, column: at },
      lists,
      verdicts: verdicts.get(id) ?? [],
    };
  });
}
