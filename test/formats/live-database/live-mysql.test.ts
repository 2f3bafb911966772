import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConnectionUrl } from '../../../src/formats/live-database/connection.js';
import {
  loadLiveDataset,
  writeLiveDataset,
  type LiveDataset,
} from '../../../src/formats/live-database/live-dataset.js';
import { MYSQL_SERVER } from '../../../src/formats/live-database/mysql-server.js';
import { renameColumns } from '../../../src/sql/rename-columns.js';
import { createFile } from '../format-fixture.js';
import { createOutput, outputSetOf } from '../output-set-fixture.js';
import { renamed } from '../variant-fixture.js';
import { changedUrl, createFilledDatabase, livePaths, serverOf, serverTitle } from './live-servers.js';

const SHOP = [
  `CREATE TABLE \`Item\` (\`Item_ID\` int, shop_no int, \`Unit Price\` decimal(8, 2), added_on date, is_new boolean,
    mood enum('good', 'bad'), year year, flags bit(4), spot point, picture blob, secret int INVISIBLE,
    PRIMARY KEY (shop_no, \`Item_ID\`))`,
  `CREATE TABLE sale (id int AUTO_INCREMENT PRIMARY KEY, item int, shop int, at datetime, note text CHARACTER SET utf8mb4,
    FOREIGN KEY (shop, item) REFERENCES \`Item\` (shop_no, \`Item_ID\`))`,
  'CREATE VIEW dear AS SELECT `Item_ID` AS item, `Unit Price` FROM `Item` WHERE `Unit Price` > 3',
  'CREATE SEQUENCE numbers',
  'CREATE TABLE gone (a int)',
  'CREATE VIEW broken AS SELECT a FROM gone',
  'DROP TABLE gone',
  `INSERT INTO \`Item\` VALUES (2, 1, 4, '2020-02-01', true, 'bad', 2001, b'101', point(1, 2), x'00ff'),
    (1, 1, 2.50, '2020-01-01', false, 'good', NULL, NULL, NULL, NULL), (1, 2, 4, NULL, NULL, 'good', NULL, NULL, NULL, NULL)`,
  "INSERT INTO sale (item, shop, at, note) VALUES (1, 1, '2021-01-01 10:00:00', 'Zoë’s 😀'), (2, 1, NULL, '')",
];

it('does not read a schema whose server reads SQL in another mode', async () => {
  const url = parseConnectionUrl('mysql://ann@localhost/shop', 'mysql', MYSQL_SERVER.schemes);
  const rows = async (): Promise<string[][]> => [['shop', 'STRICT_TRANS_TABLES,ANSI_QUOTES']];
  const session = { rows, attempt: rows, close: async () => undefined };
  await expect(MYSQL_SERVER.readCatalog(session, url)).rejects.toThrow(/mode ANSI_QUOTES/);
});

const read = (url: string, examples?: string): Promise<LiveDataset> =>
  loadLiveDataset(livePaths('mysql', url, examples));

describe.skipIf(serverOf('mysql') === null)(serverTitle('loadLiveDataset', 'mysql'), () => {
  it('reads tables, views, types and keys', async () => {
    const shop = await createFilledDatabase('mysql', SHOP);
    const dataset = await read(shop.url);
    const database = dataset.databases.get(shop.name)!;
    expect(database.tables.map(({ originalName }) => originalName)).toEqual(['Item', 'dear', 'sale']);
    const views = database.tables.filter(({ isView }) => isView === true);
    expect(views.map(({ originalName }) => originalName)).toEqual(['dear']);
    expect(views.every(({ columns }) => columns.every(({ fixed }) => fixed === true))).toBe(true);
    expect(database.tables[0]!.columns.map(({ name, originalName, type }) => [originalName, name, type])).toEqual([
      ['Item_ID', 'item id', 'number'],
      ['shop_no', 'shop no', 'number'],
      ['Unit Price', 'unit price', 'number'],
      ['added_on', 'added on', 'time'],
      ['is_new', 'is new', 'boolean'],
      ['mood', 'mood', 'text'],
      ['year', 'year', 'time'],
      ['flags', 'flags', 'number'],
      ['spot', 'spot', 'others'],
      ['picture', 'picture', 'others'],
    ]);
    expect(database.primaryKeys).toEqual([
      { table: 0, column: 1 },
      { table: 0, column: 0 },
      { table: 2, column: 0 },
    ]);
    expect(database.foreignKeys).toEqual([
      { from: { table: 2, column: 2 }, to: { table: 0, column: 1 } },
      { from: { table: 2, column: 1 }, to: { table: 0, column: 0 } },
    ]);
    expect([dataset.hasRows(shop.name), dataset.sqliteFile(shop.name, '')]).toEqual([false, null]);
  });

  it('takes samples by the primary key, and notes what it can’t read', async () => {
    const shop = await createFilledDatabase('mysql', SHOP);
    const dataset = await read(shop.url);
    const [item, dear, sale] = dataset.sampleValues(dataset.databases.get(shop.name)!);
    expect(item).toEqual([
      ['1', '2'],
      ['1', '2'],
      ['2.50', '4.00'],
      ['2020-01-01', '2020-02-01'],
      ['0', '1'],
      ['good', 'bad'],
      ['2001'],
      ['5'],
      [],
      [],
    ]);
    expect([dear![1], sale!.slice(3)]).toEqual([['4.00'], [['2021-01-01 10:00:00'], ['Zoë’s 😀']]]);
    expect(dataset.notes).toEqual(['table broken has no columns that can be read, and is left out']);
  });

  it('sees only what the user may see', async () => {
    const shop = await createFilledDatabase('mysql', SHOP);
    const [user, password] = [shop.name.slice(-20), 'a-b-c-1-2-3'];
    await shop.run(
      `CREATE USER ${user} IDENTIFIED BY '${password}'`,
      `GRANT SELECT ON ${shop.name}.sale TO ${user}`,
      `GRANT INSERT ON ${shop.name}.Item TO ${user}`,
    );
    const dataset = await read(changedUrl(shop.url, { username: user, password }));
    await shop.run(`DROP USER ${user}`);
    const database = dataset.databases.get(shop.name)!;
    expect(database.tables.map(({ originalName }) => originalName)).toEqual(['Item', 'sale']);
    const values = dataset.sampleValues(database);
    expect([values[0]!.flat(), values[1]![0]]).toEqual([[], ['1', '2']]);
    expect(dataset.notes).toHaveLength(1);
    expect(dataset.notes[0]).toMatch(/^no sample values for table Item: SELECT command denied/);
  });

  it('tells an empty database, and one that is not named', async () => {
    const empty = await createFilledDatabase('mysql', []);
    await expect(read(empty.url)).rejects.toThrow(/no tables with columns in perturbql_test_/);
    await expect(read(changedUrl(empty.url, { pathname: '' }))).rejects.toThrow(/names no database/);
  });

  it('writes nothing', async () => {
    const shop = await createFilledDatabase('mysql', SHOP);
    const rows = async (): Promise<string> => JSON.stringify(await shop.rows('SELECT * FROM Item ORDER BY 1, 2'));
    const before = [(await read(shop.url)).fingerprints, await rows()];
    const session = await MYSQL_SERVER.open(parseConnectionUrl(shop.url, 'mysql', MYSQL_SERVER.schemes));
    for (const sql of [
      'INSERT INTO sale (item) VALUES (1)',
      'UPDATE Item SET is_new = true',
      'DELETE FROM sale',
      'CREATE TABLE more (a int)',
      'ALTER TABLE sale RENAME COLUMN item TO thing',
      'DROP VIEW dear',
      'SELECT NEXTVAL(numbers)',
    ]) {
      const refused = await session.attempt(sql);
      expect(refused).toHaveProperty('reason');
      expect((refused as { reason: string }).reason).toMatch(/READ ONLY transaction/i);
    }
    await session.close();
    expect([(await read(shop.url)).fingerprints, await rows()]).toEqual(before);
  });

  it('gives questions and variants back, which run on a server with the change', async () => {
    const shop = await createFilledDatabase('mysql', SHOP);
    const text = `{"question":"Dear?","query":"SELECT \`unit price\` FROM ${shop.name}.Item WHERE mood = \\"good\\" ORDER BY 1","more":1}\n`;
    const dataset = await read(shop.url, createFile(text, 'ask.jsonl'));
    const database = dataset.databases.get(shop.name)!;
    const { kind, schema } = renamed(database, 0, 2, 'rank', 'rank');
    const [example] = [...dataset.examples()];
    const { sql } = renameColumns(example!.query, database, new Map([['0.2', 'rank']]), dataset.dialect);
    expect(sql).toBe(`SELECT \`rank\` FROM ${shop.name}.Item WHERE mood = "good" ORDER BY 1`);
    const { path, folder } = createOutput();
    writeLiveDataset(outputSetOf(dataset, [{ source: 'ask:0', kind, schema, query: sql }]), folder);
    const written = readFileSync(join(path, 'mysql/examples.jsonl'), 'utf8').trim().split('\n');
    expect(written.map((line) => JSON.parse(line) as unknown)).toEqual([
      { db_id: shop.name, id: 'ask:0', question: 'Dear?', query: example!.query, more: 1 },
      { db_id: `${shop.name}__rpl_1`, id: 'ask:0__rpl', question: 'Dear?', query: sql, more: 1 },
    ]);
    const before = await shop.rows(example!.query);
    await shop.run('ALTER TABLE Item RENAME COLUMN `Unit Price` TO `rank`');
    expect(await shop.rows(sql)).toEqual(before);
    const again = await read(shop.url, createFile(`${written[0]}\n`, 'again.jsonl'));
    expect([...again.examples()].map(({ id, query }) => [id, query])).toEqual([['ask:0', example!.query]]);
  });
});
