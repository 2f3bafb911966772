import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { readSqliteSchema, spiderType } from '../../src/formats/read-sqlite-schema.js';

describe('readSqliteSchema', () => {
  it('reads tables, columns, types and keys', () => {
    const sqlite = new Sqlite(':memory:');
    sqlite.exec(`CREATE TABLE City(ID INTEGER PRIMARY KEY AUTOINCREMENT, Home_Town VARCHAR(20), founded DATE, big BOOL, x BLOB);
      CREATE TABLE visit(b, a, cityRef REFERENCES city, day REFERENCES City(FOUNDED), gone REFERENCES nowhere, g AS (a || b), PRIMARY KEY (a, b)) WITHOUT ROWID;
      CREATE TABLE pair(p, q, FOREIGN KEY (p, q) REFERENCES visit);
      CREATE VIEW v AS SELECT * FROM city; CREATE VIRTUAL TABLE f USING fts5(body);`);
    const schema = readSqliteSchema(sqlite, 'town');
    sqlite.close();
    expect(schema.id).toBe('town');
    expect(schema.tables.map(({ name, originalName }) => [name, originalName])).toEqual([
      ['city', 'City'],
      ['visit', 'visit'],
      ['pair', 'pair'],
      ['f', 'f'],
      ['v', 'v'],
    ]);
    expect(schema.tables[3]).toMatchObject({
      isView: true,
      columns: [{ originalName: 'body', fixed: true }],
      hidden: ['f', 'rank'],
    });
    expect(schema.tables[4]).toMatchObject({
      isView: true,
      columns: [{ originalName: 'ID', type: 'number', fixed: true }, {}, {}, {}, {}],
    });
    expect(schema.tables[0]?.columns).toEqual([
      { name: 'id', originalName: 'ID', type: 'number' },
      { name: 'home town', originalName: 'Home_Town', type: 'text' },
      { name: 'founded', originalName: 'founded', type: 'time' },
      { name: 'big', originalName: 'big', type: 'boolean' },
      { name: 'x', originalName: 'x', type: 'others' },
    ]);
    expect(schema.tables[1]?.columns.map(({ name }) => name)).toEqual(['b', 'a', 'city ref', 'day', 'gone', 'g']);
    expect(schema.primaryKeys).toEqual([
      { table: 0, column: 0 },
      { table: 1, column: 1 },
      { table: 1, column: 0 },
    ]);
    expect(schema.foreignKeys).toEqual([
      { from: { table: 1, column: 2 }, to: { table: 0, column: 0 } },
      { from: { table: 1, column: 3 }, to: { table: 0, column: 2 } },
      { from: { table: 2, column: 0 }, to: { table: 1, column: 1 } },
      { from: { table: 2, column: 1 }, to: { table: 1, column: 0 } },
    ]);
  });

  it('reads views of views, and such as SQLite can’t tell the columns of; leaves out broken ones', () => {
    const sqlite = new Sqlite(':memory:');
    sqlite.exec(`CREATE TABLE city(id INT, name TEXT);
      CREATE VIEW outer_one AS SELECT n, kind || 'x' AS m FROM quoted;
      CREATE VIEW quoted(n, kind) AS SELECT name, "a text" FROM city;
      CREATE VIEW twice AS SELECT a.id, b.id FROM city AS a, city AS b;
      CREATE VIEW broken AS SELECT x FROM gone;`);
    const { tables } = readSqliteSchema(sqlite, 'town');
    sqlite.close();
    const names = tables.map(({ originalName, columns }) => [originalName, ...columns.map((one) => one.originalName)]);
    expect(names.slice(0, 1)).toEqual([['city', 'id', 'name']]);
    expect(names.slice(1).sort()).toEqual([
      ['outer_one', 'n', 'm'],
      ['quoted', 'n', 'kind'],
      ['twice', 'id', 'id:1'],
    ]);
  });

  it.each([
    ['VARCHAR(20)', 'text'],
    ['', 'text'],
    ['bigint unsigned', 'number'],
    ['DECIMAL(10,2)', 'number'],
    ['double precision', 'number'],
    ['datetime', 'time'],
    ['TIMESTAMP', 'time'],
    ['boolean', 'boolean'],
    ['BLOB', 'others'],
    ['bit', 'others'],
  ])('%s is %s', (declared, type) => {
    expect(spiderType(declared)).toBe(type);
  });
});
