import { describe, expect, it } from 'vitest';
import { ExactMatch, type ExactVerdict } from '../../../src/evaluate/exact/exact-match.js';
import { createTextDatabase } from '../../sql/town-database.js';

const OWNERS = createTextDatabase('owners', {
  person: ['id', 'name', 'age', 'boss'],
  pet: ['pet_id', 'id', 'name', 'weight', 'kind'],
});

const METRIC = new ExactMatch();
const judge = (gold: string, predicted: string): ExactVerdict =>
  METRIC.judgePair({ id: 'q', group: 'q', database: OWNERS, gold, predicted });

const PAIRS = 'FROM pet T1 JOIN person T2 ON T1.id = T2.id JOIN person T3 ON T1.pet_id = T3.id';
const OWNED = 'FROM person T1 JOIN pet T2 ON T1.id = T2.id';
const nested = (inner: string): string => `SELECT name FROM pet T1 WHERE weight > (SELECT avg(weight) ${inner})`;

describe('what Spider’s structure has no place for', () => {
  it.each([
    ['an occurrence', `SELECT T3.name ${PAIRS} WHERE T2.name = "K"`, `SELECT T2.name ${PAIRS} WHERE T2.name = "K"`],
    ['an occurrence in a join', `SELECT T2.age ${PAIRS}`, `SELECT T2.age ${PAIRS.replace('T3.id', 'T2.id')}`],
    ['an occurrence in a call', `SELECT max(T3.age) ${PAIRS}`, `SELECT max(T2.age) ${PAIRS}`],
    [
      'two occurrences compared',
      'SELECT T1.name FROM person T1 JOIN person T2 ON T1.boss = T2.id WHERE T1.age > T2.age',
      'SELECT T1.name FROM person T1 JOIN person T2 ON T1.boss = T2.id WHERE T1.age < T2.age',
    ],
    ['the query around', nested('FROM pet T2 WHERE T2.kind = T1.kind'), nested('FROM pet T2 WHERE T2.kind = T2.kind')],
    [
      'a subquery in FROM',
      'SELECT T1.name FROM person T1 JOIN (SELECT id, name FROM person) T2 ON T1.id = T2.id',
      'SELECT T2.name FROM person T1 JOIN (SELECT id, name FROM person) T2 ON T1.id = T2.id',
    ],
    ['a star', `SELECT T1.* ${OWNED}`, `SELECT T2.* ${OWNED}`],
    ['all of a star', `SELECT T1.* ${OWNED}`, `SELECT * ${OWNED}`],
    ['the star of an occurrence', `SELECT T2.* ${PAIRS}`, `SELECT T3.* ${PAIRS}`],
    ['OR in ON', `SELECT T1.age ${OWNED}`, `SELECT T1.age ${OWNED} OR T1.name = T2.name`],
    ['NULLS', 'SELECT name FROM person ORDER BY age', 'SELECT name FROM person ORDER BY age NULLS LAST'],
    ['COLLATE', 'SELECT name FROM person GROUP BY name', 'SELECT name FROM person GROUP BY name COLLATE NOCASE'],
    [
      'the clause of COLLATE',
      'SELECT age FROM person GROUP BY name COLLATE NOCASE ORDER BY name',
      'SELECT age FROM person GROUP BY name ORDER BY name COLLATE NOCASE',
    ],
    [
      'UNION after UNION ALL',
      'SELECT name FROM person UNION ALL SELECT name FROM pet UNION SELECT kind FROM pet',
      'SELECT name FROM person UNION SELECT name FROM pet UNION ALL SELECT kind FROM pet',
    ],
    [
      'the halves of both',
      'SELECT name FROM person UNION SELECT name FROM pet UNION ALL SELECT kind FROM pet',
      'SELECT kind FROM pet UNION SELECT name FROM pet UNION ALL SELECT name FROM person',
    ],
    [
      'an alias given twice',
      `SELECT T1.name ${OWNED} WHERE T2.weight > (SELECT avg(T1.weight) FROM pet T1)`,
      `SELECT T2.name ${OWNED} WHERE T2.weight > (SELECT avg(T1.weight) FROM pet T1)`,
    ],
  ])('distinguishes by %s', (_, gold, predicted) => {
    expect(judge(gold, gold).outcome).toBe('correct');
    expect(judge(predicted, predicted).outcome).toBe('correct');
    expect(judge(gold, predicted).outcome).toBe('wrong');
    expect(judge(predicted, gold).outcome).toBe('wrong');
  });

  it.each([
    [
      'aliases',
      'SELECT name FROM person WHERE id IN (SELECT id FROM pet)',
      'SELECT T1.name FROM person AS T1 WHERE T1.id IN (SELECT T1.id FROM pet AS T1)',
    ],
    [
      'aliases of a second half',
      'SELECT T1.name FROM person T1 EXCEPT SELECT T2.name FROM person T1 JOIN pet T2 ON T1.id = T2.id',
      'SELECT T1.name FROM person T1 EXCEPT SELECT T1.name FROM person T2 JOIN pet T1 ON T2.id = T1.id',
    ],
    ['the alias of a star', 'SELECT * FROM person', 'SELECT T1.* FROM person T1'],
    ['the star of a table', `SELECT T1.* ${OWNED}`, 'SELECT person.* FROM pet JOIN person ON person.id = pet.id'],
    [
      'occurrences in another sequence',
      `SELECT T3.name ${PAIRS} WHERE T2.name = "K"`,
      'SELECT a.name FROM person a JOIN pet c ON a.id = c.pet_id JOIN person b ON b.id = c.id WHERE b.name = "K"',
    ],
    [
      'five occurrences in another sequence',
      'SELECT e.name FROM person a, person b, person c, person d, person e WHERE a.boss = b.id AND b.boss = c.id AND c.boss = d.id AND d.boss = e.id',
      'SELECT c.name FROM person a, person b, person c, person d, person e WHERE d.boss = b.id AND b.boss = a.id AND a.boss = e.id AND e.boss = c.id',
    ],
    [
      'equal subqueries in another sequence',
      'SELECT a.name FROM (SELECT id, name FROM pet) a JOIN (SELECT id, name FROM pet) b ON a.id = b.id WHERE b.name = "K"',
      'SELECT a.name FROM (SELECT id, name FROM pet) b JOIN (SELECT id, name FROM pet) a ON a.id = b.id WHERE b.name = "K"',
    ],
    [
      'where NULLs stand anyway',
      'SELECT name FROM person ORDER BY age',
      'SELECT name FROM person ORDER BY age NULLS FIRST',
    ],
  ])('takes for the same but for %s', (_, gold, predicted) => {
    expect(judge(gold, predicted).outcome).toBe('correct');
    expect(judge(predicted, gold).outcome).toBe('correct');
  });

  it('names the source as the reason', () => {
    const gold = 'SELECT T1.name FROM person AS T1 JOIN person AS T2 ON T1.boss = T2.id WHERE T2.age > 3';
    expect(judge(gold, gold.replace('T1.name', 'T2.name')).differences).toEqual(['sources']);
  });

  it('tells OR in one of several join conditions', () => {
    expect(judge(`SELECT T2.age ${PAIRS}`, `SELECT T2.age ${PAIRS} OR T1.name = T3.name`).outcome).toBe('wrong');
  });

  it('stays small on many occurrences', () => {
    const many = Array.from({ length: 400 }, (_, i) => `person t${i}`).join(', ');
    expect(judge(`SELECT t1.name FROM ${many}`, `SELECT t1.name FROM ${many}`).outcome).toBe('correct');
    const nest = (depth: number): string =>
      depth === 0
        ? '3'
        : `(SELECT max(a.age) FROM person a, person b WHERE a.age > b.age AND a.id = ${nest(depth - 1)})`;
    const deep = nest(40).slice(1, -1);
    expect(judge(deep, deep.replaceAll('b', 'c')).outcome).toBe('correct');
  });
});
