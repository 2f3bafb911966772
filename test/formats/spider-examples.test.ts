import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/errors.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { loadSpiderExamples } from '../../src/formats/spider-dataset.js';
import { renderJsonArray } from '../../src/formats/json-file.js';
import { renderSpiderExample } from '../../src/formats/spider-output.js';
import { loadSpiderTables } from '../../src/formats/spider-tables.js';
import { createFile, createFolder, faultOf, TOWN } from './format-fixture.js';

const EXAMPLE = {
  db_id: 'town',
  question: 'How many singers?',
  query: 'SELECT count(*) FROM Singer',
  hardness: 'easy',
};
const town = (): ReturnType<typeof loadSpiderTables> => loadSpiderTables(createFile([TOWN]));

describe('loadSpiderExamples', () => {
  test('numbers the examples by file and position, and carries unknown fields along', () => {
    const examples = loadSpiderExamples(createFile([EXAMPLE, EXAMPLE], 'dev.json'), town());
    expect(examples.map(({ id }) => id)).toEqual(['dev:0', 'dev:1']);
    expect(examples[0]).toMatchObject({
      dbId: 'town',
      question: EXAMPLE.question,
      query: EXAMPLE.query,
      record: EXAMPLE,
    });
  });

  test.each<[string, unknown, RegExp]>([
    ['an unknown db_id', { ...EXAMPLE, db_id: 'village' }, /db_id "village" is not in the tables file/],
    ['no question', { db_id: 'town', query: 'SELECT 1' }, /field "question"/],
    ['an empty query', { ...EXAMPLE, query: '' }, /field "query"/],
    ['no record', null, /the record is wrong/],
  ])('refuses %s, naming the example', (_, record, message) => {
    const file = createFile([EXAMPLE, record], 'dev.json');
    const fault = faultOf(() => loadSpiderExamples(file, town()));
    expect(fault.message).toMatch(message);
    expect(fault.where).toEqual({ file, id: 'dev:1' });
  });

  test('refuses an empty list of questions', () => {
    expect(faultOf(() => loadSpiderExamples(createFile([]), town())).message).toBe('the list of questions is empty');
  });
});

describe('renderSpiderExample', () => {
  test('keeps the question and unknown fields, and rebuilds what follows from the query', () => {
    const record = loadSpiderExamples(createFile([EXAMPLE]), town())[0]!.record;
    const rendered = renderSpiderExample(
      record,
      "SELECT Home_Town FROM Singer WHERE Singer_ID = 'x'",
      town().get('town')!,
    );
    expect(rendered).toMatchObject({ db_id: 'town', question: EXAMPLE.question, hardness: 'easy' });
    expect(rendered['query_toks_no_value']).toContain('value');
    expect(rendered['sql']).toBeDefined();
  });

  test('lets Spider’s structure go where the query has none, and keeps its copy as text', () => {
    const join = 'SELECT s.Home_Town FROM Singer s LEFT JOIN Singer t ON s.Singer_ID = t.Singer_ID';
    const schema = town().get('town')!;
    const record = loadSpiderExamples(createFile([{ ...EXAMPLE, sql: { select: [], from: {} } }]), town())[0]!.record;
    expect(Object.hasOwn(renderSpiderExample(record, join, schema), 'sql')).toBe(false);
    expect(renderSpiderExample({ ...record, sql: ['SELECT 1'] }, join, schema)['sql']).toEqual([join]);
  });

  test('renders arrays that parse back, one record a line', () => {
    for (const records of [[], [1], [{ a: 'b\nc' }, null, 'é']]) {
      const text = [...renderJsonArray(records)].join('');
      expect(JSON.parse(text)).toEqual(records);
      expect(text.endsWith('\n')).toBe(true);
      expect(text.split('\n').length).toBe(records.length === 0 ? 2 : records.length + 3);
    }
  });
});

describe('loadDataset', () => {
  const paths = {
    dataset: 'spider',
    tables: 'examples/tables.json',
    examples: 'examples/dev.json',
    databases: null,
    connection: null,
  } as const;

  test.each(['../town', 'a/b', 'a\\b', '..', 'a\tb', 'é'.repeat(101)])(
    'refuses the db_id %s, which leads out of its folder or is too long for one',
    async (id) => {
      const folder = createFolder({
        'tables.json': JSON.stringify([{ ...TOWN, db_id: id }]),
        'dev.json': JSON.stringify([{ db_id: id, question: 'Who?', query: 'SELECT Home_Town FROM Singer' }]),
      });
      const files = { tables: join(folder, 'tables.json'), examples: join(folder, 'dev.json') };
      await expect(loadDataset({ ...paths, ...files })).rejects.toThrow(/can't be the name of a folder/);
    },
  );

  test('says which input a format can’t do without', async () => {
    await expect(loadDataset({ ...paths, tables: null })).rejects.toThrow(ConfigError);
    await expect(loadDataset({ ...paths, tables: null })).rejects.toThrow(/spider needs --tables/);
  });

  test('loads the project’s own examples with and without their databases', async () => {
    const without = await loadDataset(paths);
    const database = [...without.databases.values()][0]!;
    expect(without.databases.size).toBe(3);
    expect([...without.examples()]).toHaveLength(without.size);
    expect(without.size).toBe(30);
    expect(without.hasRows(database.id)).toBe(false);
    expect(without.sampleValues(database).flat(2)).toEqual([]);
    const within = await loadDataset({ ...paths, databases: 'examples/database' });
    expect(within.sqliteFile(database.id, 'unused')).toMatch(/\.sqlite$/);
    const values = within.sampleValues(database);
    expect(values.map((table) => table.length)).toEqual(database.tables.map(({ columns }) => columns.length));
    for (const column of values.flat()) expect(column.length).toBeLessThanOrEqual(3);
    expect(values.flat(2).length).toBeGreaterThan(10);
  });

  test.skipIf(!existsSync('../shared/data/spider/dev.json'))(
    'loads Spider’s dev set (skipped where ../shared/data is absent)',
    async () => {
      const folder = '../shared/data/spider';
      const files = { tables: `${folder}/tables.json`, examples: `${folder}/dev.json` };
      const examples = [...(await loadDataset({ ...paths, ...files })).examples()];
      expect(examples).toHaveLength(1034);
      expect(new Set(examples.map(({ dbId }) => dbId)).size).toBe(20);
    },
  );
});
