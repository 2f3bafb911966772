import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OutputSchema } from '../../../src/formats/output-set.js';
import { loadSquallDataset, type SquallDataset } from '../../../src/formats/squall/squall-dataset.js';
import { writeSquall } from '../../../src/formats/squall/squall-output.js';
import type { SquallRecord } from '../../../src/formats/squall/squall-files.js';
import { renameFamilies } from '../../../src/schema/column-family.js';
import { columnKey, type Column, type Database } from '../../../src/schema/schema.js';
import { renameColumns } from '../../../src/sql/rename-columns.js';
import { createFile, createFolder } from '../format-fixture.js';
import {
  createOutput,
  createSqlite,
  outputSetOf,
  pathsOf,
  rowsOf,
  type HandmadeVariant,
} from '../output-set-fixture.js';
import { question, TABLE, WTQ_TABLE } from './squall-fixture.js';

const LIST_QUERY = "select c1_number from w where c4_list = 'stew' and c3_number > 5 and c2 = 'the_fox\\'s_den'";
const RECORDS = [question('nt-1', LIST_QUERY, { kept: { a: 1 } }), question('nt-2', 'select count ( * ) from w')];

function load(tables: string, examples: string): SquallDataset {
  return loadSquallDataset(pathsOf('squall', { tables, examples }));
}

const loadOriginal = (): SquallDataset =>
  load(createFolder({ '204_590.json': JSON.stringify(TABLE, null, 1) }), createFile(RECORDS, 'dev-0.json'));

function write(
  dataset: SquallDataset,
  variants: readonly HandmadeVariant[] = [],
): { path: string; again: SquallDataset } {
  const { path, folder } = createOutput();
  writeSquall(outputSetOf(dataset, variants), folder);
  return { path, again: load(join(path, 'squall/tables/json'), join(path, 'squall/data/squall.json')) };
}

const recordsIn = (path: string): SquallRecord[] =>
  JSON.parse(readFileSync(join(path, 'squall/data/squall.json'), 'utf8')) as SquallRecord[];

function renamed(database: Database, id: string, column: number, name: string, originalName: string): OutputSchema {
  const renames = renameFamilies(database, new Map([[`0.${column}`, { name, originalName }]]));
  const tables = database.tables.map((table, t) => ({
    ...table,
    columns: table.columns.map((one, c) => ({ ...one, ...renames.get(columnKey({ table: t, column: c })) })),
  }));
  return {
    schema: { ...database, id, tables },
    origin: database.id,
    columns: tables.map((t) => t.columns.map((_, c) => c)),
  };
}

function added(database: Database, id: string, at: number, column: Column): OutputSchema {
  const [w, ...lists] = database.tables;
  const columns = [...w!.columns.slice(0, at), column, ...w!.columns.slice(at)];
  const from = [...w!.columns.keys()];
  return {
    schema: { ...database, id, tables: [{ ...w!, columns }, ...lists] },
    origin: database.id,
    columns: [[...from.slice(0, at), null, ...from.slice(at)], ...lists.map((t) => [...t.columns.keys()])],
  };
}

/** What SQUALL's evaluator makes of tokens, for queries without NULL conditions: the join of the one list column. */
function evaluate(path: string, record: SquallRecord): unknown[][] {
  const words = record.sql!.map(([type, text]) => (type === 'Literal.String' ? text.replace("\\'", "''") : text));
  const list = words.find((word) => word.endsWith('_list'));
  const join_ = list === undefined ? 'from w' : `from w join t_${list} on id = t_${list}.m_id`;
  return rowsOf(join(path, `squall/tables/db/${record.tbl}.db`), words.join(' ').replace('from w', join_));
}

describe('writeSquall', () => {
  it('gives originals back', () => {
    const dataset = loadOriginal();
    const { path, again } = write(dataset);
    expect(recordsIn(path).map((record) => JSON.stringify(record))).toEqual(
      RECORDS.map((record) => JSON.stringify(record)),
    );
    expect(readFileSync(join(path, 'squall/tables/json/204_590.json'), 'utf8')).toBe(JSON.stringify(TABLE, null, 1));
    expect([...again.databases]).toEqual([...dataset.databases]);
    expect([...again.examples()]).toEqual([...dataset.examples()]);
    expect(evaluate(path, RECORDS[0]!)).toEqual([[1990]]);
  });

  it('writes a renamed header; positions stay, derived columns follow', () => {
    const dataset = loadOriginal();
    const database = dataset.databases.get('204_590')!;
    const schema = renamed(database, '204_590__rpl', 2, 'red vintage', 'red_vintage');
    const query = renameColumns(
      [...dataset.examples()][0]!.query,
      database,
      new Map([
        ['0.2', 'red_vintage'],
        ['0.3', 'red_vintage_number'],
      ]),
    ).sql;
    expect(query).toContain('select red_vintage_number from w');
    const { path, again } = write(dataset, [{ source: 'nt-1', kind: 'RPL', schema, query }]);
    const variant = recordsIn(path)[1]!;
    expect(variant).toEqual({
      ...RECORDS[0]!,
      nt: 'nt-1__rpl',
      tbl: '204_590__rpl',
      columns: [['red vintage', ['red', 'vintage'], ['number'], 'number', '1990'], ...RECORDS[0]!.columns.slice(1)],
      nl_incolumns: [false, true, false, true, true, false, false],
    });
    const [, read] = [...again.examples()];
    expect(read!.query).toBe(query);
    const namesOf = ({ tables }: Database): string[] => tables[0]!.columns.map(({ name }) => name);
    expect(namesOf(again.databases.get('204_590__rpl')!)).toEqual(namesOf(schema.schema));
    expect(rowsOf(again.sqliteFile('204_590__rpl', createFolder())!, read!.query)).toEqual([[1990]]);
    expect(evaluate(path, variant)).toEqual([[1990]]);
  });

  it('shifts the numbers after an added column', () => {
    const dataset = loadOriginal();
    const column: Column = { name: 'beds', originalName: 'beds', type: 'number' };
    // Between "year" and "year_number".
    const schema = added(dataset.databases.get('204_590')!, '204_590__add', 3, column);
    const file = createSqlite(
      'CREATE TABLE w (id INTEGER, beds INTEGER); INSERT INTO w VALUES (1, 12), (2, NULL), (3, 4);',
    );
    const { query } = [...dataset.examples()][0]!;
    const { path, again } = write(dataset, [
      { source: 'nt-1', kind: 'ADD', schema, query, file },
      { source: 'nt-2', kind: 'ADD', schema: { ...schema, schema: { ...schema.schema, id: 'bare' } }, query: 'x' },
    ]);
    const variant = recordsIn(path)[1]!;
    expect(variant.sql!.filter(([type]) => type === 'Column').map(([, text]) => text)).toEqual([
      'c1_number',
      'c5_list',
      'c4_number',
      'c3',
    ]);
    expect(variant.columns.map(([header]) => header)).toEqual([
      'year',
      'beds',
      'name of\nthe inn',
      'guests',
      'dishes',
      '#!',
      'year number',
    ]);
    expect(variant.columns[1]).toEqual(['beds', ['beds'], ['number'], 'number', '']);
    expect(variant.columns_innl).toEqual([true, false, true, false, false, false, true]);
    expect(variant.nl_ralign).toEqual(RECORDS[0]!.nl_ralign);
    const table = JSON.parse(readFileSync(join(path, 'squall/tables/json/204_590__add.json'), 'utf8')) as typeof TABLE;
    expect(table.contents[3]).toEqual([
      { col: 'c2', type: 'TEXT', data: ['12', null, '4'] },
      { col: 'c2_number', type: 'REAL', data: [12, null, 4] },
    ]);
    expect(table.contents.flat().map((field) => (field as { col: string }).col)).toEqual(Object.keys(table.is_list));
    const [, read] = [...again.examples()];
    expect(read!.query).toBe(query.replaceAll('t_c4_list', 't_c5_list'));
    expect(rowsOf(again.sqliteFile('204_590__add', createFolder())!, read!.query)).toEqual([[1990]]);
    expect(evaluate(path, variant)).toEqual([[1990]]);
    expect(rowsOf(join(path, 'squall/tables/db/bare.db'), 'select c2, c3 from w where id = 2')).toEqual([
      [null, 'red ox'],
    ]);
  });

  it('gives WikiTableQuestions’ CSV back', () => {
    const columns = ['year', 'the "inn"', 'note'].map((name) => [name, [name], [], 'text']);
    const records = [question('nt-1', "select c1 from w where c2 = 'red_ox'", { columns })];
    const tables = createFolder({ '204-csv/590.csv': WTQ_TABLE });
    const dataset = load(tables, createFile(records, 'squall.json'));
    const database = dataset.databases.get('204_590')!;
    const add = added(database, '204_590__add', 0, { name: 'floor', originalName: 'floor', type: 'text' });
    const rpl = renamed(database, '204_590__rpl', 3, 'house', 'house');
    const { path, folder } = createOutput();
    const variants: HandmadeVariant[] = [
      { source: 'nt-1', kind: 'ADD', schema: add, query: 'x' },
      { source: 'nt-1', kind: 'RPL', schema: rpl, query: 'x' },
    ];
    writeSquall(outputSetOf(dataset, variants), folder);
    expect(readdirSync(join(path, 'squall/csv/204-csv')).sort()).toEqual(['590.csv', '590__add.csv', '590__rpl.csv']);
    const textOf = (name: string): string => readFileSync(join(path, 'squall/csv/204-csv', name), 'utf8');
    expect(textOf('590.csv')).toBe(WTQ_TABLE);
    expect(textOf('590__rpl.csv')).toBe(WTQ_TABLE.replace('The \\"Inn\\"', 'house'));
    expect(textOf('590__add.csv')).toBe(
      WTQ_TABLE.replaceAll(/^"(Year|1990|1995)/gm, (start) => `${start === '"Year' ? '"floor"' : '""'},${start}`),
    );
    const again = load(join(path, 'squall/csv'), join(path, 'squall/data/squall.json'));
    const scratch = createFolder();
    const rows = [...again.examples()].map(({ dbId, query }) => rowsOf(again.sqliteFile(dbId, scratch)!, query));
    expect(rows).toEqual([[['1995']], [['1995']], [['1995']]]);
  });
});
