import { describe, expect, it } from 'vitest';
import { changesBetween, errorTypeOf } from '../../../src/measure/consistency/clusters/query-change.js';
import { formPair, sameQuery } from '../../../src/evaluate/exact/same-query.js';
import type { Database } from '../../../src/schema/schema.js';

const schemaOf = (tables: Readonly<Record<string, readonly string[]>>): Database => ({
  id: 'd',
  tables: Object.entries(tables).map(([table, columns]) => ({
    name: table,
    originalName: table,
    columns: columns.map((name) => ({ name, originalName: name, type: 'text' })),
  })),
  primaryKeys: [],
  foreignKeys: [],
});

const SEED = schemaOf({ singer: ['id', 'name', 'country', 'age'], concert: ['id', 'singer_id', 'year'] });
const JOINED = 'SELECT T2.name FROM concert AS T1 JOIN singer AS T2 ON T1.singer_id = T2.id';

const same = (before: string | null, after: string | null, schema = SEED): boolean | null =>
  sameQuery({ sql: before, schema: SEED }, { sql: after, schema }, 'ignored');

describe('sameQuery', () => {
  it('goes by names, wherever tables and columns stand', () => {
    const moved = schemaOf({ concert: ['year', 'singer_id', 'id'], singer: ['age', 'id', 'country', 'name'] });
    expect(same(JOINED, JOINED, moved)).toBe(true);
    expect(same(JOINED, 'select s.name from singer s join concert c on s.id = c.singer_id', moved)).toBe(true);
    expect(same(JOINED, JOINED.replace('T2.name', 'T2.age'), moved)).toBe(false);
  });

  it('takes a renamed column for what it was, and only where nothing else changed its place', () => {
    const renamed = schemaOf({ singer: ['id', 'name', 'nation', 'age'], concert: ['id', 'singer_id', 'year'] });
    expect(same('SELECT country FROM singer', 'SELECT nation FROM singer', renamed)).toBe(true);
    expect(same('SELECT country FROM singer', 'SELECT age FROM singer', renamed)).toBe(false);
    const removed = schemaOf({ singer: ['id', 'name', 'age'], concert: ['id', 'singer_id', 'year'] });
    expect(same('SELECT country FROM singer', 'SELECT age FROM singer', removed)).toBe(false);
  });

  it('distinguishes occurrences of a table, whatever they are called and wherever tables are', () => {
    const moved = schemaOf({ concert: ['year', 'singer_id', 'id'], singer: ['age', 'id', 'country', 'name'] });
    const pairs = 'FROM singer AS T1 JOIN singer AS T2 ON T1.id = T2.age';
    const older = (other: string): string =>
      `SELECT name FROM singer AS T1 WHERE age > (SELECT avg(age) FROM singer AS T2 WHERE T2.country = ${other}.country)`;
    expect(same(`SELECT T1.name ${pairs}`, `SELECT T2.name ${pairs}`, moved)).toBe(false);
    expect(same(`SELECT T1.name ${pairs}`, 'SELECT b.name FROM singer a, singer b ON b.id = a.age', moved)).toBe(true);
    expect(same(`SELECT max(T1.age) ${pairs}`, `SELECT max(T2.age) ${pairs}`, moved)).toBe(false);
    expect(same(older('T1'), older('T2'), moved)).toBe(false);
    expect(same(older('T1'), older('T1').replaceAll('T2', 'x'), moved)).toBe(true);
  });

  it('distinguishes stars by their tables', () => {
    const joined = 'FROM concert AS T1 JOIN singer AS T2 ON T1.singer_id = T2.id';
    expect(same(`SELECT T1.* ${joined}`, `SELECT T2.* ${joined}`)).toBe(false);
    expect(same(`SELECT T1.* ${joined}`, `SELECT * ${joined}`)).toBe(false);
    const other = 'SELECT concert.* FROM singer JOIN concert ON singer_id = singer.id';
    expect(same(`SELECT T1.* ${joined}`, other)).toBe(true);
    expect(same('SELECT T1.* FROM singer AS T1', 'SELECT * FROM singer')).toBe(true);
  });

  it('ignores literals unless told otherwise', () => {
    const [first, second] = ['SELECT name FROM singer WHERE age > 1', 'SELECT name FROM singer WHERE age > 2'];
    expect(same(first, second)).toBe(true);
    expect(sameQuery({ sql: first, schema: SEED }, { sql: second, schema: SEED }, 'compared')).toBe(false);
  });

  it('tells words that are no SQL for their schema by their spelling', () => {
    expect(same('SELECT nothing FROM singer', 'select  nothing from singer;')).toBe(true);
    expect(same('SELECT nothing FROM singer', 'SELECT name FROM singer')).toBe(false);
    expect(same(null, null)).toBe(true);
    expect(same(null, 'SELECT name FROM singer')).toBe(false);
  });

  it('says nothing of SQL that exact match has no form for', () => {
    const outer = 'SELECT singer.name FROM singer LEFT JOIN concert ON singer.id = concert.singer_id';
    expect(same(outer, outer)).toBe(true);
    expect(same(outer, 'SELECT name FROM singer')).toBeNull();
  });
});

describe('changesBetween', () => {
  const changes = (before: string, after: string): readonly string[] =>
    changesBetween(before, after, formPair({ sql: before, schema: SEED }, { sql: after, schema: SEED }, 'ignored'));

  it.each([
    ['SELECT name FROM singer', 'SELECT age FROM singer', ['columns'], 'column prediction'],
    ['SELECT count(*) FROM singer', 'SELECT * FROM singer', ['aggregates'], 'aggregate function'],
    ['SELECT max(age) FROM singer', 'SELECT min(age) FROM singer', ['aggregates'], 'aggregate function'],
    ['SELECT name FROM singer WHERE age > 1', 'SELECT name FROM singer WHERE age >= 1', ['operators'], 'operator'],
    ['SELECT name FROM singer', 'SELECT name FROM singer WHERE age > 1', ['conditions'], 'column prediction'],
    [
      'SELECT name FROM singer WHERE age > 1 AND id > 2',
      'SELECT name FROM singer WHERE age > 1 OR id > 2',
      ['AND/OR'],
      'operator',
    ],
    ['SELECT name FROM singer', 'SELECT DISTINCT name FROM singer', ['DISTINCT'], 'others'],
    ['SELECT name FROM singer', 'SELECT name FROM singer ORDER BY age', ['ORDER BY'], 'column prediction'],
    ['SELECT name FROM singer', 'SELECT name FROM singer LIMIT 1', ['LIMIT'], 'others'],
    [
      'SELECT T1.name FROM singer AS T1 JOIN singer AS T2 ON T1.id = T2.age',
      'SELECT T2.name FROM singer AS T1 JOIN singer AS T2 ON T1.id = T2.age',
      ['columns'],
      'column prediction',
    ],
    [JOINED, JOINED.replace('T1.singer_id', 'T1.id'), ['joins'], 'table joining'],
    ['SELECT T2.name FROM singer AS T2', JOINED, ['tables'], 'table joining'],
    ['SELECT year FROM concert', 'SELECT age FROM singer', ['tables', 'columns'], 'table joining'],
    [
      'SELECT name FROM singer',
      'SELECT name FROM singer EXCEPT SELECT year FROM concert',
      ['set operation'],
      'complex query',
    ],
  ])('%s → %s', (before, after, expected, type) => {
    expect(changes(before, after)).toEqual(expected);
    expect(
      errorTypeOf(
        changesBetween(before, after, formPair({ sql: before, schema: SEED }, { sql: after, schema: SEED }, 'ignored')),
      ),
    ).toBe(type);
  });

  it('names what is no query', () => {
    expect(changesBetween('SELECT 1', null, null)).toEqual(['SQL lost']);
    expect(changesBetween(null, 'SELECT 1', null)).toEqual(['SQL added']);
    expect(changesBetween('SELECT x', 'SELECT y', null)).toEqual(['unreadable']);
    expect(changes('SELECT name FROM singer', 'SELECT singer.name FROM singer')).toEqual(['result']);
    expect(errorTypeOf(['SQL lost'])).toBe('others');
    expect(errorTypeOf(['columns', 'aggregates'])).toBe('aggregate function');
    expect(errorTypeOf(['tables', 'aggregates', 'operators'])).toBe('complex query');
  });
});
