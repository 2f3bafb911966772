import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Dataset } from '../../src/formats/dataset.js';
import type { DatasetFormat } from '../../src/formats/dataset-formats.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { createFolder, TOWN } from './format-fixture.js';
import { createSqlite, pathsOf } from './output-set-fixture.js';

const SQL = 'SELECT Home_Town FROM Singer';
const BROKEN = { ...TOWN, db_id: 'broken', foreign_keys: [[4, 99]] };
const TABLES = [BROKEN, TOWN, { ...TOWN, column_types: null }, 7];
const jsonLines = (records: readonly unknown[]): string => records.map((one) => JSON.stringify(one)).join('\n');

/** Examples of which two can be used; the rest has a fault each. */
const EXAMPLES = [
  { db_id: 'town', question: 'Who?', query: SQL, SQL },
  { db_id: 'broken', question: 'Who?', query: SQL, SQL },
  { db_id: 'nowhere', question: 'Who?', query: SQL, SQL },
  { db_id: 'town', question: 'Who?', query: null, SQL: null },
  { db_id: 'town', question: 7, query: SQL, SQL },
  null,
  { db_id: 'town', question: 'Who else?', query: SQL, SQL },
];
const TURNS = [
  { database_id: 'town', interaction: [{ utterance: 'Who?', query: SQL }, { utterance: 'Hello!' }, null] },
  { database_id: 'broken', interaction: [{ utterance: 'Who?', query: SQL }], final: { query: SQL } },
  { database_id: 'town', interaction: [{ utterance: 'Who?', query: SQL }] },
];
const TABLE = { id: '1-1', header: ['Name'], types: ['text'], rows: [['x']] };
const ASKED = { table_id: '1-1', question: 'Who?', sql: { sel: 0, agg: 0, conds: [] } };

interface Case {
  readonly files: Readonly<Record<string, string>>;
  readonly tables: string;
  readonly examples: string;
  /** Records or turns that the file has, and how many of them can be used. */
  readonly read: number;
  readonly kept: number;
  readonly schemas: readonly [read: number, kept: number];
}

const spiderLike = (examples: unknown, read: number): Case => ({
  files: { 'tables.json': JSON.stringify(TABLES), 'dev.json': JSON.stringify(examples) },
  tables: 'tables.json',
  examples: 'dev.json',
  read,
  kept: 2,
  schemas: [4, 1],
});

const CASES: Readonly<Partial<Record<DatasetFormat, Case>>> = {
  spider: spiderLike(EXAMPLES, 7),
  bird: spiderLike(EXAMPLES, 7),
  sparc: spiderLike(TURNS, 6),
  cosql: spiderLike(TURNS, 6),
  wikisql: {
    files: {
      'dev.tables.jsonl': jsonLines([TABLE, { ...TABLE, id: '1-2', rows: [[]] }, { ...TABLE }]),
      'dev.jsonl': `${jsonLines([ASKED, { ...ASKED, table_id: '1-2' }, { ...ASKED, sql: { ...ASKED.sql, agg: 9 } }, 7])}\n{`,
    },
    tables: 'dev.tables.jsonl',
    examples: 'dev.jsonl',
    read: 5,
    kept: 1,
    schemas: [3, 1],
  },
};

async function load(format: DatasetFormat, { files, tables, examples }: Case, strict = false): Promise<Dataset> {
  const folder = createFolder(files);
  const paths = pathsOf(format, { tables: join(folder, tables), examples: join(folder, examples) });
  return loadDataset({ ...paths, strict });
}

describe.each(Object.entries(CASES))('%s', (format, given) => {
  test('keeps or leaves out, with a reason and a place, each record that it reads', async () => {
    const dataset = await load(format as DatasetFormat, given);
    const { skipped, skippedSchemas = [] } = dataset;
    expect([...dataset.examples()]).toHaveLength(given.kept);
    expect(dataset.size).toBe(given.kept);
    expect(dataset.size + skipped.length).toBe(given.read);
    expect([dataset.databases.size + skippedSchemas.length, dataset.databases.size]).toEqual(given.schemas);
    for (const { id, reason, place } of [...skipped, ...skippedSchemas]) {
      expect(reason).not.toBe('');
      expect(place ?? id).toMatch(/:\d|record \d/);
    }
  });

  test('is refused with --strict', async () => {
    await expect(load(format as DatasetFormat, given, true)).rejects.toThrow(/records can’t be used/);
  });
});

describe('SQLite files with questions', () => {
  test('are kept or left out, each by itself', async () => {
    const folder = createFolder({ 'empty.db': '', 'q.json': JSON.stringify([...EXAMPLES.slice(0, 5), 'x']) });
    createSqlite('CREATE TABLE Singer (Home_Town)', 'town.db', folder);
    const dataset = await loadDataset(pathsOf('sqlite', { databases: folder, examples: join(folder, 'q.json') }));
    expect([dataset.size, dataset.skipped.length]).toEqual([1, 5]);
    expect(dataset.skippedSchemas).toEqual([{ id: 'empty', reason: 'the file is empty', place: 'empty.db' }]);
  });
});

describe('Spider’s files in other shapes', () => {
  const load = async (tables: unknown, examples: unknown): Promise<Dataset> => {
    const folder = createFolder({ 't.json': JSON.stringify(tables), 'dev.json': JSON.stringify(examples) });
    return loadDataset(pathsOf('spider', { tables: join(folder, 't.json'), examples: join(folder, 'dev.json') }));
  };

  test('take tables as an object by db_id, and one record by itself', async () => {
    const { db_id: id, ...unnamed } = TOWN;
    for (const tables of [{ town: TOWN }, { town: unnamed }, TOWN]) {
      expect([...(await load(tables, [EXAMPLES[0]])).databases.keys()]).toEqual([id]);
    }
  });

  test('take Spider-Syn’s question and gold in a list', async () => {
    const record = { db_id: 'town', SpiderQuestion: 'Singers?', SpiderSynQuestion: 'Vocalists?', sql: [SQL] };
    const [example] = [...(await load([TOWN], [record])).examples()];
    expect(example).toMatchObject({ question: 'Vocalists?', query: SQL, record });
  });

  test('take types of other systems, and note those that no system has', async () => {
    const types = ['text', 'NVARCHAR(20)', 'year', 'bit', 'wibble'];
    const dataset = await load([{ ...TOWN, column_types: types }], [EXAMPLES[0]]);
    const columns = dataset.databases.get('town')?.tables.flatMap((table) => table.columns.map(({ type }) => type));
    expect(columns).toEqual(['text', 'time', 'boolean', 'others']);
    expect(dataset.notes).toEqual(['a column of the unknown type "wibble" counted as others']);
  });
});

describe('golds that only white space makes invalid', () => {
  test('are read as they are meant, and noted', async () => {
    const cut = "SELECT Home_Town FROM Singer WHERE Singer_ID > = 1 AND Home_Town ! = 'a > = b'";
    const folder = createFolder({
      't.json': JSON.stringify([TOWN]),
      'dev.json': JSON.stringify([{ db_id: 'town', question: 'Who?', query: cut }]),
    });
    const paths = pathsOf('spider', { tables: join(folder, 't.json'), examples: join(folder, 'dev.json') });
    const dataset = await loadDataset(paths);
    const [example] = [...dataset.examples()];
    expect(example?.query).toBe("SELECT Home_Town FROM Singer WHERE Singer_ID >= 1 AND Home_Town != 'a > = b'");
    expect(example?.record).toMatchObject({ query: cut });
    expect(dataset.notes?.[0]).toMatch(/1 gold query has white space within an operator/);
  });
});
