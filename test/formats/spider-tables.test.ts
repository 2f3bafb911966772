import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadSpiderTables, renderSpiderTables, type SpiderTablesRecord } from '../../src/formats/spider-tables.js';
import { createFile, faultOf, TOWN } from './format-fixture.js';

const SHARED = '../shared/data/spider/tables.json';

describe('loadSpiderTables', () => {
  test('nests columns into tables and resolves keys', () => {
    const town = loadSpiderTables(createFile([TOWN])).get('town')!;
    expect(town.tables.map(({ name, originalName }) => [name, originalName])).toEqual([
      ['singer', 'Singer'],
      ['concert', 'Concert'],
    ]);
    expect(town.tables[0]!.columns[1]).toEqual({ name: 'home town', originalName: 'Home_Town', type: 'text' });
    expect(town.primaryKeys).toEqual([
      { table: 0, column: 0 },
      { table: 1, column: 0 },
    ]);
    expect(town.foreignKeys).toEqual([{ from: { table: 1, column: 1 }, to: { table: 0, column: 0 } }]);
  });

  test('takes composite primary keys, unknown fields, columns not grouped by table, odd names and one column', () => {
    const name = 'n'.repeat(300);
    const odd = {
      ...TOWN,
      extra: 1,
      column_names: [
        [-1, '*'],
        [1, '🙂'],
        [0, name],
        [1, '!?'],
      ],
      column_names_original: [
        [-1, '*'],
        [1, '🙂'],
        [0, name],
        [1, '!?'],
      ],
      column_types: ['text', 'text', 'others', 'boolean'],
      primary_keys: [[1, 3]],
      foreign_keys: [],
    };
    const town = loadSpiderTables(createFile([odd])).get('town')!;
    expect(town.tables.map(({ columns }) => columns.map((column) => column.name))).toEqual([[name], ['🙂', '!?']]);
    expect(town.primaryKeys).toEqual([
      { table: 1, column: 0 },
      { table: 1, column: 1 },
    ]);
  });

  test.each<[string, object, RegExp]>([
    [
      'a foreign key out of range',
      { foreign_keys: [[4, 99]] },
      /foreign_keys names column 99, but the columns go from 1 to 4/,
    ],
    ['a foreign key to "*"', { foreign_keys: [[4, 0]] }, /foreign_keys names column 0/],
    ['a negative foreign key', { foreign_keys: [[-1, 1]] }, /foreign_keys names column -1/],
    ['a primary key out of range', { primary_keys: [5] }, /primary_keys names column 5/],
    [
      'a column of no table',
      { column_names: [...TOWN.column_names.slice(0, 4), [7, 'x']] },
      /column 4 belongs to table 7/,
    ],
    [
      'a name with NUL',
      { table_names_original: TOWN.table_names_original.map((name) => `${name}\0`) },
      /"Singer\\u0000" holds NUL, which no SQL can name/,
    ],
    ['a missing type', { column_types: TOWN.column_types.slice(2) }, /differ in length/],
    [
      'a missing original table name',
      { table_names_original: ['Singer'] },
      /table_names and table_names_original differ/,
    ],
    [
      'two tables that differ by case alone',
      { table_names_original: ['Singer', 'SINGER'] },
      /two tables are called "SINGER"/,
    ],
    [
      'a column of two tables',
      {
        column_names_original: [
          ...TOWN.column_names_original.slice(0, 2),
          [1, 'x'],
          ...TOWN.column_names_original.slice(3),
        ],
      },
      /column 2 belongs to table 0 in column_names, to table 1 in column_names_original/,
    ],
    ['no "*"', { column_names: [[0, 'x'], ...TOWN.column_names.slice(1)] }, /column 0 must be/],
  ])('refuses %s', (_, change, message) => {
    const fault = faultOf(() => loadSpiderTables(createFile([{ ...TOWN, ...change }])));
    expect(fault.message).toMatch(message);
    expect(fault.where.id).toBe('town');
  });

  test.each<[string, unknown, RegExp]>([
    ['a missing field', { ...TOWN, column_types: undefined }, /field "column_types"/],
    ['a wrong type', { ...TOWN, column_types: ['text', 'number', 7, 'number', 'number'] }, /field "column_types\.2"/],
    ['no columns', { ...TOWN, column_names: [[-1, '*']] }, /field "column_names"/],
    ['a list of numbers', 7, /the record is wrong/],
  ])('refuses %s, naming the record', (_, record, message) => {
    const fault = faultOf(() => loadSpiderTables(createFile([{ ...TOWN, db_id: 'other' }, record])));
    expect(fault.message).toMatch(message);
    expect(fault.where.id).toBe('database 1');
  });

  test('takes a list of types without one for "*", as SNAILS has them', () => {
    const record = { ...TOWN, column_types: TOWN.column_types.slice(1) };
    const load = (one: object): unknown => loadSpiderTables(createFile([one])).get('town');
    expect(load(record)).toEqual(load(TOWN));
  });

  test('takes names that differ by the case of other letters than ASCII, as SQLite does', () => {
    const names = { table_names_original: ['Öl', 'öl'] };
    const town = loadSpiderTables(createFile([{ ...TOWN, ...names }])).get('town')!;
    expect(town.tables.map(({ originalName }) => originalName)).toEqual(['Öl', 'öl']);
  });

  test('refuses a db_id that occurs twice', () => {
    expect(faultOf(() => loadSpiderTables(createFile([TOWN, TOWN]))).message).toBe('this db_id occurs twice');
  });

  test('refuses a file that is not JSON, naming the line', () => {
    expect(faultOf(() => loadSpiderTables(createFile('[\n{"db_id": town}\n]'))).where.line).toBe(2);
  });
});

describe('renderSpiderTables', () => {
  test('gives back what was loaded', () => {
    expect(renderSpiderTables(loadSpiderTables(createFile([TOWN])).get('town')!)).toEqual(TOWN);
  });

  test.skipIf(!existsSync(SHARED))(
    'gives back Spider’s 166 records up to the case of natural names (skipped where ../shared/data is absent)',
    () => {
      const records = JSON.parse(readFileSync(SHARED, 'utf8')) as SpiderTablesRecord[];
      const databases = loadSpiderTables(SHARED);
      expect(databases.size).toBe(166);
      for (const record of records) {
        const lower = {
          ...record,
          column_names: record.column_names.map(([table, name]) => [table, name.toLowerCase()]),
          table_names: record.table_names.map((name) => name.toLowerCase()),
          primary_keys: record.primary_keys.flat(),
        };
        expect(renderSpiderTables(databases.get(record.db_id)!)).toEqual(lower);
      }
    },
  );
});
