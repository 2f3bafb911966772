import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { materializeSchema } from '../../../src/variants/databases/materialize-schema.js';
import { seedCase } from '../../../src/variants/relations/relation.js';
import type { MutatedSchema } from '../../../src/variants/databases/mutated-schema.js';
import type { Database } from '../../../src/schema/schema.js';
import { mutateOne } from '../relations/cases.js';
import { mutationsIn, schemaOf, schemaRelations } from '../relations/schema/schema-fixture.js';

const SCHEMA = schemaOf('store', { item: 'code label price note', kept: 'k code>item.code', gone: 'gone_column' });

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'perturbql-materialize-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A file without the table `gone` and the column `note`, with what is easily lost on the way. */
function storeFile(path: string): string {
  const file = join(path, 'store.sqlite');
  const sqlite = new Sqlite(file);
  sqlite.pragma('foreign_keys = OFF');
  sqlite.exec(`CREATE TABLE item(code TEXT COLLATE NOCASE PRIMARY KEY, label VARCHAR(9), price NUMERIC);
    INSERT INTO item(rowid, code, label, price) VALUES (9, 'B', 'x', 2.0), (3, 'a', CAST(x'ff41' AS TEXT), '1e1'), (5, 'C', 'x', 'dear'),
      (7, 'd', NULL, NULL), (8, 'E', 'X', x'00');
    CREATE TABLE kept(k INTEGER PRIMARY KEY, code REFERENCES item(code));
    INSERT INTO kept VALUES (4, 'a'), (2, 'nowhere');
    CREATE INDEX by_price ON item(price DESC, label); CREATE VIEW v AS SELECT * FROM item;`);
  sqlite.close();
  return file;
}

async function mutantsOf(
  id: string,
  query = 'SELECT count(*) FROM kept',
  database = SCHEMA,
): Promise<readonly MutatedSchema[]> {
  const relation = schemaRelations().find((one) => one.id === id)!;
  const one = seedCase({ id: 'own:0', dbId: database.id, question: '?', query }, database);
  return mutationsIn(await mutateOne(relation, one)).map(({ mutated }) => mutated!);
}

function open(path: string, mutated: MutatedSchema, origin: Database = SCHEMA): Sqlite.Database {
  const target = join(path, 'out', `${mutated.schema.id}.sqlite`);
  materializeSchema(join(path, 'store.sqlite'), target, origin, mutated);
  const sqlite = new Sqlite(target, { readonly: true });
  onTestFinished(() => void sqlite.close());
  return sqlite;
}

const all = (sqlite: Sqlite.Database, sql: string): unknown[] => sqlite.prepare(sql).raw().all();
const sqlOf = (sqlite: Sqlite.Database, table: string): unknown =>
  sqlite.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?").pluck().get(table);

describe('materializeSchema', () => {
  it('writes tables in their order with types, collations, keys and every byte; the original stays as it is', async () => {
    const path = folder();
    const before = readFileSync(storeFile(path));
    const [mutant] = await mutantsOf('TS');
    const sqlite = open(path, mutant!);
    const names = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    expect(names).toEqual(mutant!.schema.tables.map(({ originalName }) => originalName));
    expect(sqlOf(sqlite, 'item')).toBe(
      'CREATE TABLE "item" ("code" TEXT COLLATE "NOCASE", "label" VARCHAR(9), "price" NUMERIC, "note" TEXT, PRIMARY KEY ("code"))',
    );
    expect(sqlOf(sqlite, 'kept')).toContain('code REFERENCES item(code)');
    expect(sqlOf(sqlite, 'gone')).toBe('CREATE TABLE "gone" ("gone_column" TEXT)');
    // In the order of the original's row ids.
    expect(all(sqlite, 'SELECT code, hex(label), typeof(price), quote(price), note FROM item ORDER BY rowid')).toEqual([
      ['a', 'FF41', 'integer', '10', null],
      ['C', '78', 'text', "'dear'", null],
      ['d', '', 'null', 'NULL', null],
      ['E', '58', 'blob', "X'00'", null],
      ['B', '78', 'integer', '2', null],
    ]);
    expect(all(sqlite, "SELECT count(*) FROM item WHERE code = 'b'")).toEqual([[1]]);
    expect(all(sqlite, 'SELECT k FROM kept')).toEqual([[2], [4]]);
    expect(readFileSync(join(path, 'store.sqlite')).equals(before)).toBe(true);
  });

  it('moves each value of a normalized column once, and finds every cell again by the link', async () => {
    const path = folder();
    storeFile(path);
    const mutant = (await mutantsOf('NO')).find(({ schema }) => schema.tables[3]?.originalName === 'item_label')!;
    const sqlite = open(path, mutant);
    expect(all(sqlite, 'SELECT label_id, hex(label) FROM item_label ORDER BY 1')).toEqual([
      [1, '58'],
      [2, '78'],
      [3, 'FF41'],
    ]);
    const joined = 'SELECT code, hex(label) FROM item LEFT JOIN item_label USING (label_id) ORDER BY item.rowid';
    expect(all(sqlite, joined)).toEqual([
      ['a', 'FF41'],
      ['C', '78'],
      ['d', ''],
      ['E', '58'],
      ['B', '78'],
    ]);
    expect(sqlOf(sqlite, 'item')).toContain('"label_id" INTEGER, "price" NUMERIC');
  });

  it('makes values for inserted columns, the same each time', async () => {
    const path = folder();
    storeFile(path);
    const mutant = (await mutantsOf('CI')).find(({ schema }) => schema.tables[0]!.columns.length === 5)!;
    const read = (): unknown[] => all(open(path, mutant), 'SELECT * FROM item').map((row) => (row as unknown[])[4]);
    const [first, second] = [read(), read()];
    expect(first).toEqual(second);
    expect(first).toHaveLength(5);
    expect(first.every((value) => value !== null)).toBe(true);
  });

  it('says what is wrong with a file that is no database, and leaves no file behind', async () => {
    const path = folder();
    const [mutated] = await mutantsOf('TS');
    const [source, target] = [join(path, 'absent.sqlite'), join(path, 'out', 'mutant.sqlite')];
    expect(() => materializeSchema(source, target, SCHEMA, mutated!)).toThrow(InputFormatError);
    writeFileSync(source, 'no database');
    expect(() => materializeSchema(source, target, SCHEMA, mutated!)).toThrow(InputFormatError);
    expect(readdirSync(join(path, 'out'))).toEqual([]);
  });
});

describe('a view that gives other rows over the new tables', () => {
  it('is a table with its rows, also of a file that SQLite does not hold in memory', () => {
    const path = folder();
    const file = join(path, 'store.sqlite');
    const sqlite = new Sqlite(file);
    sqlite.exec(`CREATE TABLE big (n INTEGER, filler); CREATE VIEW first AS SELECT * FROM big LIMIT 1;
      WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 2400)
      INSERT INTO big SELECT n, zeroblob(10000) FROM i`);
    sqlite.close();
    const schema = schemaOf('store', { big: 'n filler', first: 'n filler' });
    const turned = schemaOf('store~1', { big: 'filler n', first: 'n filler' });
    const selects = ['SELECT "filler", "n" FROM "big"', 'SELECT "n", "filler" FROM "first"'];
    const content = selects.map((select) => ({ select }));
    const mutant = open(path, { schema: turned, origin: 'store', content }, schema);
    expect(all(mutant, 'PRAGMA integrity_check')).toEqual([['ok']]);
    expect(all(mutant, 'SELECT count(*), min(n), max(n) FROM big')).toEqual([[2400, 1, 2400]]);
    expect(all(mutant, "SELECT type FROM sqlite_schema WHERE name = 'first'")).toEqual([['table']]);
    expect(all(mutant, 'SELECT n, length(filler) FROM first')).toEqual([[1, 10000]]);
  });
});

describe('objects of a schema', () => {
  const SHOP = schemaOf('shop', { item: 'code label price note', sale: 'number code>item.code amount' });
  const CREATE = `CREATE TABLE item (code TEXT PRIMARY KEY, label TEXT NOT NULL, price REAL CHECK (price > 0), note TEXT);
    CREATE TABLE sale (number INTEGER PRIMARY KEY, code TEXT REFERENCES item (code), amount INTEGER);
    CREATE TABLE log (line TEXT);
    CREATE INDEX by_label ON item (label);
    CREATE VIEW sold AS SELECT number, amount FROM sale;
    CREATE VIEW notes AS SELECT code, note FROM item;
    CREATE TRIGGER logged AFTER INSERT ON sale BEGIN INSERT INTO log SELECT note FROM item WHERE code = new.code; END;
    INSERT INTO item VALUES ('a', 'pen', 1, 'blue ink'), ('b', 'lamp', 9, 'bright');
    INSERT INTO sale VALUES (1, 'a', 5), (2, 'b', 6); DELETE FROM log`;

  async function onMutants(id: string, gold: string): Promise<readonly Sqlite.Database[]> {
    const path = folder();
    const original = new Sqlite(join(path, 'store.sqlite'));
    original.exec(CREATE);
    original.close();
    return (await mutantsOf(id, gold, SHOP)).map((mutated) => open(path, mutated, SHOP));
  }

  const objects = (sqlite: Sqlite.Database): unknown =>
    all(sqlite, "SELECT name FROM sqlite_schema WHERE type IN ('view', 'trigger') OR name = 'by_label' ORDER BY name");

  it.each(['TS', 'CI', 'CRn', 'CS'])('stay where %s leaves them their columns', async (id) => {
    const mutants = await onMutants(id, 'SELECT label FROM item');
    expect(mutants.length).toBeGreaterThan(0);
    for (const sqlite of mutants) {
      expect(objects(sqlite)).toEqual([['by_label'], ['logged'], ['notes'], ['sold']]);
      expect(all(sqlite, 'SELECT * FROM notes')).toEqual([
        ['a', 'blue ink'],
        ['b', 'bright'],
      ]);
    }
  });

  it('follow other names, and keep what the table declares', async () => {
    const mutants = await onMutants('CRn', 'SELECT label FROM item');
    const renamed = mutants.find((sqlite) => String(sqlOf(sqlite, 'item')).includes('note_'))!;
    expect(sqlOf(renamed, 'item')).toMatch(/label TEXT NOT NULL, price REAL CHECK \(price > 0\)/u);
  });

  it('go where their columns are gone, and no others', async () => {
    const mutants = await onMutants('CRm', 'SELECT label, code FROM item');
    const without = mutants.find((sqlite) => !String(sqlOf(sqlite, 'item')).includes('note'))!;
    expect(objects(without)).toEqual([['by_label'], ['sold']]);
    expect(all(without, 'SELECT * FROM sold')).toEqual([
      [1, 5],
      [2, 6],
    ]);
  });

  it('are tables with their rows where the schema lists a view that can’t read the new tables', async () => {
    const path = folder();
    const original = new Sqlite(join(path, 'store.sqlite'));
    original.exec(CREATE);
    original.close();
    const listed = schemaOf('shop', {
      item: 'code label price note',
      sale: 'number code>item.code amount',
      notes: 'code note',
    });
    const mutants = (await mutantsOf('CRm', 'SELECT label, code FROM item', listed)).map((one) =>
      open(path, one, listed),
    );
    const without = mutants.find((sqlite) => !String(sqlOf(sqlite, 'item')).includes('note'))!;
    expect(all(without, "SELECT type FROM sqlite_schema WHERE name = 'notes'")).toEqual([['table']]);
    expect(all(without, 'SELECT * FROM notes')).toEqual([
      ['a', 'blue ink'],
      ['b', 'bright'],
    ]);
  });
});
