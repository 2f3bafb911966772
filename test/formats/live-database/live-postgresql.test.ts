import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { parseConnectionUrl } from '../../../src/formats/live-database/connection.js';
import {
  loadLiveDataset,
  writeLiveDataset,
  type LiveDataset,
} from '../../../src/formats/live-database/live-dataset.js';
import { POSTGRESQL_SERVER } from '../../../src/formats/live-database/postgresql-server.js';
import { sha256Of } from '../../../src/run/sha256.js';
import { renameColumns } from '../../../src/sql/rename-columns.js';
import { createFile } from '../format-fixture.js';
import { createOutput, outputSetOf } from '../output-set-fixture.js';
import { renamed } from '../variant-fixture.js';
import { changedUrl, createFilledDatabase, livePaths, serverOf, serverTitle } from './live-servers.js';

const SHOP = [
  "CREATE TYPE mood AS ENUM ('good', 'bad')",
  'CREATE DOMAIN price AS numeric(8, 2)',
  `CREATE TABLE "Item" ("Item_ID" int, shop_no int, "UnitPrice" price, added_on date, is_new boolean, mood mood, tags text[],
    spec jsonb, picture bytea, PRIMARY KEY (shop_no, "Item_ID"))`,
  `CREATE TABLE sale (id serial PRIMARY KEY, item int, shop int, at timestamptz, took interval,
    FOREIGN KEY (shop, item) REFERENCES "Item" (shop_no, "Item_ID"))`,
  'CREATE VIEW dear AS SELECT "Item_ID" AS item, "UnitPrice" FROM "Item" WHERE "UnitPrice" > 3',
  'CREATE VIEW broken AS SELECT 1 / (shop - shop) AS ratio FROM sale',
  'CREATE TABLE part (year int, n int) PARTITION BY RANGE (year)',
  'CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (1) TO (3000)',
  'CREATE TABLE nothing ()',
  'CREATE SCHEMA other',
  'CREATE TABLE other.hidden (a int)',
  `INSERT INTO "Item" VALUES (2, 1, 4, '2020-02-01', true, 'bad', '{a,b}', '{"a": 1}', '\\x00ff'),
    (1, 1, 2.50, '2020-01-01', false, 'good', NULL, NULL, NULL), (1, 2, 4, NULL, NULL, 'good', '{}', NULL, NULL)`,
  "INSERT INTO sale (item, shop, at, took) VALUES (1, 1, '2021-01-01 10:00+02', '90 minutes'), (2, 1, NULL, NULL)",
  'INSERT INTO part VALUES (2001, 1), (2002, 1)',
];

const read = (url: string, examples?: string): Promise<LiveDataset> =>
  loadLiveDataset(livePaths('postgresql', url, examples));

describe.skipIf(serverOf('postgresql') === null)(serverTitle('loadLiveDataset', 'postgresql'), () => {
  it('reads tables, views, types and keys', async () => {
    const shop = await createFilledDatabase('postgresql', SHOP);
    const dataset = await read(shop.url);
    const database = dataset.databases.get(shop.name)!;
    expect(database.tables.map(({ originalName }) => originalName)).toEqual(['Item', 'broken', 'dear', 'part', 'sale']);
    const views = database.tables.filter(({ isView }) => isView === true);
    expect(views.map(({ originalName }) => originalName)).toEqual(['broken', 'dear']);
    expect(views.every(({ columns }) => columns.every(({ fixed }) => fixed === true))).toBe(true);
    expect(database.tables[0]!.columns.map(({ name, originalName, type }) => [originalName, name, type])).toEqual([
      ['Item_ID', 'item id', 'number'],
      ['shop_no', 'shop no', 'number'],
      ['UnitPrice', 'unit price', 'number'],
      ['added_on', 'added on', 'time'],
      ['is_new', 'is new', 'boolean'],
      ['mood', 'mood', 'text'],
      ['tags', 'tags', 'others'],
      ['spec', 'spec', 'text'],
      ['picture', 'picture', 'others'],
    ]);
    expect(database.tables[4]!.columns.map(({ type }) => type)).toEqual(['number', 'number', 'number', 'time', 'time']);
    expect(database.primaryKeys).toEqual([
      { table: 0, column: 1 },
      { table: 0, column: 0 },
      { table: 4, column: 0 },
    ]);
    expect(database.foreignKeys).toEqual([
      { from: { table: 4, column: 2 }, to: { table: 0, column: 1 } },
      { from: { table: 4, column: 1 }, to: { table: 0, column: 0 } },
    ]);
    expect([dataset.hasRows(shop.name), dataset.sqliteFile(shop.name, '')]).toEqual([false, null]);
  });

  it('takes samples by the primary key, and notes what it can’t read', async () => {
    const shop = await createFilledDatabase('postgresql', SHOP);
    const dataset = await read(shop.url);
    const [item, broken, dear, part, sale] = dataset.sampleValues(dataset.databases.get(shop.name)!);
    expect(item).toEqual([
      ['1', '2'],
      ['1', '2'],
      ['2.50', '4.00'],
      ['2020-01-01', '2020-02-01'],
      ['false', 'true'],
      ['good', 'bad'],
      ['{a,b}', '{}'],
      ['{"a": 1}'],
      [],
    ]);
    expect([broken, dear![1], part]).toEqual([[[]], ['4.00'], [['2001', '2002'], ['1']]]);
    expect(sale!.slice(3)).toEqual([['2021-01-01 08:00:00+00'], ['01:30:00']]);
    expect(dataset.notes).toEqual([
      'table nothing has no columns that can be read, and is left out',
      'no sample values for table broken: division by zero',
    ]);
  });

  it('reads another schema where search_path names it', async () => {
    const shop = await createFilledDatabase('postgresql', SHOP);
    const dataset = await read(`${shop.url}?options=-csearch_path%3Dother`);
    const database = dataset.databases.get(shop.name)!;
    expect(database.tables.map(({ originalName }) => originalName)).toEqual(['hidden']);
    const renames = new Map([['0.0', 'b']]);
    expect(renameColumns('SELECT a FROM other.hidden', database, renames, dataset.dialect).sql).toBe(
      'SELECT b FROM other.hidden',
    );
    await expect(read(`${shop.url}?options=-csearch_path%3Dnone`)).rejects.toThrow(/search_path names no schema/);
  });

  it('does without the samples of tables that the user may not read', async () => {
    const shop = await createFilledDatabase('postgresql', SHOP);
    const [user, password] = [`${shop.name}_user`, 'a-b-c-1-2-3'];
    await shop.run(`CREATE ROLE ${user} LOGIN PASSWORD '${password}'`, `GRANT SELECT ON sale TO ${user}`);
    const dataset = await read(changedUrl(shop.url, { username: user, password }));
    await shop.run(`DROP OWNED BY ${user}`, `DROP ROLE ${user}`);
    const values = dataset.sampleValues(dataset.databases.get(shop.name)!);
    expect([values[0]!.flat(), values[4]![0]]).toEqual([[], ['1', '2']]);
    expect(dataset.notes).toContain('no sample values for table Item: permission denied for table Item');
  });

  it('names an empty schema', async () => {
    const empty = await createFilledDatabase('postgresql', []);
    await expect(read(empty.url)).rejects.toThrow(InputFormatError);
    await expect(read(empty.url)).rejects.toThrow(/no tables with columns in public/);
  });

  it('writes nothing', async () => {
    const shop = await createFilledDatabase('postgresql', SHOP);
    const rows = async (): Promise<string> => JSON.stringify(await shop.rows('SELECT * FROM "Item" ORDER BY 1, 2'));
    const before = [(await read(shop.url)).fingerprints, await rows()];
    const url = parseConnectionUrl(shop.url, 'postgresql', POSTGRESQL_SERVER.schemes);
    const session = await POSTGRESQL_SERVER.open(url);
    for (const sql of [
      'INSERT INTO sale (item) VALUES (1)',
      'UPDATE "Item" SET is_new = true',
      'DELETE FROM sale',
      'CREATE TABLE more (a int)',
      'ALTER TABLE sale RENAME COLUMN item TO thing',
      'DROP VIEW dear',
      "SELECT nextval('sale_id_seq')",
    ]) {
      const refused = await session.attempt(sql);
      expect(refused).toHaveProperty('reason');
      expect((refused as { reason: string }).reason).toContain('read-only transaction');
    }
    await session.close();
    expect([(await read(shop.url)).fingerprints, await rows()]).toEqual(before);
    const open = `SELECT count(*) FROM pg_stat_activity WHERE datname = '${shop.name}' AND application_name = 'perturbql'`;
    await expect.poll(() => shop.rows(open)).toEqual([['0']]);
  });

  it('is known by its schema, not by its connection string', async () => {
    const shop = await createFilledDatabase('postgresql', SHOP);
    const examples = createFile('question,sql\nOne?,SELECT 1\n', 'ask.csv');
    const dataset = await read(shop.url, examples);
    expect((await read(`${shop.url}?connect_timeout=5`, examples)).fingerprints).toEqual(dataset.fingerprints);
    expect(dataset.fingerprints['schemas']).toBe(sha256Of(JSON.stringify(dataset.databases.get(shop.name))));
    expect(JSON.stringify(dataset)).not.toContain(new URL(shop.url).password);
    await shop.run('ALTER TABLE sale ADD COLUMN more int');
    expect((await read(shop.url, examples)).fingerprints).not.toEqual(dataset.fingerprints);
  });

  it('gives questions and variants back, which run on a server with the change', async () => {
    const shop = await createFilledDatabase('postgresql', SHOP);
    const text =
      'question,sql\nDear?,"SELECT ""UnitPrice"" FROM ""Item"" AS I WHERE i.shop_no = 1 ORDER BY ""UnitPrice"""\n';
    const dataset = await read(shop.url, createFile(text, 'ask.csv'));
    const database = dataset.databases.get(shop.name)!;
    const { kind, schema } = renamed(database, 0, 2, 'cost', 'Cost Each');
    const [example] = [...dataset.examples()];
    const { sql } = renameColumns(example!.query, database, new Map([['0.2', 'Cost Each']]), dataset.dialect);
    expect(sql).toBe('SELECT "Cost Each" FROM "Item" AS I WHERE i.shop_no = 1 ORDER BY "Cost Each"');
    const { path, folder } = createOutput();
    writeLiveDataset(outputSetOf(dataset, [{ source: 'ask:0', kind, schema, query: sql }]), folder);
    const written = readFileSync(join(path, 'postgresql/examples.csv'), 'utf8').split('\n');
    expect(written[0]).toBe('db_id,id,question,sql');
    expect(written[1]).toBe(`${shop.name},ask:0,${text.split('\n')[1]}`);
    expect(written[2]).toMatch(new RegExp(`^${shop.name}__rpl_1,ask:0__rpl,`));
    const before = await shop.rows(example!.query);
    await shop.run('ALTER TABLE "Item" RENAME COLUMN "UnitPrice" TO "Cost Each"');
    expect(await shop.rows(sql)).toEqual(before);
    const again = await read(shop.url, createFile(`${written.slice(0, 2).join('\n')}\n`, 'again.csv'));
    expect([...again.examples()].map(({ id, query }) => [id, query])).toEqual([['ask:0', example!.query]]);
  });
});
