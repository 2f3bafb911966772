import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import type { DatabaseChange } from '../../../src/variants/databases/database-change.js';
import type { SqlValue } from '../../../src/sql/execution/query-outcome.js';
import { materializeCopy } from '../../../src/variants/databases/copy/materialize-copy.js';
import { renderLiteral } from '../../../src/variants/databases/view-script.js';
import { readViewScriptHeader, renderViewScript } from '../../../src/variants/databases/view-script.js';
import { openUntouched } from '../../../src/sql/execution/open-untouched.js';

const HEADER = { variant: 'shop_rpl_1', database: 'shop', sha256: 'ab12' };

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'view-script-'));
  file = join(folder, 'shop.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

function create(sql: string): void {
  const sqlite = new Sqlite(file);
  sqlite.exec(sql);
  sqlite.close();
}

function render(change: Partial<DatabaseChange>): string {
  const source = openUntouched(file);
  try {
    return renderViewScript(source, { renames: [], additions: [], ...change }, HEADER);
  } finally {
    source.close();
  }
}

/** As the processes that run queries do it: the original opened for reading, the script's TEMP objects in front of it. */
function play(change: Partial<DatabaseChange>): Sqlite.Database {
  const sqlite = openUntouched(file);
  sqlite.exec(render(change));
  return sqlite;
}

const rows = (sqlite: Sqlite.Database, sql: string): unknown[] => sqlite.prepare(sql).raw().safeIntegers().all();
const names = (sqlite: Sqlite.Database, sql: string): string[] =>
  sqlite
    .prepare(sql)
    .columns()
    .map(({ name }) => name);

const SHOP = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, price REAL, twice AS (price * 2));
  CREATE TABLE sale (item INT REFERENCES item, amount TEXT);
  CREATE VIEW cheap AS SELECT name, price FROM item WHERE price < 5;
  INSERT INTO item (id, name, price) VALUES (7, 'Pear', 4), (2, 'fig', 9.5), (5, NULL, NULL);
  INSERT INTO sale VALUES (7, '3'), (2, '12'), (2, 'x');`;

const add = (table: string, name: string, values: readonly SqlValue[], more: object = {}) => ({
  table,
  name,
  declaredType: 'TEXT',
  before: null,
  values,
  ...more,
});

describe('a view script', () => {
  it('renames and adds columns in place, in the order of the rows', () => {
    create(SHOP);
    const sqlite = play({
      renames: [{ table: 'item', from: 'name', to: 'the "label"' }],
      additions: [
        add('item', 'shade', ['red', null, 'blue'], { before: 'price' }),
        add('item', 'stock', ['1', 2n, 3n], { before: 'PRICE', declaredType: 'INT' }),
        add('item', 'last', [1n, 2.5, new Uint8Array([0, 255])], { declaredType: '' }),
      ],
    });
    expect(names(sqlite, 'SELECT * FROM item')).toEqual([
      'id',
      'the "label"',
      'shade',
      'stock',
      'price',
      'twice',
      'last',
    ]);
    expect(rows(sqlite, 'SELECT * FROM item')).toEqual([
      [2n, 'fig', 'red', 1n, 9.5, 19, 1n],
      [5n, null, null, 2n, null, null, 2.5],
      [7n, 'Pear', 'blue', 3n, 4, 8, Buffer.from([0, 255])],
    ]);
    sqlite.close();
  });

  it('keeps affinity and collation, and reaches unchanged tables by their names', () => {
    create(SHOP);
    const sqlite = play({ renames: [{ table: 'item', from: 'name', to: 'label' }] });
    expect(rows(sqlite, `SELECT id FROM item WHERE label = 'PEAR'`)).toEqual([[7n]]);
    expect(rows(sqlite, `SELECT label FROM item WHERE id = '7'`)).toEqual([['Pear']]);
    expect(rows(sqlite, 'SELECT i.label, s.amount FROM sale AS s JOIN item AS i ON i.id = s.item')).toEqual([
      ['Pear', '3'],
      ['fig', '12'],
      ['fig', 'x'],
    ]);
    expect(() => rows(sqlite, 'SELECT name FROM item')).toThrow('no such column');
    sqlite.close();
  });

  it('gives added columns the affinity of their type', () => {
    create(SHOP);
    const sqlite = play({ additions: [add('sale', 'n', ['1', '2', '3'], { declaredType: 'INT' })] });
    expect(rows(sqlite, `SELECT item, typeof(n) FROM sale WHERE n >= '2'`)).toEqual([
      [2n, 'integer'],
      [2n, 'integer'],
    ]);
    const joined = `SELECT i.id, t.n FROM item AS i LEFT JOIN sale AS t ON t.item = i.id AND t.n > '2' ORDER BY i.id`;
    expect(rows(sqlite, joined)).toEqual([
      [2n, 3n],
      [5n, null],
      [7n, null],
    ]);
    sqlite.close();
  });

  it('shows what the written copy holds, stored views and keys of any kind included', () => {
    create(`${SHOP}
      CREATE TABLE w (p TEXT, q, v, PRIMARY KEY (q DESC, p COLLATE NOCASE)) WITHOUT ROWID;
      INSERT INTO w VALUES ('b', 1, 'x'), ('A', 1, 'y'), (CAST(x'ff' AS TEXT), 2, 'z'), ('c', 1.5, NULL);
      CREATE TABLE s (a INT, b ANY) STRICT; INSERT INTO s (rowid, a, b) VALUES (9, 1, '1'), (4, 2, 2.0);`);
    const change: DatabaseChange = {
      renames: [
        { table: 'item', from: 'price', to: 'select' },
        { table: 'w', from: 'q', to: 'rank' },
      ],
      additions: [
        add('item', 'n', ['1', '2', 'x'], { declaredType: 'INT', before: 'id' }),
        add('w', 'note', ['1', '2', '3', '4'], { before: 'p' }),
        add('s', 'level', [1n, 2n], { declaredType: 'DECIMAL(5)' }),
      ],
    };
    const copied = join(folder, 'copy.sqlite');
    materializeCopy(file, copied, change);
    const [copy, sqlite] = [openUntouched(copied), play(change)];
    for (const table of ['item', 'sale', 'w', 's', 'cheap']) {
      const columns = names(copy, `SELECT * FROM ${table}`);
      expect(names(sqlite, `SELECT * FROM ${table}`)).toEqual(columns);
      const list = columns.map((name) => `"${name}", typeof("${name}"), hex("${name}")`).join(', ');
      expect(rows(sqlite, `SELECT ${list} FROM ${table}`)).toEqual(rows(copy, `SELECT ${list} FROM ${table}`));
    }
    copy.close();
    sqlite.close();
  });

  it('leaves stored views as they are: over the original’s tables, under their own column names', () => {
    create(SHOP);
    const sqlite = play({
      renames: [
        { table: 'item', from: 'name', to: 'label' },
        { table: 'item', from: 'price', to: 'name' },
      ],
      additions: [add('item', 'zest', ['a', 'b', 'c'], { before: 'id' })],
    });
    expect(names(sqlite, 'SELECT * FROM cheap')).toEqual(['name', 'price']);
    expect(rows(sqlite, 'SELECT * FROM cheap')).toEqual([['Pear', 4]]);
    sqlite.close();
  });

  it('has no row ids to offer', () => {
    create(SHOP);
    const sqlite = play({ renames: [{ table: 'sale', from: 'amount', to: 'sum' }] });
    expect(() => rows(sqlite, 'SELECT rowid FROM sale')).toThrow('no such column: rowid');
    sqlite.close();
  });

  it('finds the rows of a table without row ids by its primary key', () => {
    create(`CREATE TABLE w (p TEXT COLLATE NOCASE, q, v, PRIMARY KEY (q DESC, p)) WITHOUT ROWID;
      INSERT INTO w VALUES ('b', 1, 'x'), ('A', 1, 'y'), (CAST(x'ff' AS TEXT), 2, 'z'), ('b', 1.5, NULL)`);
    const before = rows(openUntouched(file), 'SELECT CAST(p AS BLOB), q, v FROM w') as unknown[][];
    const sqlite = play({ additions: [add('w', 'n', ['1', '2', '3', '4'], { before: 'v' })] });
    const after = rows(sqlite, 'SELECT CAST(p AS BLOB), q, n, v FROM w') as unknown[][];
    expect(after).toEqual(before.map(([p, q, v], row) => [p, q, String(row + 1), v]));
    sqlite.close();
  });

  it('names rows where columns take the names of the row id, and says where it can’t', () => {
    create(`CREATE TABLE a (rowid TEXT, oid TEXT); INSERT INTO a VALUES ('x', 'y'), ('u', 'v');
      CREATE TABLE b (rowid INTEGER PRIMARY KEY, _rowid_, oid); INSERT INTO b VALUES (4, 1, 1);
      CREATE TABLE c (rowid, _rowid_, oid); INSERT INTO c VALUES (1, 2, 3);`);
    const sqlite = play({ additions: [add('a', 'n', ['1', '2']), add('b', 'n', ['1'])] });
    expect(rows(sqlite, 'SELECT * FROM a')).toEqual([
      ['x', 'y', '1'],
      ['u', 'v', '2'],
    ]);
    expect(rows(sqlite, 'SELECT * FROM b')).toEqual([[4n, 1n, 1n, '1']]);
    sqlite.close();
    expect(() => render({ additions: [add('c', 'n', ['1'])] })).toThrow(InputFormatError);
    expect(() => render({ renames: [{ table: 'c', from: 'oid', to: 'x' }] })).not.toThrow();
  });

  it('takes STRICT tables, names of its own and empty tables', () => {
    create(`CREATE TABLE s (a ANY, b INT) STRICT; INSERT INTO s VALUES ('1', 1);
      CREATE TABLE perturbql_added_1 (x); CREATE TABLE "select ""1""" ("from" INT);`);
    const sqlite = play({
      additions: [add('s', 'c', ['1'], { declaredType: 'ANY' }), add('select "1"', 'where', [])],
    });
    expect(rows(sqlite, 'SELECT *, typeof(c) FROM s')).toEqual([['1', 1n, '1', 'text']]);
    expect(names(sqlite, 'SELECT * FROM "select ""1"""')).toEqual(['from', 'where']);
    expect(rows(sqlite, 'SELECT * FROM perturbql_added_1')).toEqual([]);
    sqlite.close();
  });

  it('says whose it is, and is the same for the same change', () => {
    create(SHOP);
    const change = { additions: [add('item', 'n', ['it’s', "'\n--", '\0'])] };
    expect(render(change)).toBe(render(change));
    expect(readViewScriptHeader(render(change))).toEqual(HEADER);
    for (const text of ['', 'SELECT 1', '-- perturbql 0\n-- {']) {
      expect(() => readViewScriptHeader(text)).toThrow(InputFormatError);
    }
  });

  it('refuses what the database lacks, and a number of values that is not that of the rows', () => {
    create(SHOP);
    for (const change of [
      { renames: [{ table: 'nope', from: 'a', to: 'b' }] },
      { renames: [{ table: 'item', from: 'nope', to: 'b' }] },
      { renames: [{ table: 'sqlite_schema', from: 'name', to: 'b' }] },
      { additions: [add('item', 'n', ['1'])] },
      { additions: [add('item', 'n', ['1', '2', '3'], { before: 'nope' })] },
    ]) {
      expect(() => render(change)).toThrow(InputFormatError);
    }
  });
});

describe('playing a view script', () => {
  it('leaves the original and its folder as they are, in WAL mode, too', () => {
    for (const mode of ['delete', 'wal']) {
      rmSync(file, { force: true });
      create(`PRAGMA journal_mode = ${mode}; ${SHOP}`);
      const bytes = readFileSync(file);
      const sqlite = play({ additions: [add('item', 'n', ['1', '2', '3'])] });
      expect(rows(sqlite, 'SELECT n FROM item')).toEqual([['1'], ['2'], ['3']]);
      if (mode === 'delete') expect(() => sqlite.exec('DELETE FROM sale')).toThrow('readonly');
      sqlite.close();
      expect(readFileSync(file).equals(bytes)).toBe(true);
      expect(readdirSync(folder)).toEqual(['shop.sqlite']);
    }
  });
});

const value: fc.Arbitrary<SqlValue> = fc.oneof(
  fc.constant(null),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true }),
  fc.string({ unit: 'binary' }).filter((text) => !/\p{Cs}/u.test(text)),
  fc.string({ unit: fc.constantFrom('\0', "'", '"', '\n', '\r', 'a', '-', ';', '😀') }),
  fc.uint8Array(),
);

describe('renderLiteral', () => {
  it.each(['UTF-8', 'UTF-16le', 'UTF-16be'] as const)('is read back as the very value, in %s', (encoding) => {
    const sqlite = new Sqlite(':memory:');
    sqlite.pragma(`encoding = '${encoding}'`);
    sqlite.exec('CREATE TABLE t (a)');
    fc.assert(
      fc.property(value, (original) => {
        sqlite.exec(`DELETE FROM t; INSERT INTO t VALUES (${renderLiteral(original, encoding)})`);
        const [read] = rows(sqlite, 'SELECT a FROM t')[0] as [SqlValue];
        // SQLite has one zero.
        const expected = Object.is(original, -0) ? 0 : original;
        if (original instanceof Uint8Array) expect(Buffer.from(original).equals(read as Buffer)).toBe(true);
        else expect(Object.is(read, -0) ? 0 : read).toBe(expected);
      }),
      { numRuns: 500 },
    );
    sqlite.close();
  });
});

describe('a view script of any change', () => {
  const type = fc.constantFrom('', 'INT', 'TEXT', 'REAL', 'NUMERIC', 'BLOB', 'TEXT COLLATE NOCASE');
  const table = fc.record({
    types: fc.array(type, { minLength: 1, maxLength: 4 }),
    withoutRowid: fc.boolean(),
    seeds: fc.array(fc.tuple(value, value, value, value), { maxLength: 6 }),
    renamed: fc.subarray([0, 1, 2, 3]),
    additions: fc.array(fc.tuple(type, fc.nat(4), fc.array(value, { minLength: 6, maxLength: 6 })), { maxLength: 3 }),
  });

  it('shows what a copy with the same change holds', () => {
    fc.assert(
      fc.property(table, ({ types, withoutRowid, seeds, renamed, additions }) => {
        const source = new Sqlite(':memory:');
        const columns = types.map((declared, c) => `c${c} ${declared}`);
        const end = withoutRowid ? ', PRIMARY KEY (k)) WITHOUT ROWID' : ')';
        source.exec(`CREATE TABLE t (k INT, ${columns.join(', ')}${end}`);
        seeds.forEach((row, k) => {
          const values = [k * 3, ...row.slice(0, types.length)];
          source.prepare(`INSERT INTO t VALUES (${values.map(() => '?').join(', ')})`).run(...values);
        });
        const change: DatabaseChange = {
          renames: renamed.flatMap((c) => (c < types.length ? [{ table: 't', from: `c${c}`, to: `new ${c}` }] : [])),
          additions: additions.map(([declared, place, values], a) => ({
            table: 't',
            name: `added ${a}`,
            declaredType: declared.split(' ')[0]!,
            before: place < types.length ? `c${place}` : null,
            values: values.slice(0, seeds.length),
          })),
        };
        const script = renderViewScript(source, change, HEADER);
        // The copy: columns renamed, then added at the end, whose order a SELECT puts right.
        for (const { from, to } of change.renames) source.exec(`ALTER TABLE t RENAME COLUMN "${from}" TO "${to}"`);
        for (const { name, declaredType, values } of change.additions) {
          source.exec(`ALTER TABLE t ADD COLUMN "${name}" ${declaredType}`);
          values.forEach((item, k) => source.prepare(`UPDATE t SET "${name}" = ? WHERE k = ?`).run(item, k * 3));
        }
        const original = new Sqlite(source.serialize());
        for (const { name } of change.additions) original.exec(`ALTER TABLE t DROP COLUMN "${name}"`);
        for (const { from, to } of change.renames) original.exec(`ALTER TABLE t RENAME COLUMN "${to}" TO "${from}"`);
        original.exec(script);
        const order = names(original, 'SELECT * FROM t');
        const select = order.map((name) => `"${name}", typeof("${name}"), hex("${name}")`).join(', ');
        const where = [`"k" >= '3'`, `"k" IN (SELECT max(k) FROM t)`, ...order.map((name) => `"${name}" > 'A'`)];
        for (const condition of ['1', ...where]) {
          const query = `SELECT ${select} FROM t WHERE ${condition} ORDER BY k`;
          expect(rows(original, query)).toEqual(rows(source, query));
        }
        expect(names(source, 'SELECT * FROM t').sort()).toEqual([...order].sort());
        source.close();
        original.close();
      }),
      { numRuns: 60 },
    );
  });
});
