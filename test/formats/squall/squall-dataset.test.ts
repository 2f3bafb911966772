import { describe, expect, it } from 'vitest';
import { loadSquallDataset, type SquallDataset } from '../../../src/formats/squall/squall-dataset.js';
import type { Database } from '../../../src/schema/schema.js';
import { renameColumns } from '../../../src/sql/rename-columns.js';
import { fileSha256 } from '../../../src/run/sha256.js';
import { createFile, createFolder, faultOf } from '../format-fixture.js';
import { pathsOf, rowsOf } from '../output-set-fixture.js';
import { question, TABLE, WTQ_TABLE } from './squall-fixture.js';

const jsonTables = (table: object = TABLE): string => createFolder({ '204_590.json': JSON.stringify(table) });
const load = (records: readonly object[], tables = jsonTables()): SquallDataset =>
  loadSquallDataset(pathsOf('squall', { tables, examples: createFile(records, 'squall.json') }));
const queryOf = (sql: string): string => [...load([question('nt-1', sql)]).examples()][0]!.query;
const bound = (sql: string): { readonly database: Database; readonly query: string } => {
  const dataset = load([question('nt-1', sql)]);
  return { database: dataset.databases.get('204_590')!, query: [...dataset.examples()][0]!.query };
};
const answerOf = (sql: string): unknown[][] => {
  const dataset = load([question('nt-1', sql)]);
  return rowsOf(dataset.sqliteFile('204_590', createFolder())!, [...dataset.examples()][0]!.query);
};

describe('loadSquallDataset', () => {
  it('names columns by their headers, derived ones after them', () => {
    const { tables, primaryKeys, foreignKeys } = load([question('nt-1', 'select c1 from w')]).databases.get('204_590')!;
    expect(tables.map(({ originalName }) => originalName)).toEqual(['w', 't_c4_list']);
    expect(tables[0]!.columns.map(({ originalName, name, type }) => [originalName, name, type])).toEqual([
      ['id', 'id', 'number'],
      ['agg', 'agg', 'number'],
      ['year', 'year', 'number'],
      ['year_number', 'year number', 'number'],
      ['name_of_the_inn', 'name of the inn', 'text'],
      ['guests', 'guests', 'number'],
      ['guests_number', 'guests number', 'number'],
      ['guests_first', 'guests first', 'text'],
      ['dishes', 'dishes', 'text'],
      ['column_5', '#!', 'text'],
      ['year_number_2', 'year number', 'text'],
    ]);
    expect(tables[0]!.columns.map(({ fixed, family }) => fixed ?? `${family!.key}${family!.suffix}`)).toEqual([
      true,
      true,
      'c1',
      'c1_number',
      'c2',
      'c3',
      'c3_number',
      'c3_first',
      'c4',
      'c5',
      'c6',
    ]);
    expect(tables[1]!.columns).toEqual([
      { name: 'row', originalName: 'm_id', type: 'number', fixed: true },
      { name: 'dishes list', originalName: 'dishes_list', type: 'text', family: { key: 'c4', suffix: '_list' } },
    ]);
    expect(primaryKeys).toEqual([{ table: 0, column: 0 }]);
    expect(foreignKeys).toEqual([{ from: { table: 1, column: 0 }, to: { table: 0, column: 0 } }]);
  });

  it('keeps ids, tables and questions', () => {
    const record = question('nt-1', 'select c1 from w');
    expect([...load([record]).examples()]).toEqual([
      {
        id: 'nt-1',
        group: 'nt-1',
        dbId: '204_590',
        question: 'what year had the red ox ?',
        query: 'select year from w',
        record,
      },
    ]);
  });

  it.each([
    ["select c1_number from w where c2 = 'the_fox\\'s_den'", [[1990]]],
    ["select c1_number from w where c2 = 'the_fox''s_den'", [[1990]]],
    ['select c2 from w where c3_number > 1,000 and agg = 0', [["the fox's den"]]],
    ['select present_ref - max ( c1_number ) from w', [[19]]],
    ["select c2 from w where c4_list = 'stew'", [["the fox's den"]]],
    ['select count ( distinct c4_list ) from w', [[2]]],
    ["select c2 from w where id = ( select max ( id ) from w where c4_list = 'soup' )", [['red ox']]],
    ["select c4_list from w where id = 2 union select c2 from w where c2 = 'total'", [['soup'], ['total']]],
    ['select ( select c3_number from w where id = 1 ) - ( select c3_number from w where id = 2 )', [[1092.5]]],
    ['select c1 from w order by c3_number desc limit 1', [[null]]],
  ])('turns %s into SQL that runs', (sql, rows) => {
    expect(answerOf(sql)).toEqual(rows);
    const { database, query } = bound(sql);
    expect(renameColumns(query, database, new Map([['0.2', 'Anno']])).sql).toBe(query.replaceAll(/\byear\b/g, 'Anno'));
  });

  it('joins the table of a list once, in the SELECT that uses it', () => {
    expect(queryOf("select c2 from w where id = ( select id from w where c4_list = 'soup' or c4_list = 'stew' )")).toBe(
      'select name_of_the_inn from w where id = ( select id from w join t_c4_list on id = t_c4_list.m_id' +
        " where dishes_list = 'soup' or dishes_list = 'stew' )",
    );
  });

  it('builds the same file each time and gives samples', () => {
    const dataset = load([question('nt-1', 'select c1 from w')]);
    const database = dataset.databases.get('204_590')!;
    const files = [1, 2].map(() => dataset.sqliteFile('204_590', createFolder())!);
    expect(fileSha256(files[0]!)).toBe(fileSha256(files[1]!));
    const samples = dataset.sampleValues(database);
    expect(samples[0]![2]).toEqual(['1990', '1995']);
    expect(samples[1]).toEqual([[], ['soup', 'stew']]);
    expect(samples.map((table) => table.length)).toEqual(database.tables.map(({ columns }) => columns.length));
    expect(rowsOf(files[0]!, 'SELECT typeof(year_number), typeof(guests_number), typeof(year) FROM w LIMIT 1')).toEqual(
      [['integer', 'real', 'text']],
    );
  });

  it('says why it leaves a question out', () => {
    const dataset = load([
      question('nt-1', 'select c1 from w'),
      question('nt-2', 'select c9 from w'),
      question('nt-3', 'select c1 from w', { sql: [] }),
      question('nt-4', 'select c1 from w', { columns: [] }),
      question('nt-5', 'select c1 from w', { sql: [['Other', 'x', []]] }),
    ]);
    expect(dataset.size).toBe(1);
    expect(dataset.skipped).toEqual([
      { id: 'nt-2', reason: 'token 1 of its SQL, "c9", is not known in the table' },
      { id: 'nt-3', reason: 'it has no SQL' },
      { id: 'nt-4', reason: 'it lists 0 columns, its table has 6' },
      { id: 'nt-5', reason: 'token 0 of its SQL, "x", is not known in the table' },
    ]);
  });

  it('reads WikiTableQuestions’ CSV, in lower case, without derived columns', () => {
    const columns = ['year', 'the "inn"', 'note'].map((name) => [name, [name], [], 'text']);
    const dataset = load(
      [
        question('nt-1', "select c1 from w where c2 = 'red_ox'", { columns }),
        question('nt-2', 'select max ( c1_number ) from w', { columns }),
      ],
      createFolder({ 'csv/204-csv/590.csv': WTQ_TABLE }),
    );
    expect(dataset.databases.get('204_590')!.tables[0]!.columns.map(({ originalName }) => originalName)).toEqual([
      'id',
      'agg',
      'year',
      'the_inn',
      'note',
    ]);
    const file = dataset.sqliteFile('204_590', createFolder())!;
    expect(rowsOf(file, [...dataset.examples()][0]!.query)).toEqual([['1995']]);
    expect(rowsOf(file, 'SELECT the_inn, note FROM w')).toEqual([
      ['fox\\den', null],
      ['red ox', 'two\nlines'],
    ]);
    expect(dataset.skipped[0]!.reason).toContain('SQUALL’s tables/json');
  });

  it('refuses what is not SQUALL’s', () => {
    const one = question('nt-1', 'select c1 from w');
    expect(load([one, one]).skipped).toEqual([
      { id: 'nt-1', reason: 'this nt occurs twice', place: expect.stringContaining('record 1') as string },
    ]);
    expect(faultOf(() => load([{ ...one, nl: 'x' }])).message).toContain('field "nl" is wrong');
    expect(faultOf(() => load([{ ...one, tbl: '../x' }])).message).toContain('field "tbl" is wrong');
    expect(faultOf(() => load([one], createFolder())).message).toContain('neither 204_590.json nor 204-csv/590.csv');
    expect(faultOf(() => load([one], jsonTables({ ...TABLE, headers: [] }))).message).toContain('differ in length');
    const [id, agg, ...rest] = TABLE.contents;
    const wrong = (contents: object): string => faultOf(() => load([one], jsonTables({ ...TABLE, contents }))).message;
    expect(wrong([agg, id, ...rest])).toContain('not id and agg');
    expect(wrong([id, agg, ...[...rest].reverse()])).toContain('is where c1 is expected');
    expect(wrong([[{ col: 'id', type: 'INTEGER', data: [1] }], agg, ...rest])).toContain('cells, id has 1');
  });
});
