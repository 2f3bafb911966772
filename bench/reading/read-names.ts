import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseColumnLists } from '../../src/bank/bank-lists.js';
import { checkShape, loadText, parseJson } from '../../src/formats/json-file.js';
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
  }),
);

/** A name of training/readings in its table. */
export interface ReadName {
  readonly bucket: 'RPL' | 'ADD';
  readonly name: string;
  readonly source: CandidateSourceKind;
  /** Where it was drawn from: accepted names, rejected ones, bad ones on purpose. */
  readonly pool: string;
  readonly target: TargetColumn;
  /** Share of its readers who said yes, 0 to 1. */
  readonly yes: number;
}

const linesOf = (file: string): readonly string[] => readFileSync(file, 'utf8').trim().split('\n');
const withoutUnit = (name: string): string => name.replace(/\s*\([^)]*\)/g, '').trim();

function readVerdicts(folder: string): ReadonlyMap<string, readonly string[]> {
  const verdicts = new Map<string, string[]>();
  for (const file of readdirSync(folder).filter((name) => name.startsWith('answers-')))
    for (const line of linesOf(join(folder, file))) {
      const [id = '', verdict = ''] = line.split('\t');
      verdicts.set(id, [...(verdicts.get(id) ?? []), verdict]);
    }
  return verdicts;
}

/** Finds the columns of a table that readers saw: of Spider's training databases, or of a list. */
function tableFinder(
  root: string,
  spiderTables: string,
): (database: string, table: string) => readonly string[] | null {
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
      return known.column_names.filter(([of]) => of === at).map(([, name]) => name);
    }
    const names = [`${database.replaceAll('_', '-')}.txt`, `${database}.txt`];
    const file = LISTS.flatMap((folder) => names.map((name) => join(root, folder, name))).find((path) =>
      existsSync(path),
    );
    const tables = file === undefined ? [] : parseColumnLists(readFileSync(file, 'utf8'));
    const found =
      tables.find(({ entities }) => entities[0] === table) ?? tables.find(({ entities }) => entities.includes(table));
    return found?.columns.map(({ name }) => name) ?? null;
  };
}

/** The names that readers read, each in its table as a target; those whose table is not found are left out. */
export function loadReadNames(root: string, spiderTables: string): readonly ReadName[] {
  const folder = join(root, 'training/readings');
  const verdicts = readVerdicts(folder);
  const columnsOf = tableFinder(root, spiderTables);
  const [, ...lines] = linesOf(join(folder, 'items.tsv'));
  return lines.flatMap((line) => {
    const [id = '', database = '', table = '', , column = '', type = '', bucket, name = '', pool = '', source] =
      line.split('\t');
    const names = columnsOf(database, table) ?? [];
    const at = names.findIndex((one) => withoutUnit(one) === withoutUnit(column));
    const said = verdicts.get(id) ?? [];
    if (at === -1 || said.length === 0) return [];
    const columns = names.map((one, i) => ({
      name: one,
      originalName: one,
      type: i === at ? (type as ColumnType) : ('text' as const),
    }));
    const target = { dbId: database, table: { name: table, originalName: table, columns }, questions: [], values: [] };
    return {
      bucket: bucket as ReadName['bucket'],
      name,
      source: source as CandidateSourceKind,
      pool,
      target: { target, column: at },
      yes: said.filter((one) => one === 'y').length / said.length,
    };
  });
}
