import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleTable, type TableSample } from '../../../src/rows/values/table-sample.js';
import { type AddedColumnRequest, createAddedValues } from '../../../src/rows/values/added-values.js';
import type { SqlValue } from '../../../src/sql/execution/query-outcome.js';
import { sqlitePath } from '../../../src/formats/sample-values.js';
import { createRng } from '../../../src/seeded-rng.js';
import { COLUMN_TYPES } from '../../../src/schema/schema.js';
import { openUntouched } from '../../../src/sql/execution/open-untouched.js';

function tableOf(ddl: string, ...rows: readonly (readonly unknown[])[]): TableSample {
  const sqlite = new Sqlite(':memory:');
  sqlite.exec(ddl);
  for (const row of rows) sqlite.prepare(`INSERT INTO t VALUES (${row.map(() => '?').join(', ')})`).run(...row);
  const sample = sampleTable(sqlite, 't');
  sqlite.close();
  return sample;
}

function add(request: Partial<AddedColumnRequest> & { table: TableSample }, seed = 1) {
  return createAddedValues(
    { name: 'note', type: 'text', sourceValues: [], target: 'a', ...request },
    createRng(seed, 'test'),
  );
}

const rows = (count: number, make: (row: number) => unknown[]) => Array.from({ length: count }, (_, row) => make(row));
const distinct = (values: readonly SqlValue[]) => new Set(values).size;

describe('createAddedValues', () => {
  it('draws numbers around those of the retrieved column', () => {
    const table = tableOf('CREATE TABLE t (a TEXT, n INT)', ...rows(40, (row) => [`x${row}`, row]));
    const { declaredType, values } = add({
      table,
      name: 'fee',
      type: 'number',
      sourceValues: ['$ 12.50', '8.25', '30'],
    });
    expect(declaredType).toBe('REAL');
    expect(values.every((value) => Number(value) > 0 && Number(value) < 60)).toBe(true);
    expect(values.some((value) => !Number.isInteger(value))).toBe(true);
    expect(distinct(values)).toBeGreaterThan(20);
  });

  it('gives a column that is text to its schema what its name asks for, and declares it as text', () => {
    const table = tableOf(
      'CREATE TABLE t (a TEXT, opened TEXT)',
      ...rows(40, (row) => [`x${row}`, `2019-03-${10 + (row % 20)}`]),
    );
    const of = (name: string, sourceValues: readonly string[] = []): readonly string[] => {
      const { declaredType, values } = add({ table, name, type: 'text', sourceValues });
      expect([name, declaredType]).toEqual([name, 'TEXT']);
      return values.map(String);
    };
    for (const date of [of('best before'), of('expiration date'), of('licence', ['2020-01-05', '2021-06-30'])])
      expect(date.every((text) => /^\d{4}-\d\d-\d\d$/.test(text))).toBe(true);
    for (const number of [of('income'), of('hives harvested'), of('fee', ['$ 12.50', '8.25'])])
      expect(number.every((text) => /^\d+(?:\.\d+)?$/.test(text))).toBe(true);
    expect(of('team id').every((text) => /^[A-Z]{2}\d{4}$/.test(text))).toBe(true);
    expect(new Set(of('is volunteer'))).toEqual(new Set(['no', 'yes']));
    // Samples that are none count for more than the name.
    expect(new Set(of('income', ['high', 'low']))).toEqual(new Set(['high', 'low']));
  });

  it('keeps to whole thousands and to the ends that a name suggests', () => {
    const table = tableOf('CREATE TABLE t (a TEXT)', ...rows(60, (row) => [`x${row}`]));
    const sums = add({
      table,
      name: 'endorsement fee',
      type: 'number',
      sourceValues: ['750000', '2400000', '3100000'],
    });
    expect(sums.values.every((value) => Number(value) >= 240_000 && Number(value) % 10_000 === 0)).toBe(true);
    const scores = add({ table, name: 'score', type: 'number', sourceValues: ['87', '92', '95'] });
    expect(scores.values.every((value) => Number(value) > 70 && Number(value) <= 100)).toBe(true);
    const years = add({ table, name: 'year opened', type: 'number', sourceValues: ['1976', '2004', '2015'] });
    expect(years.values.every((value) => Number(value) > 1950 && Number(value) <= 2020)).toBe(true);
  });

  it('repeats the few texts of a category and mixes the names of people', () => {
    const table = tableOf('CREATE TABLE t (a TEXT)', ...rows(60, (row) => [`Person ${row}`]));
    const colors = add({ table, name: 'shade', sourceValues: ['Red', 'Green', 'Dark blue'] });
    expect([...new Set(colors.values)].sort()).toEqual(['Dark blue', 'Green', 'Red']);
    const sourceValues = ['Helen Tranter', 'Peter Quill', 'Rosa Medina'];
    const people = add({ table, name: 'manager', sourceValues });
    expect(distinct(people.values)).toBe(9);
    const codes = add({ table, name: 'plate', sourceValues: ['AB-123', 'KL-815'] });
    expect(codes.values.every((value) => /^[A-Z]{2}-\d{3}$/u.test(String(value)))).toBe(true);
    expect(distinct(codes.values)).toBeGreaterThan(50);
  });

  it.each([
    ['1999-12-31', '2014-03-02', /^\d{4}-\d{2}-\d{2}$/u],
    ['31 December 1999', '2 March 2014', /^\d{1,2} [A-Z][a-z]+ \d{4}$/u],
    ['Dec 31, 1999', 'Mar 2, 2014', /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/u],
    ['12/31/1999', '03/02/2014', /^\d{2}\/\d{2}\/\d{4}$/u],
  ])('writes a date as its neighbor %s', (first, second, pattern) => {
    const table = tableOf(
      'CREATE TABLE t (a TEXT, d DATE)',
      ...rows(20, (row) => [`${row}`, row % 2 ? first : second]),
    );
    const sourceValues = ['2001-05-06', '2003-01-02'];
    const { declaredType, values } = add({ table, name: 'opening date', type: 'time', sourceValues });
    expect(declaredType).toBe('DATE');
    expect(values.every((value) => pattern.test(String(value)))).toBe(true);
    expect(values.every((value) => /200[0-4]/u.test(String(value)))).toBe(true);
  });

  it('gives sums of money the range and the type of the table’s money, whatever was found elsewhere', () => {
    const table = tableOf(
      'CREATE TABLE t (a TEXT, HourlyWage REAL, Guests INT)',
      ...rows(40, (row) => [`x${row}`, 20.5 + row / 4, 1000 + row]),
    );
    for (const name of ['overtime pay', 'bonus', 'rent increase', 'deposit refund']) {
      const { declaredType, values } = add({ table, name, type: 'number', sourceValues: ['63628', '117542'] });
      expect([name, declaredType]).toEqual([name, 'REAL']);
      expect([name, values.every((value) => Number(value) > 5 && Number(value) < 45)]).toEqual([name, true]);
    }
    const beside = add({ table, name: 'estimated value', type: 'number', target: 'HourlyWage' });
    expect(beside.values.every((value) => Number(value) < 45)).toBe(true);
    // Shares of money are none.
    const share = add({ table, name: 'discount percentage', type: 'number' });
    expect(share.values.some((value) => Number(value) > 50)).toBe(true);
  });

  it('gives a sum the range of prices where the table has no money, and a rating the scale of the table’s', () => {
    const table = tableOf(
      'CREATE TABLE t (a TEXT, "Guest Rating" REAL)',
      ...rows(40, (row) => ['x', 6 + (row % 8) / 2]),
    );
    const deposits = add({ table, name: 'deposit', type: 'number' });
    expect(deposits.declaredType).toBe('REAL');
    expect(Math.max(...deposits.values.map(Number))).toBeGreaterThan(100);
    const ratings = add({ table, name: 'cleanliness rating', type: 'number', target: 'Guest Rating' });
    expect(ratings.declaredType).toBe('REAL');
    expect(ratings.values.every((value) => Number(value) > 4 && Number(value) < 12)).toBe(true);
  });

  it('reads samples with units where numbers are wanted', () => {
    const table = tableOf('CREATE TABLE t (a TEXT)', ...rows(40, (row) => [`x${row}`]));
    const sourceValues = ['1.7 litre', '3 persons', '200 sheets'];
    const { values } = add({ table, name: 'capacity', type: 'number', sourceValues });
    expect(values.every((value) => typeof value === 'number' && value > 0 && value < 400)).toBe(true);
  });

  it('declares a time of day and a year as no date', () => {
    const table = tableOf(
      'CREATE TABLE t (a TEXT, d DATE)',
      ...rows(30, (row) => [`x${row}`, `2020-01-${10 + (row % 20)}`]),
    );
    const clock = add({ table, name: 'arrival time', type: 'time' });
    expect(clock.declaredType).toBe('TEXT');
    expect(clock.values.every((value) => /^\d\d:\d\d/u.test(String(value)))).toBe(true);
    const year = add({ table, name: 'renovation year', type: 'time' });
    expect(year.declaredType).toBe('INTEGER');
    expect(year.values.every((value) => typeof value === 'bigint')).toBe(true);
    const timed = tableOf('CREATE TABLE t (a TEXT, b TIME)', ...rows(30, (row) => ['x', `${10 + (row % 9)}:30`]));
    expect(add({ table: timed, name: 'arrival time', type: 'time' }).declaredType).toBe('TIME');
  });

  it.each([
    ['barcode', /^\d{13}$/u],
    ['pronouns', /^(?:he\/him|she\/her|they\/them)$/iu],
    ['translator', /^[A-Z][a-z]+ [A-Z][a-z]+$/u],
    ['event organizer', /^[A-Z][a-z]+ [A-Z][a-z]+$/u],
    ['approved by', /^[A-Z][a-z]+ [A-Z][a-z]+$/u],
    ['reminder sent', /^(?:no|yes)$/iu],
    ['is coach', /^(?:no|yes)$/iu],
    ['translated', /^(?:no|yes)$/iu],
    ['email address', /@example\.com$/u],
    ['street address', /^\d+ /u],
    ['call sign', /^[A-Z]{2}\d{4}$/u],
    ['arrival terminal', /^[A-Z]\d+$/u],
    ['time zone', /^UTC/u],
    ['opening hours', /\d:00$/u],
    ['file version', /^v\d\.\d$/u],
    ['return until', /^\d{4}-\d\d-\d\d$/u],
    // A type of school is no school, the meaning of a name no name, and a district no state.
    ['school type', /^(?!Northwind|Blue|Summit)/u],
    ['name meaning', /^(?!Leo|Alice)[A-Z]?[a-z]+ [a-z]+/iu],
    ['district', /^(?!Ohio|Iowa|Texas|Maine|Alabama|Kansas)/u],
    ['payment type', /^(?:Cash|Check|Credit Card|Debit Card|Transfer)$/u],
    // A model of a machine is nobody.
    ['projector model', /^[A-Z]{2}\d{4}$/u],
  ])('writes texts for %s', (name, pattern) => {
    const table = tableOf('CREATE TABLE t (a TEXT)', ...rows(30, (row) => [`Word ${row}`]));
    const { values } = add({ table, name });
    expect(values.filter((value) => !pattern.test(String(value)))).toEqual([]);
  });

  it('writes years as the neighbor does: as numbers', () => {
    const table = tableOf('CREATE TABLE t (a TEXT, "founding year" INT)', ...rows(20, (row) => ['x', 1980 + row]));
    const { declaredType, values } = add({ table, name: 'closing year', type: 'time' });
    expect(declaredType).toBe('INT');
    expect(values.every((value) => typeof value === 'bigint' && value > 1970n && value < 2010n)).toBe(true);
  });

  it.each([
    ['T', 'F'],
    ['yes', 'no'],
    ['Y', 'N'],
  ])('says yes and no as its neighbors: %s, %s', (yes, no) => {
    const table = tableOf('CREATE TABLE t (a TEXT, b bool)', ...rows(20, (row) => ['x', row % 3 ? yes : no]));
    const { declaredType, values } = add({ table, name: 'open', type: 'boolean', sourceValues: ['true', 'false'] });
    expect(declaredType).toBe('bool');
    expect(new Set(values)).toEqual(new Set([yes, no]));
  });

  it.each([
    ['age', 'number', (value: SqlValue) => Number(value) >= 18 && Number(value) <= 80],
    ['percentage of votes', 'number', (value: SqlValue) => Number(value) >= 0 && Number(value) <= 100],
    ['contact email', 'text', (value: SqlValue) => /^[a-z.]+@example\.com$/u.test(String(value))],
    ['web site', 'text', (value: SqlValue) => String(value).startsWith('https://www.example.com/')],
    ['phone', 'text', (value: SqlValue) => /^\d{3}-555-0\d{3}$/u.test(String(value))],
  ] as const)('knows what %s is like', (name, type, fits) => {
    const table = tableOf('CREATE TABLE t (a TEXT)', ...rows(30, (row) => [`x${row}`]));
    expect(add({ table, name, type }).values.every(fits)).toBe(true);
  });

  it('takes a number’s range and decimals from its neighbors where the name says nothing', () => {
    const table = tableOf('CREATE TABLE t (a decimal(10,2))', ...rows(30, (row) => [1000.25 + row]));
    const { declaredType, values } = add({ table, name: 'zorp', type: 'number' });
    expect(declaredType).toBe('decimal(10,2)');
    expect(values.every((value) => Number(value) > 800 && Number(value) < 1300)).toBe(true);
  });

  it('gives an id for each row that are none of the target’s', () => {
    const table = tableOf('CREATE TABLE t (a INTEGER PRIMARY KEY)', ...rows(30, (row) => [row + 1]));
    const { values } = add({ table, name: 'badge number', type: 'number' });
    expect(distinct(values)).toBe(30);
    expect(values.every((value) => Number(value) > 30)).toBe(true);
  });

  it('writes texts in the case of the neighbors', () => {
    const low = tableOf('CREATE TABLE t (a text)', ...rows(20, (row) => [`some word ${row}`]));
    const lower = add({ table: low, name: 'city', sourceValues: ['Boston', 'New York'] });
    expect(new Set(lower.values)).toEqual(new Set(['boston', 'new york']));
    expect(lower.declaredType).toBe('text');
    const high = tableOf('CREATE TABLE t (a VARCHAR(12))', ...rows(20, (row) => [`WORD ${row}`]));
    const upper = add({ table: high, name: 'city', sourceValues: ['Boston', 'Santiago de Compostela'] });
    expect(new Set(upper.values)).toEqual(new Set(['BOSTON', 'SANTIAGO DE COMPOSTELA']));
    expect(upper.declaredType).toBe('VARCHAR(30)');
  });

  it('declares what STRICT tables take, and nothing where nothing is declared', () => {
    const strict = tableOf('CREATE TABLE t (a TEXT) STRICT', ['x'], ['y']);
    for (const type of COLUMN_TYPES) {
      expect(['INTEGER', 'TEXT', 'REAL']).toContain(add({ table: strict, type }).declaredType);
    }
    expect(add({ table: tableOf('CREATE TABLE t (a)', [1], [2]), type: 'number' }).declaredType).toBe('');
  });

  it('gives no values for no rows, and NULL alone where the target is NULL alone', () => {
    expect(add({ table: tableOf('CREATE TABLE t (a TEXT)') }).values).toEqual([]);
    expect(add({ table: tableOf('CREATE TABLE t (a TEXT)', [null], [null]) }).values).toEqual([null, null]);
  });
});

const cell = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom('a', 'b', 'T', 'F', '2014-03-02', '1', ''),
  fc.constantFrom(0.5, 1.25),
);

const keys = (values: readonly SqlValue[]): string[] =>
  values.map((value) => `${typeof value === 'bigint' ? 'number' : typeof value} ${String(value)}`);

describe('createAddedValues on any table', () => {
  const request = fc.record({
    declared: fc.tuple(
      fc.constantFrom('', 'INT', 'TEXT', 'bool', 'DATE', 'REAL'),
      fc.constantFrom('INTEGER', 'TEXT', ''),
    ),
    cells: fc.array(fc.tuple(cell, cell), { maxLength: 12 }),
    type: fc.constantFrom(...COLUMN_TYPES),
    name: fc.constantFrom('price', 'opening date', 'is open', 'zorp', 'badge number', 'city', 'year'),
    sourceValues: fc.constantFrom([], ['a'], ['1'], ['T', 'F'], ['2014-03-02', '2015-01-01'], ['1', '2', '3']),
    seed: fc.nat(),
  });
  const build = ({ declared, cells }: { declared: readonly [string, string]; cells: readonly unknown[][] }) =>
    tableOf(`CREATE TABLE t (a ${declared[0]}, b ${declared[1]})`, ...cells);

  it('has one value per row, NULL as often as the target, and is no permutation of the target', () => {
    fc.assert(
      fc.property(request, ({ seed, type, name, sourceValues, ...shape }) => {
        const table = build(shape);
        const { values } = add({ table, type, name, sourceValues }, seed);
        const target = table.columns[0]!.cells;
        const nulls = (cells: readonly SqlValue[]) => cells.filter((value) => value === null).length;
        expect(values).toHaveLength(table.rowCount);
        expect(nulls(values)).toBe(nulls(target));
        if (nulls(values) < values.length) expect(keys(values).sort()).not.toEqual(keys(target).sort());
      }),
      { numRuns: 400 },
    );
  });

  it('is no permutation of the target where a text that is drawn is stored as its number', () => {
    const table = tableOf('CREATE TABLE t (a DATE, b INTEGER)', ['1', 0.5]);
    const { values } = add({ table, type: 'boolean', name: 'price', sourceValues: ['1'] }, 915022290);
    expect(keys(values)).not.toEqual(['number 1']);
  });

  it('is stored as it is returned, and the same for the same seed', () => {
    fc.assert(
      fc.property(request, ({ seed, type, name, sourceValues, ...shape }) => {
        const table = build(shape);
        const added = add({ table, type, name, sourceValues }, seed);
        expect(add({ table, type, name, sourceValues }, seed)).toEqual(added);
        const sqlite = new Sqlite(':memory:');
        sqlite.exec(`CREATE TABLE s (v ${added.declaredType})`);
        for (const value of added.values) sqlite.prepare('INSERT INTO s VALUES (?)').run(value);
        const stored = sqlite.prepare('SELECT v, typeof(v) FROM s').raw().safeIntegers().all() as [SqlValue, string][];
        const storage = (value: SqlValue) =>
          value === null ? 'null' : typeof value === 'bigint' ? 'integer' : typeof value === 'number' ? 'real' : 'text';
        expect(stored).toEqual(added.values.map((value) => [value, storage(value)]));
        sqlite.close();
      }),
    );
  });
});

describe('sampleTable', () => {
  it('tells row count, NULL shares, types and cells in the order of the row ids', () => {
    const sqlite = new Sqlite(':memory:');
    sqlite.exec('CREATE TABLE t (a INT, b AS (a + 1)); CREATE INDEX i ON t (a)');
    sqlite.exec('INSERT INTO t (rowid, a) VALUES (3, 7), (1, NULL), (2, 9)');
    expect(sampleTable(sqlite, 'T')).toEqual({
      rowCount: 3,
      strict: false,
      columns: [
        { name: 'a', declaredType: 'INT', cells: [null, 9n, 7n], nullShare: 1 / 3 },
        { name: 'b', declaredType: '', cells: [null, 10n, 8n], nullShare: 1 / 3 },
      ].map((column) => ({ ...column, nullShare: expect.closeTo(1 / 3) as number })),
    });
    sqlite.close();
  });

  it('passes over cells that are too long, and refuses views', () => {
    const sqlite = new Sqlite(':memory:');
    sqlite.exec(
      "CREATE TABLE t (a); INSERT INTO t VALUES (hex(zeroblob(40000))), ('b'); CREATE VIEW v AS SELECT a FROM t",
    );
    expect(sampleTable(sqlite, 't').columns).toEqual([
      { name: 'a', declaredType: '', cells: [null, 'b'], nullShare: 0 },
    ]);
    expect(() => sampleTable(sqlite, 'V')).toThrow('this is a view, which has no rows of its own');
    sqlite.close();
  });
});

const SPIDER = '../shared/data/spider/database';

describe.skipIf(!existsSync(SPIDER))('createAddedValues on Spider (skipped without ../shared/data/spider)', () => {
  it('fits every type to every column of concert_singer', () => {
    const sqlite = openUntouched(sqlitePath(SPIDER, 'concert_singer'));
    for (const name of ['stadium', 'singer', 'concert', 'singer_in_concert']) {
      const table = sampleTable(sqlite, name);
      for (const { name: target } of table.columns) {
        for (const type of COLUMN_TYPES) expect(add({ table, type, target }).values).toHaveLength(table.rowCount);
      }
    }
    sqlite.close();
  });
});
