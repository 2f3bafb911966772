import { describe, expect, it } from 'vitest';
import { plugValues } from '../../src/evaluate/plug-values.js';
import { CONCERTS } from './concert-database.js';

const GOLD = "SELECT Name FROM Singer WHERE Country = 'France' AND Age > 35 LIMIT 3";
const plug = (predicted: string, gold = GOLD, limit?: number): ReturnType<typeof plugValues> =>
  plugValues(gold, predicted, CONCERTS, limit);

describe('plugValues', () => {
  it('gives the prediction, the values in turn, then all other ways, each once', () => {
    const { queries, isCut } = plug('SELECT Name FROM Singer WHERE Country = 1 AND Age > 1');
    const of = (a: string, b: string): string => `SELECT Name FROM Singer WHERE Country = ${a} AND Age > ${b}`;
    expect(queries.slice(0, 3)).toEqual([of('1', '1'), of("'France'", '35'), of("'France'", "'France'")]);
    expect(queries).toHaveLength(10);
    expect(new Set(queries).size).toBe(10);
    expect(isCut).toBe(false);
  });

  it('takes strings in any quotes, numbers and the bare word value for places, names not', () => {
    const { queries } = plug(`SELECT "Name" FROM Singer WHERE Country = "value" OR Age = value`, 'SELECT 7');
    expect(queries.at(-1)).toBe(`SELECT "Name" FROM Singer WHERE Country = 7 OR Age = 7`);
  });

  it('leaves aliases in quotes, where they are given and where they are used', () => {
    const gold = 'SELECT Name FROM Singer WHERE Age > 25 ORDER BY Name DESC';
    const predicted = (age: number): string =>
      `SELECT Name AS "full name" FROM Singer WHERE Age > ${age} ORDER BY "Full Name" DESC`;
    expect(plug(predicted(1), gold).queries).toEqual([predicted(1), predicted(25)]);
    expect(plug("SELECT Name AS 'n' FROM Singer", gold).queries).toHaveLength(1);
    expect(plug('SELECT Age AS value FROM Singer', gold).queries).toHaveLength(1);
    expect(plug('SELECT Name FROM Singer WHERE Age > 1', predicted(25)).queries).toEqual([
      'SELECT Name FROM Singer WHERE Age > 1',
      'SELECT Name FROM Singer WHERE Age > 25',
    ]);
  });

  it.each([
    ['bare, used in quotes', (age: string) => `SELECT Name AS n FROM Singer WHERE Age > ${age} ORDER BY "N"`],
    ['without AS', (age: string) => `SELECT Name "full name" FROM Singer WHERE Age > ${age} ORDER BY "full name"`],
    ['a string', (age: string) => `SELECT Name 'full name' FROM Singer WHERE Age > ${age}`],
    ['the word value', (age: string) => `SELECT Name value FROM Singer WHERE Age > ${age} ORDER BY value`],
    ['of a call', (age: string) => `SELECT count(*) "n" FROM Singer WHERE Age > ${age} GROUP BY Name HAVING "n" = Age`],
    ['of a table', (age: string) => `SELECT "s".Name FROM Singer "s" WHERE "s".Age > ${age}`],
    ['of a table, the word value', (age: string) => `SELECT value.Name FROM Singer value WHERE value.Age > ${age}`],
    ['of a subquery', (age: string) => `SELECT "n" FROM (SELECT Name AS n FROM Singer WHERE Age > ${age}) "all"`],
    [
      'of a common table',
      (age: string) => `WITH "t"("n") AS (SELECT Name FROM Singer WHERE Age > ${age}) SELECT "n" FROM "t"`,
    ],
  ])('leaves an alias: %s', (_, predicted) => {
    const gold = 'SELECT Name FROM Singer WHERE Age > 25';
    expect(plug(predicted('1'), gold).queries).toEqual([predicted('1'), predicted('25')]);
    expect(plug('SELECT Name FROM Singer WHERE Age > 1', predicted('25')).queries).toHaveLength(2);
  });

  it('plugs into the word value next to an alias', () => {
    const predicted = (age: string): string => `SELECT Name AS n FROM Singer WHERE Age > ${age} ORDER BY "n"`;
    expect(plug(predicted('value'), 'SELECT 25').queries).toEqual([predicted('value'), predicted('25')]);
  });

  it('takes a text for a place that looks like the bare alias of a table', () => {
    const { queries } = plug('SELECT Name FROM Singer AS F WHERE Country = "F"', 'SELECT 7');
    expect(queries.at(-1)).toBe('SELECT Name FROM Singer AS F WHERE Country = 7');
  });

  it('gives LIMIT numbers only, or leaves it', () => {
    const { queries } = plug('SELECT Name FROM Singer LIMIT 1');
    expect(queries).toEqual([
      'SELECT Name FROM Singer LIMIT 1',
      'SELECT Name FROM Singer LIMIT 35',
      'SELECT Name FROM Singer LIMIT 3',
    ]);
    expect(plug('SELECT Name FROM Singer LIMIT 1', "SELECT 'a'").queries).toHaveLength(1);
  });

  it('keeps the sign of a number with it', () => {
    expect(plug('SELECT 1', 'SELECT Age FROM Singer WHERE Age > -5').queries).toEqual(['SELECT 1', 'SELECT -5']);
    expect(plug('SELECT Age - 1 FROM Singer', 'SELECT 5').queries.at(-1)).toBe('SELECT Age - 5 FROM Singer');
  });

  it('stops at its limit and says so', () => {
    const many = `SELECT Name FROM Singer WHERE ${Array(30).fill('Age = 1').join(' OR ')}`;
    expect(plug(many)).toMatchObject({ isCut: true, queries: { length: 500 } });
    expect(plug(many, GOLD, 7).queries).toHaveLength(7);
    expect(plug(many, GOLD, 7)).toEqual(plug(many, GOLD, 7));
  });

  it('leaves what has no values or can’t be parsed alone', () => {
    expect(plug('SELECT Name FROM Singer')).toEqual({ queries: ['SELECT Name FROM Singer'], isCut: false });
    expect(plug("SELECT 'a")).toEqual({ queries: ["SELECT 'a"], isCut: false });
    expect(plug("SELECT 'a' AND")).toEqual({ queries: ["SELECT 'a' AND"], isCut: false });
    const deep = `SELECT ${'('.repeat(50_000)}1${')'.repeat(50_000)}`;
    expect(plug(deep)).toEqual({ queries: [deep], isCut: false });
    expect(plug('SELECT 1', 'SELECT Name FROM Singer').queries).toEqual(['SELECT 1']);
    expect(plug('')).toEqual({ queries: [''], isCut: false });
  });
});
