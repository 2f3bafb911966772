import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import type { Dataset } from '../../src/formats/dataset.js';
import { writeExports } from '../../src/formats/exports/write-exports.js';
import { DEFAULT_TEMPLATE } from '../../src/formats/exports/prompt-template.js';
import { datasetAdapter, loadDataset } from '../../src/formats/load-dataset.js';
import type { OutputSet } from '../../src/formats/output-set.js';
import { ownFieldsOf } from '../../src/formats/own-fields.js';
import { writeSpiderDataset } from '../../src/formats/spider-output.js';
import { MutantSet } from '../../src/variants/mutate/mutant-set.js';
import { mutate } from '../../src/variants/mutate/mutate.js';
import { mustGet } from '../../src/present.js';
import { createFolder, TOWN } from './format-fixture.js';
import { createOutput, createSqlite, pathsOf } from './output-set-fixture.js';
import { question, TABLE } from './squall/squall-fixture.js';
import { renamed, setWith } from './variant-fixture.js';

/** Fields that no reader knows; their names begin alike, at whatever level they stand. */
const own = (level: string): object => ({ [`own_${level}`]: { deep: [1, null, level] } });

const QUERY = 'SELECT Home_Town FROM Singer WHERE Singer_ID > 1';
const asked = (more: object): object => ({ db_id: 'town', question: 'Which towns?', ...more, ...own('record') });
const TABLES = JSON.stringify([{ ...TOWN, ...own('schema') }]);
const TURN = { utterance: 'Which towns?', query: QUERY, ...own('turn') };
const WIKI_TABLE = {
  id: '1-1',
  header: ['Town', 'Size'],
  types: ['text', 'real'],
  rows: [['Ulm', 3]],
  ...own('schema'),
};
const WIKI_LINE = {
  phase: 1,
  table_id: '1-1',
  question: 'How large?',
  sql: { sel: 1, agg: 0, conds: [[0, 0, 'ulm']], ...own('sql') },
  id: 7,
  ...own('record'),
};
const TOWN_SQL = `CREATE TABLE Singer (Singer_ID INTEGER PRIMARY KEY, Home_Town TEXT); INSERT INTO Singer VALUES (2, 'Ulm');`;

interface Case {
  readonly format: Dataset['format'];
  readonly files: Readonly<Record<string, string>>;
  /** What the options name, in the input and in what is written; null = as in the input. */
  readonly tables: readonly [string, string] | null;
  readonly examples: readonly [string, string];
  /** The column that the variant renames. */
  readonly column: readonly [table: number, column: number];
}

const lines = (...records: readonly object[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join('');

const CASES: readonly Case[] = [
  {
    format: 'spider',
    files: {
      'tables.json': TABLES,
      'dev.json': JSON.stringify([
        asked({ id: 5, query: QUERY, sql: [QUERY] }),
        asked({ id: 6, query: QUERY, sql: [QUERY] }),
      ]),
    },
    tables: ['tables.json', 'tables.json'],
    examples: ['dev.json', 'examples.json'],
    column: [0, 1],
  },
  {
    format: 'bird',
    files: {
      'dev_tables.json': TABLES,
      'dev.json': JSON.stringify([asked({ question_id: 3, SQL: QUERY, evidence: '' })]),
    },
    tables: ['dev_tables.json', 'bird/dev_tables.json'],
    examples: ['dev.json', 'bird/dev.json'],
    column: [0, 1],
  },
  {
    format: 'sparc',
    files: {
      'tables.json': TABLES,
      'dev.json': JSON.stringify([
        { database_id: 'town', interaction_id: 4, interaction: [TURN, TURN], final: { ...TURN }, ...own('record') },
        { database_id: 'town', interaction_id: 5, interaction: [TURN], ...own('record') },
      ]),
    },
    tables: ['tables.json', 'sparc/tables.json'],
    examples: ['dev.json', 'sparc/dev.json'],
    column: [0, 1],
  },
  {
    format: 'wikisql',
    files: { 'dev.tables.jsonl': lines(WIKI_TABLE), 'dev.jsonl': lines(WIKI_LINE, { ...WIKI_LINE, id: 8 }) },
    tables: ['dev.tables.jsonl', 'wikisql/dev.tables.jsonl'],
    examples: ['dev.jsonl', 'wikisql/dev.jsonl'],
    column: [0, 1],
  },
  {
    format: 'squall',
    files: {
      'tables/204_590.json': JSON.stringify(TABLE),
      'squall.json': JSON.stringify([
        question('nt-1', 'select c2 from w', own('record')),
        question('nt-2', 'select c2 from w', own('record')),
      ]),
    },
    tables: ['tables', 'squall/tables/json'],
    examples: ['squall.json', 'squall/data/squall.json'],
    column: [0, 3],
  },
  {
    format: 'sqlite',
    files: { 'ask.jsonl': lines(asked({ question_id: 9, query: QUERY }), asked({ question_id: 10, query: QUERY })) },
    tables: null,
    examples: ['ask.jsonl', 'sqlite/examples.jsonl'],
    column: [0, 1],
  },
];

async function load({ format, files, tables, examples }: Case, root: string, which: 0 | 1): Promise<Dataset> {
  const databases = format === 'sqlite' ? createSqlite(TOWN_SQL, 'town.sqlite') : undefined;
  expect(Object.keys(files).length).toBeGreaterThan(0);
  return loadDataset(
    pathsOf(format, {
      ...(tables === null ? {} : { tables: join(root, tables[which]) }),
      ...(databases === undefined ? {} : { databases }),
      examples: join(root, examples[which]),
    }),
  );
}

/** The originals with one variant of each. */
function setOf(dataset: Dataset, { column: [table, column] }: Case): OutputSet {
  const [database] = dataset.databases.values();
  if (database === undefined) throw new Error('no database');
  return setWith(dataset, [renamed(database, table, column, 'other name', 'other_name')]);
}

function readRecords(file: string): readonly unknown[] {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.jsonl')) return JSON.parse(text) as unknown[];
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** All fields of ours within a value, with their names. */
function ownIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, item]) =>
    field.startsWith('own_') ? [`${field}=${JSON.stringify(item)}`] : ownIn(item),
  );
}

/** Every id of records, with the field that has it. */
function idsIn(records: readonly unknown[]): readonly string[] {
  return records.flatMap((record) =>
    Object.entries(record as object).flatMap(([field, id]) =>
      ['id', 'question_id', 'interaction_id', 'nt'].includes(field) ? [`${field} ${String(id)}`] : [],
    ),
  );
}

describe.each(CASES)('the own fields of $format', (one) => {
  it('survive in its own layout, on originals and variants, with ids of their own', async () => {
    const root = createFolder(one.files);
    const dataset = await load(one, root, 0);
    const { path, folder } = createOutput();
    const { write, fields } = await datasetAdapter(one.format);
    const set = setOf(dataset, one);
    await (write ?? ((all, to) => writeSpiderDataset(all, to, fields)))(set, folder);
    const [before, after] = [readRecords(join(root, one.examples[0])), readRecords(join(path, one.examples[1]))];
    expect(after).toHaveLength(2 * before.length);
    const counted = (records: readonly unknown[]): readonly string[] => records.flatMap(ownIn).sort();
    expect(counted(after)).toEqual([...counted(before), ...counted(before)].sort());
    const ids = idsIn(after);
    expect(new Set(ids).size).toBe(ids.length);
    for (const record of before)
      expect(after).toContainEqual(one.format === 'sqlite' ? expect.objectContaining(record as object) : record);
    if (one.tables !== null && one.format !== 'squall') {
      const schemas = readRecords(join(path, one.tables[1]));
      expect(schemas.map(ownIn)).toEqual([
        ['own_schema={"deep":[1,null,"schema"]}'],
        ['own_schema={"deep":[1,null,"schema"]}'],
      ]);
    }
    const again = await load(one, path, 1);
    const questions = (from: Dataset): unknown[] =>
      Array.from(from.examples(), ({ dbId, question: text, query }) => [dbId, text, query]);
    expect(questions(again)).toEqual(expect.arrayContaining(questions(dataset)));
    // The variant's database is not among the input's.
    const isWhole = one.format !== 'sqlite';
    expect([again.size, again.skipped.length]).toEqual(isWhole ? [2 * dataset.size, 0] : [dataset.size, dataset.size]);
  });

  it('stand in Spider’s layout and in every export', async () => {
    const dataset = await load(one, createFolder(one.files), 0);
    const { path, folder } = createOutput();
    const { fields } = await datasetAdapter(one.format);
    const set = setOf(dataset, one);
    writeSpiderDataset(set, folder, fields);
    const fieldsOf = ownFieldsOf(set, fields);
    await writeExports(['jsonl', 'parquet', 'chat'], set, folder, { template: DEFAULT_TEMPLATE, fieldsOf });
    const wanted = one.format === 'sparc' ? ['own_record', 'own_turn'] : ['own_record'];
    const namesIn = (value: unknown): string[] => ownIn(value).map((text) => text.split('=')[0] ?? '');
    const records = readRecords(join(path, 'examples.json'));
    for (const record of records) expect(namesIn(record)).toEqual(wanted);
    const ids = idsIn(records).filter((id) => !id.startsWith('interaction_id'));
    expect(new Set(ids).size).toBe(ids.length);
    const rows = ['original', 'rpl'].flatMap((kind) => readRecords(join(path, `jsonl/data/${kind}.jsonl`)));
    const parsed = (row: unknown): unknown => JSON.parse((row as { fields: string }).fields);
    expect(rows).toHaveLength(2 * dataset.size);
    for (const row of rows) expect(namesIn(parsed(row))).toEqual(wanted);
    const bytes = readFileSync(join(path, 'parquet/data/rpl.parquet'));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    for (const row of await parquetReadObjects({ file })) expect(namesIn(parsed(row))).toEqual(wanted);
    for (const chat of readRecords(join(path, 'chat/chat.jsonl'))) {
      expect(namesIn((chat as { metadata: unknown }).metadata)).toEqual(wanted);
    }
  });
});

describe.each(CASES)('the own fields of $format in a run of mutate', (one) => {
  it('are on the lines of its mutants and of what they were made of', async () => {
    const root = createFolder(one.files);
    const databases = one.format === 'sqlite' ? createSqlite(TOWN_SQL, 'town.sqlite') : undefined;
    const out = join(root, 'run');
    await mutate({
      dataset: one.format,
      ...(one.tables === null ? {} : { tables: join(root, one.tables[0]) }),
      ...(databases === undefined ? {} : { databases }),
      examples: join(root, one.examples[0]),
      relations: ['PI', 'TS', 'CS'],
      limit: 2,
      guard: false,
      out,
    });
    const dataset = await load(one, root, 0);
    const wanted = one.format === 'sparc' ? ['own_record', 'own_turn'] : ['own_record'];
    const namesIn = (value: unknown): string[] => ownIn(value).map((text) => text.split('=')[0] ?? '');
    const seeds = readRecords(join(out, 'seeds.jsonl'));
    expect(seeds).toHaveLength(dataset.size);
    const mutants = readRecords(join(out, 'mutants.jsonl'));
    expect(mutants.length).toBeGreaterThanOrEqual(dataset.size);
    for (const line of [...seeds, ...mutants]) expect(namesIn(line)).toEqual(wanted);
    // Ids that the file has are said where lines have others.
    const ids = new Set(seeds.map((line) => (line as { readonly original_id?: number }).original_id));
    expect([...ids]).toEqual({ spider: [5, 6], wikisql: [7, 8] }[one.format as string] ?? [undefined]);
    expect(new MutantSet(out).records).toHaveLength(mutants.length);
  });
});

describe('fields that are made from the SQL', () => {
  const spiderSql = { from: { table_units: [], conds: [] }, select: [false, []], where: [], limit: null };
  const RENAMED = 'SELECT other_name FROM Singer WHERE Singer_ID > 1';

  it.each([
    ['a list of one text', [QUERY], [RENAMED]],
    ['a text', QUERY, RENAMED],
    [
      'Spider’s structure',
      spiderSql,
      expect.objectContaining({ limit: null, groupBy: [], where: [[false, 3, [0, [0, 1, false], null], 1, null]] }),
    ],
    ['what nothing tells', { sel: 1 }, undefined],
  ])('are on variants as on originals where `sql` is %s', async (_, sql, expected) => {
    const tokens = { query_toks: ['old'], query_toks_no_value: ['old'] };
    const rebuilt = {
      query_toks: ['SELECT', 'other_name', 'FROM', 'Singer', 'WHERE', 'Singer_ID', '>', '1'],
      query_toks_no_value: ['select', 'other_name', 'from', 'singer', 'where', 'singer_id', '>', 'value'],
    };
    for (const format of ['sqlite', 'bird'] as const) {
      const one = mustGet(
        CASES.find((each) => each.format === format),
        format,
      );
      const named = format === 'bird' ? { SQL: QUERY, question_id: 3 } : { query: QUERY };
      const record = asked({ ...named, ...tokens, sql });
      const content = format === 'bird' ? JSON.stringify([record]) : lines(record);
      const files = { ...one.files, [one.examples[0]]: content };
      const dataset = await load(one, createFolder(files), 0);
      const { path, folder } = createOutput();
      const { write, fields } = await datasetAdapter(format);
      const set = setOf(dataset, one);
      await write?.(set, folder);
      const [original, variant] = readRecords(join(path, one.examples[1]));
      expect(original).toMatchObject(record);
      expect(variant).toMatchObject(rebuilt);
      expect((variant as { readonly sql: unknown }).sql).toEqual(expected);
      expect(Object.keys(original as object).filter((name) => !Object.hasOwn(variant as object, name))).toEqual(
        expected === undefined ? ['sql'] : [],
      );
      const fieldsOf = ownFieldsOf(set, fields);
      const [, own] = Array.from(set.examples(), (example) => fieldsOf(example, dataset));
      expect(own).toMatchObject(rebuilt);
    }
  });
});

describe('an export of a data set without fields of its own', () => {
  it('has no column for them', async () => {
    const files = {
      'tables.json': JSON.stringify([TOWN]),
      'dev.json': JSON.stringify([{ db_id: 'town', question: 'Which?', query: QUERY }]),
    };
    const root = createFolder(files);
    const paths = { tables: join(root, 'tables.json'), examples: join(root, 'dev.json') };
    const set = setWith(await loadDataset(pathsOf('spider', paths)), []);
    const { path, folder } = createOutput();
    await writeExports(['jsonl'], set, folder, { template: DEFAULT_TEMPLATE, fieldsOf: ownFieldsOf(set, undefined) });
    expect(readRecords(join(path, 'jsonl/data/original.jsonl'))[0]).not.toHaveProperty('fields');
  });
});
