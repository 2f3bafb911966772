import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCsvDataset } from '../../src/formats/csv-dataset.js';
import { writeCsvDataset } from '../../src/formats/csv-output.js';
import type { OutputSchema } from '../../src/formats/output-set.js';
import type { Column } from '../../src/schema/schema.js';
import { fileSha256 } from '../../src/run/sha256.js';
import { createFile, createFolder, faultOf } from './format-fixture.js';
import { createOutput, createSqlite, outputSetOf, pathsOf, rowsOf } from './output-set-fixture.js';

const ITEMS =
  'Item No,unitPrice (EUR),added on,code,\r\n1,2.5,2020-01-31,007,a\r\n2,,2021-12-01,12,"b, ""c"""\r\n3,4,,,\r\n';
const SALES = 'item;amount\n1;3\n2;5\n';
const QUESTIONS =
  'db_id,question,query\nshop,How many?,SELECT count(*) FROM items\nshop,Codes?,"SELECT code FROM items WHERE ""Item No"" < 3"\n';

const shop = (): string => createFolder({ 'shop/items.csv': ITEMS, 'shop/sales.csv': SALES, 'shop/read.me': 'x' });
const load = (tables: string, questions = QUESTIONS): ReturnType<typeof loadCsvDataset> =>
  loadCsvDataset(pathsOf('csv', { tables, examples: createFile(questions, 'ask.csv') }));

describe('loadCsvDataset', () => {
  it('tells tables, identifiers and types from the files', () => {
    const database = load(shop()).databases.get('shop')!;
    expect(database.tables.map(({ originalName }) => originalName)).toEqual(['items', 'sales']);
    expect(database.tables[0]!.columns).toEqual([
      { name: 'item no', originalName: 'Item No', type: 'number' },
      { name: 'unitprice', originalName: 'unitPrice (EUR)', type: 'number' },
      { name: 'added on', originalName: 'added on', type: 'time' },
      { name: 'code', originalName: 'code', type: 'text' },
      { name: 'column 5', originalName: 'column_5', type: 'text' },
    ]);
    expect(database.tables[1]!.columns.map(({ type }) => type)).toEqual(['number', 'number']);
  });

  it('builds the same SQLite file each time, once, with empty cells as NULL', () => {
    const dataset = load(shop());
    const [one, other] = [createFolder(), createFolder()];
    const file = dataset.sqliteFile('shop', one)!;
    expect(rowsOf(file, 'SELECT *, typeof("unitPrice (EUR)"), typeof(code) FROM items')).toEqual([
      [1, 2.5, '2020-01-31', '007', 'a', 'real', 'text'],
      [2, null, '2021-12-01', '12', 'b, "c"', 'null', 'text'],
      [3, 4, null, null, null, 'real', 'null'],
    ]);
    expect(dataset.sqliteFile('shop', one)).toBe(file);
    expect(fileSha256(dataset.sqliteFile('shop', other)!)).toBe(fileSha256(file));
    expect(readdirSync(one)).toEqual(['shop.sqlite']);
    expect(dataset.hasRows('shop')).toBe(true);
    expect(dataset.sqliteFile('barn', one)).toBeNull();
  });

  it('takes MySQL’s mark for NULL where a column is otherwise numbers or dates, and says so', () => {
    const file = 'n;price;born;word;none\n1;\\N;2001-01-02;\\N;\\N\n\\N;2.5;\\N;a;\\N\n2;3;\\N;;\n';
    const dataset = load(createFolder({ 'dump/item.csv': file }), 'question,sql\nx,SELECT 1\n');
    const { tables } = dataset.databases.get('dump')!;
    expect(tables[0]!.columns.map(({ type }) => type)).toEqual(['number', 'number', 'time', 'text', 'text']);
    expect(rowsOf(dataset.sqliteFile('dump', createFolder())!, 'SELECT *, max(n) OVER () FROM item')).toEqual([
      [1, null, '2001-01-02', '\\N', '\\N', 2],
      [null, 2.5, null, 'a', '\\N', 2],
      [2, 3, null, null, null, 2],
    ]);
    expect(dataset.sampleValues(dataset.databases.get('dump')!)[0]![2]).toEqual(['2001-01-02']);
    expect(dataset.notes).toEqual(['dump/item: \\N is NULL in n, price, born']);
  });

  it('gives samples, and keeps whole numbers of any size', () => {
    const tables = createFolder({
      'big/n.csv': 'a,b,c\n9223372036854775807,9223372036854775808,1e3\n1,2,-.5\n1,2,+3\n',
    });
    const dataset = load(tables, 'question,sql\nx,SELECT 1\n');
    expect(dataset.databases.get('big')!.tables[0]!.columns.map(({ type }) => type)).toEqual([
      'number',
      'text',
      'text',
    ]);
    expect(dataset.sampleValues(dataset.databases.get('big')!)).toEqual([
      [
        ['9223372036854775807', '1'],
        ['9223372036854775808', '2'],
        ['1e3', '-.5', '+3'],
      ],
    ]);
    const file = dataset.sqliteFile('big', createFolder())!;
    expect(rowsOf(file, 'SELECT CAST(a AS TEXT), b FROM n LIMIT 1')).toEqual([
      ['9223372036854775807', '9223372036854775808'],
    ]);
  });

  it('takes a folder of files as one database', () => {
    const tables = createFolder({ 'items.csv': ITEMS });
    const dataset = load(tables, 'question,sql\nx,SELECT 1 FROM items\n');
    expect([...dataset.databases.keys()]).toEqual([basename(tables)]);
  });

  it('refuses what SQLite would not take as a table', () => {
    const wide = Array.from({ length: 2001 }, (_, c) => `c${c}`).join();
    expect(faultOf(() => load(createFolder({ 'wide.csv': wide }))).message).toContain('2,001 columns');
    expect(faultOf(() => load(createFolder({ 'SQLite_x.csv': 'a' }))).message).toContain('SQLite keeps names');
  });

  it('leaves out hidden files', () => {
    const dataset = load(createFolder({ 'shop/items.csv': ITEMS, 'shop/._items.csv': Uint8Array.of(0, 0xff) }));
    expect(dataset.databases.get('shop')!.tables.map(({ originalName }) => originalName)).toEqual(['items']);
  });

  it('leaves out a file that is no table, and no other', () => {
    const folder = createFolder({ 'item.csv': 'a,b\n1,2\n', 'ragged.csv': 'a,b\n1,2,3\n', 'none.csv': '' });
    const dataset = load(folder, 'question,sql\nx,SELECT 1 FROM item\n');
    const [database] = dataset.databases.values();
    expect(database?.tables.map(({ originalName }) => originalName)).toEqual(['item']);
    const name = folder.split('/').at(-1) ?? '';
    expect(dataset.skippedSchemas?.map(({ id }) => id)).toEqual([`${name}/none`, `${name}/ragged`]);
    expect(dataset.skippedSchemas?.every(({ reason, place }) => reason !== '' && place !== undefined)).toBe(true);
    const nested = load(createFolder({ 'shop/item.csv': 'a\n1\n', 'shop/bad.csv': '', 'barn/bad.csv': '' }));
    expect([...nested.databases.keys()]).toEqual(['shop']);
    expect(nested.skippedSchemas?.map(({ id }) => id)).toEqual(['barn/bad', 'shop/bad']);
  });

  it('refuses mixed folders, none, twice the same table, ragged and empty files', () => {
    const messageOf = (files: Record<string, string>): string => faultOf(() => load(createFolder(files))).message;
    expect(messageOf({ 'a.csv': 'x\n1', 'b/c.csv': 'x\n1' })).toContain('both in the folder and in sub-folders');
    expect(messageOf({ 'a.txt': '' })).toContain('no .csv or .tsv files');
    expect(messageOf({ 'a.csv': 'x\n1', 'A.tsv': 'x\n1' })).toContain('two tables are called');
    expect(messageOf({ 'a.csv': 'x,y\n1,2,3' })).toContain('not CSV');
    expect(messageOf({ 'a.csv': '' })).toContain('empty');
    expect(faultOf(() => load(join(mkdtempSync(join(tmpdir(), 'perturbql-')), 'none'))).message).toContain('no folder');
  });
});

describe('writeCsvDataset', () => {
  it('gives originals back with the same bytes', () => {
    const dataset = load(
      shop(),
      QUESTIONS.replace('db_id,', 'id,db_id,').replaceAll('\nshop', '\nx,shop').replace('x', 'y'),
    );
    const { path, folder } = createOutput();
    writeCsvDataset(outputSetOf(dataset), folder);
    expect(readFileSync(join(path, 'csv/tables/shop/items.csv'), 'utf8')).toBe(ITEMS);
    expect(readFileSync(join(path, 'csv/tables/shop/sales.csv'), 'utf8')).toBe(SALES);
    const again = loadCsvDataset(
      pathsOf('csv', { tables: join(path, 'csv/tables'), examples: join(path, 'csv/examples.csv') }),
    );
    expect([...again.databases]).toEqual([...dataset.databases]);
    expect([...again.examples()]).toEqual([...dataset.examples()]);
  });

  it('keeps the rows of a renamed table whose lines end in a carriage return', () => {
    const dataset = load(createFolder({ 'shop/items.csv': 'id,code\r1,007\r2,12\r' }));
    const original = dataset.databases.get('shop')!;
    const [items] = original.tables;
    const columns = items!.columns.map((c, i) => (i === 1 ? { ...c, name: 'key', originalName: 'key' } : c));
    const schema = { ...original, id: 'shop__rpl', tables: [{ ...items!, columns }] };
    const { path, folder } = createOutput();
    const output = { schema, origin: 'shop', columns: [[0, 1]] };
    writeCsvDataset(outputSetOf(dataset, [{ source: 'ask:1', kind: 'RPL', schema: output, query: 'x' }]), folder);
    expect(readFileSync(join(path, 'csv/tables/shop__rpl/items.csv'), 'utf8')).toBe('id,key\r1,007\r2,12\r');
  });

  it('keeps added cells by their rows where a column is called rowid', () => {
    const dataset = load(createFolder({ 'shop/items.csv': 'RowID,code\n2,007\n1,12\n' }));
    const original = dataset.databases.get('shop')!;
    const [items] = original.tables;
    const columns: Column[] = [...items!.columns, { name: 'hint', originalName: 'hint', type: 'text' }];
    const schema = { ...original, id: 'shop__add', tables: [{ ...items!, columns }] };
    const file = createSqlite(
      `CREATE TABLE items (RowID INTEGER, code TEXT, hint TEXT); INSERT INTO items VALUES (2, '007', 'a'), (1, '12', 'b');`,
    );
    const { path, folder } = createOutput();
    const output = { schema, origin: 'shop', columns: [[0, 1, null]] };
    writeCsvDataset(outputSetOf(dataset, [{ source: 'ask:1', kind: 'ADD', schema: output, query: 'x', file }]), folder);
    expect(readFileSync(join(path, 'csv/tables/shop__add/items.csv'), 'utf8')).toBe(
      'RowID,code,hint\n2,007,a\n1,12,b\n',
    );
  });

  it('renames headers and adds columns, and the queries return the same rows', () => {
    const dataset = load(shop());
    const original = dataset.databases.get('shop')!;
    const [items, sales] = original.tables;
    const withItems = (id: string, columns: readonly Column[], from: readonly (number | null)[]): OutputSchema => ({
      schema: { ...original, id, tables: [{ ...items!, columns }, sales!] },
      origin: 'shop',
      columns: [from, [0, 1]],
    });
    const renamed = items!.columns.map((c, i) => (i === 3 ? { ...c, name: 'key', originalName: 'key' } : c));
    const added: Column[] = [
      items!.columns[0]!,
      { name: 'hint', originalName: 'hint', type: 'text' },
      ...items!.columns.slice(1),
    ];
    const addFile = createSqlite(
      `CREATE TABLE items ("Item No" INTEGER, hint TEXT, code TEXT);
       INSERT INTO items VALUES (1, '=1+1', '007'), (2, NULL, '12'), (3, '-3', NULL);`,
    );
    const addQuery = 'SELECT code FROM items WHERE "Item No" < 3';
    const variants = [
      {
        source: 'ask:1',
        kind: 'RPL' as const,
        schema: withItems('shop__rpl', renamed, [0, 1, 2, 3, 4]),
        query: 'SELECT key FROM items WHERE "Item No" < 3',
      },
      {
        source: 'ask:1',
        kind: 'ADD' as const,
        schema: withItems('shop__add', added, [0, null, 1, 2, 3, 4]),
        query: addQuery,
        file: addFile,
      },
      {
        source: 'ask:1',
        kind: 'ADD' as const,
        schema: withItems('shop__bare', added, [0, null, 1, 2, 3, 4]),
        query: addQuery,
      },
    ];
    const { path, folder } = createOutput();
    writeCsvDataset(outputSetOf(dataset, variants), folder);
    const tableOf = (id: string): string => readFileSync(join(path, 'csv/tables', id, 'items.csv'), 'utf8');
    expect(tableOf('shop__rpl')).toBe(ITEMS.replace('code,', 'key,column_5'));
    expect(tableOf('shop__add')).toBe(
      'Item No,hint,unitPrice (EUR),added on,code,column_5\r\n' +
        `1,'=1+1,2.5,2020-01-31,007,a\r\n2,,,2021-12-01,12,"b, ""c"""\r\n3,-3,4,,,\r\n`,
    );
    expect(tableOf('shop__bare')).toContain('\r\n1,,2.5,');
    expect(readFileSync(join(path, 'csv/tables/shop__rpl/sales.csv'), 'utf8')).toBe(SALES);

    const again = loadCsvDataset(
      pathsOf('csv', { tables: join(path, 'csv/tables'), examples: join(path, 'csv/examples.csv') }),
    );
    expect(again.databases.get('shop__rpl')!.tables[0]!.columns[3]).toMatchObject({ originalName: 'key' });
    const scratch = createFolder();
    const results = [...again.examples()].map(({ id, dbId, query }) => [
      id,
      rowsOf(again.sqliteFile(dbId, scratch)!, query),
    ]);
    const codes = [['007'], ['12']];
    expect(results).toEqual([
      ['ask:0', [[3]]],
      ['ask:1', codes],
      ['ask:1__rpl', codes],
      ['ask:1__add', codes],
      ['ask:1__add_2', codes],
    ]);
  });
});
