import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSqliteDataset, writeSqliteDataset } from '../../src/formats/sqlite-dataset.js';
import type { OutputSchema } from '../../src/formats/output-set.js';
import { fileSha256 } from '../../src/run/sha256.js';
import { createFile, createFolder, faultOf } from './format-fixture.js';
import { createOutput, createSqlite, outputSetOf, pathsOf, rowsOf } from './output-set-fixture.js';

const SHOP = `
  CREATE TABLE item (item_id INTEGER PRIMARY KEY, "Unit Price" REAL, added_on DATE);
  CREATE TABLE sale (item_id INTEGER REFERENCES item (item_id), amount INT);
  INSERT INTO item VALUES (1, 2.5, '2020-01-01'), (2, 4, NULL);
  INSERT INTO sale VALUES (1, 3), (2, 5);`;
const BARN = `CREATE TABLE cow (name TEXT); INSERT INTO cow VALUES ('Elsa');`;

const CSV_TEXT =
  'question,note,sql\n"How many, all in all?",=x,SELECT count(*) FROM item\nPrices?,,"SELECT ""Unit Price"" FROM item"\n';

describe('loadSqliteDataset', () => {
  it('reads one file with a CSV without db_id', () => {
    const file = createSqlite(SHOP, 'shop.db');
    const before = fileSha256(file);
    const dataset = loadSqliteDataset(
      pathsOf('sqlite', { databases: file, examples: createFile(CSV_TEXT, 'ask.csv') }),
    );
    expect([...dataset.databases.keys()]).toEqual(['shop']);
    expect(dataset.databases.get('shop')!.tables.map(({ originalName }) => originalName)).toEqual(['item', 'sale']);
    expect(dataset.databases.get('shop')!.tables[0]!.columns.map(({ originalName }) => originalName)).toEqual([
      'item_id',
      'Unit Price',
      'added_on',
    ]);
    expect(dataset.size).toBe(2);
    expect([...dataset.examples()][0]).toEqual({
      id: 'ask:0',
      group: 'ask:0',
      dbId: 'shop',
      question: 'How many, all in all?',
      query: 'SELECT count(*) FROM item',
      record: { question: 'How many, all in all?', note: '=x', sql: 'SELECT count(*) FROM item' },
    });
    expect(dataset.sampleValues(dataset.databases.get('shop')!)[0]).toEqual([['1', '2'], ['2.5', '4'], ['2020-01-01']]);
    expect(dataset.hasRows('shop')).toBe(true);
    expect(dataset.sqliteFile('shop', '')).toBe(file);
    expect(fileSha256(file)).toBe(before);
  });

  it('reads a folder of files and one of folders', () => {
    const flat = createFolder();
    createSqlite(SHOP, 'shop.sqlite', flat);
    createSqlite(BARN, 'barn.db', flat);
    const nested = createFolder({ 'shop/notes.txt': 'x' });
    createSqlite(SHOP, 'shop/shop.sqlite', nested);
    createSqlite(BARN, 'barn/barn.sqlite', nested);
    createSqlite(BARN, 'barn/other.sqlite', nested);
    const examples = createFile(
      '{"db_id":"barn","question":"Who?","query":"SELECT name FROM cow","id":"q7"}\n',
      'a.jsonl',
    );
    for (const databases of [flat, nested]) {
      const dataset = loadSqliteDataset(pathsOf('sqlite', { databases, examples }));
      expect([...dataset.databases.keys()]).toEqual(['barn', 'shop']);
      expect([...dataset.examples()][0]).toMatchObject({ id: 'q7', dbId: 'barn' });
      expect(rowsOf(dataset.sqliteFile('barn', '')!, 'SELECT name FROM cow')).toEqual([['Elsa']]);
    }
  });

  it('gives the same examples each time', () => {
    const examples = createFile(
      '\uFEFF{"question":"a","sql":"SELECT 1"}\r\n\r\n{"question":"b","SQL":"SELECT 2"}',
      'a.jsonl',
    );
    const dataset = loadSqliteDataset(pathsOf('sqlite', { databases: createSqlite(BARN, 'barn.db'), examples }));
    expect([...dataset.examples()]).toEqual([...dataset.examples()]);
    expect([...dataset.examples()].map(({ id, query }) => [id, query])).toEqual([
      ['a:0', 'SELECT 1'],
      ['a:1', 'SELECT 2'],
    ]);
  });

  const load = (examples: string, name: string, databases = createSqlite(BARN, 'barn.db')): (() => unknown) => {
    const file = createFile(examples, name);
    return () => loadSqliteDataset(pathsOf('sqlite', { databases, examples: file }));
  };

  it.each([
    ['question\nWho?\n', 'a.csv', 'field "query" is missing', 'a:0'],
    ['question,sql\nWho?,\n', 'a.csv', 'it has no query', 'a:0'],
    ['[{"question":"Who?","query":null,"is_impossible":true}]', 'a.json', 'it has no query', 'a:0'],
    ['[{"question":"Who?","query":5}]', 'a.json', 'field "query" is wrong: text is expected', 'a:0'],
    ['question,question,sql\nWho?,,x\n', 'a.csv', 'two columns are called "question"', 'header'],
    ['db_id,question,sql\nban,Who?,x\n', 'a.csv', 'db_id "ban" is none', 'a:0'],
    ['{"question":"x"\n', 'a.jsonl', 'this is not JSON', undefined],
    ['[1]', 'a.json', 'a JSON object is expected', 'a:0'],
    ['question,sql\n', 'a.csv', 'the file holds no questions', undefined],
    ['x', 'a.txt', 'questions are read from', undefined],
  ])('refuses %j (%s)', (text, name, message, id) => {
    const fault = faultOf(load(text, name));
    expect(fault.message).toContain(message);
    expect(fault.where.id).toBe(id);
  });

  it('leaves out what can’t be used, and numbers ids that occur again', () => {
    const text = [
      '{"id": 1, "question": "Who?", "sql": "SELECT name FROM cow"}',
      '{"id": 1, "question": "Who?", "sql": "SELECT 2"}',
      '{"question": "Who?"}',
      'no JSON',
      '{"question": "Who?", "sql": "SELECT 3", "db_id": "ban"}',
      '{"id": "1_2", "question": "Who?", "sql": "SELECT 4"}',
    ].join('\n');
    const dataset = loadSqliteDataset(
      pathsOf('sqlite', { databases: createSqlite(BARN, 'barn.db'), examples: createFile(text, 'a.jsonl') }),
    );
    expect([...dataset.examples()].map(({ id }) => id)).toEqual(['1', '1_2', '1_2_2']);
    expect(dataset.size).toBe(3);
    expect(dataset.skipped).toEqual([
      { id: 'a:2', reason: 'field "query" is missing', place: 'a.jsonl:3' },
      { id: 'a:3', reason: 'this is not JSON', place: 'a.jsonl:4' },
      { id: 'a:4', reason: 'db_id "ban" is none of the databases', place: 'a.jsonl:5' },
    ]);
  });

  it('asks for db_id where there are several databases', () => {
    const folder = createFolder();
    createSqlite(SHOP, 'shop.sqlite', folder);
    createSqlite(BARN, 'barn.db', folder);
    expect(faultOf(load('question,sql\nWho?,x\n', 'a.csv', folder)).message).toContain('db_id is missing');
  });

  it('refuses what is no database, an empty folder, one name for two, and a path that is not there', () => {
    const examples = 'question,sql\nWho?,x\n';
    const twice = createFolder();
    createSqlite(BARN, 'barn.db', twice);
    createSqlite(BARN, 'barn.sqlite', twice);
    expect(faultOf(load(examples, 'a.csv', createFile('no database', 'x.db'))).message).toContain('SQLite');
    expect(faultOf(load(examples, 'a.csv', createFolder())).message).toContain('no SQLite files');
    expect(faultOf(load(examples, 'a.csv', twice)).message).toContain('two databases are called "barn"');
    expect(faultOf(load(examples, 'a.csv', '/nowhere')).message).toContain('no such file');
  });
});

describe('a folder of databases', () => {
  it('is read without hidden files and links to nowhere', () => {
    const folder = createFolder({ '._barn.db': 'of macOS' });
    createSqlite(BARN, 'barn.db', folder);
    symlinkSync('/nowhere', join(folder, 'gone.db'));
    mkdirSync(join(folder, '.cache'));
    writeFileSync(join(folder, '.cache', '.cache.db'), 'x');
    const examples = createFile('question,sql\nWho?,SELECT name FROM cow\n', 'a.csv');
    expect([...loadSqliteDataset(pathsOf('sqlite', { databases: folder, examples })).databases.keys()]).toEqual([
      'barn',
    ]);
  });

  it('refuses a file of 0 bytes, which SQLite takes for a database', () => {
    const folder = createFolder({ 'barn.db': '' });
    const examples = createFile('question,sql\nWho?,SELECT name FROM cow\n', 'a.csv');
    const fault = faultOf(() => loadSqliteDataset(pathsOf('sqlite', { databases: folder, examples })));
    expect(fault.message).toContain('the file is empty');
    expect(fault.where.file).toBe(join(folder, 'barn.db'));
  });
});

describe('writeSqliteDataset', () => {
  const databases = (): string => createSqlite(SHOP, 'shop.db');

  it.each([
    ['a.csv', `id,db_id,${CSV_TEXT.replace('\n"How', '\nx,shop,"How').replace('\nPrices', '\ny,shop,Prices')}`],
    ['a.tsv', 'id\tdb_id\tquestion\tquery\r\nx\tshop\ta b\tSELECT 1\r\n'],
    [
      'a.jsonl',
      '{"x":{"y":[1,2]},"id":7,"db_id":"shop","question":"a","query":"SELECT 1","query_toks":["SELECT","1"]}\n',
    ],
    ['a.json', '[\n{"db_id":"shop","id":"x","question":"a","SQL":"SELECT 1"}\n]\n'],
  ])('gives %s back with the same bytes', (name, text) => {
    const dataset = loadSqliteDataset(pathsOf('sqlite', { databases: databases(), examples: createFile(text, name) }));
    const { path, folder } = createOutput();
    writeSqliteDataset(outputSetOf(dataset), folder);
    const written = join(path, 'sqlite', name.replace('a.', 'examples.'));
    expect(readFileSync(written, 'utf8')).toBe(text);
    const again = loadSqliteDataset(
      pathsOf('sqlite', { databases: dataset.sqliteFile('shop', '')!, examples: written }),
    );
    expect([...again.examples()]).toEqual([...dataset.examples()]);
    expect([...again.databases]).toEqual([...dataset.databases]);
  });

  it('puts db_id and id in front, and variants after their original under new ids', () => {
    const file = databases();
    const dataset = loadSqliteDataset(
      pathsOf('sqlite', { databases: file, examples: createFile(CSV_TEXT, 'ask.csv') }),
    );
    const original = dataset.databases.get('shop')!;
    const [item, sale] = original.tables;
    const renamed: OutputSchema = {
      schema: {
        ...original,
        id: 'shop__rpl',
        tables: [
          {
            ...item!,
            columns: item!.columns.map((c, i) => (i === 1 ? { ...c, name: 'cost', originalName: 'cost' } : c)),
          },
          sale!,
        ],
      },
      origin: 'shop',
      columns: [
        [0, 1, 2],
        [0, 1],
      ],
    };
    const script = `${SHOP} ALTER TABLE item RENAME COLUMN "Unit Price" TO cost`;
    const variant = {
      source: 'ask:1',
      kind: 'RPL' as const,
      schema: renamed,
      query: 'SELECT cost FROM item',
      file: createSqlite(script, 'shop__rpl.sqlite'),
    };
    const { path, folder } = createOutput();
    writeSqliteDataset(outputSetOf(dataset, [variant, variant]), folder);
    const written = join(path, 'sqlite/examples.csv');
    expect(readFileSync(written, 'utf8')).toBe(
      'db_id,id,question,note,sql\n' +
        'shop,ask:0,"How many, all in all?",=x,SELECT count(*) FROM item\n' +
        'shop,ask:1,Prices?,,"SELECT ""Unit Price"" FROM item"\n' +
        'shop__rpl,ask:1__rpl,Prices?,,SELECT cost FROM item\n' +
        'shop__rpl,ask:1__rpl_2,Prices?,,SELECT cost FROM item\n',
    );
    const both = createFolder();
    createSqlite(SHOP, 'shop.sqlite', both);
    createSqlite(script, 'shop__rpl.sqlite', both);
    const again = loadSqliteDataset(pathsOf('sqlite', { databases: both, examples: written }));
    expect(again.databases.get('shop__rpl')!.tables).toEqual(renamed.schema.tables);
    const results = [...again.examples()].map(({ dbId, query }) => rowsOf(again.sqliteFile(dbId, '')!, query));
    expect(results[2]).toEqual(results[1]);
    expect(dirname(again.sqliteFile('shop__rpl', '')!)).toBe(both);
  });

  it('makes what was made from the old query again for a variant, or leaves it out', () => {
    const text = '{"question":"a","query":"SELECT 1","sql":{"select":1},"query_toks":["1"],"more":2}\n';
    const dataset = loadSqliteDataset(
      pathsOf('sqlite', { databases: databases(), examples: createFile(text, 'a.jsonl') }),
    );
    const schema = { ...dataset.databases.get('shop')!, id: 'shop__add' };
    const columns = schema.tables.map((table) => table.columns.map((_, c) => c));
    const { path, folder } = createOutput();
    const variant = {
      source: 'a:0',
      kind: 'ADD' as const,
      schema: { schema, origin: 'shop', columns },
      query: 'SELECT 2',
    };
    writeSqliteDataset(outputSetOf(dataset, [variant]), folder);
    const lines = readFileSync(join(path, 'sqlite/examples.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { db_id: 'shop', id: 'a:0', question: 'a', query: 'SELECT 1', sql: { select: 1 }, query_toks: ['1'], more: 2 },
      { db_id: 'shop__add', id: 'a:0__add', question: 'a', query: 'SELECT 2', query_toks: ['SELECT', '2'], more: 2 },
    ]);
  });
});
