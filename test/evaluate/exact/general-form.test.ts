import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactMatch, type ExactVerdict } from '../../../src/evaluate/exact/exact-match.js';
import { formGeneral, type WordedForm } from '../../../src/evaluate/exact/form-comparison.js';
import type { ValueRule } from '../../../src/evaluate/exact/form-rules.js';
import { readQuery } from '../../../src/evaluate/exact/query-reading.js';
import { createSpiderNames } from '../../../src/evaluate/exact/spider-names.js';
import type { Database } from '../../../src/schema/schema.js';
import { JOIN_QUERIES } from '../../sql/join-queries.js';
import { randomQuery, randomTown } from '../../sql/random-queries.js';
import { createTextDatabase, TOWN } from '../../sql/town-database.js';
import { TOWN_QUERIES } from '../../sql/town-queries.js';
import { hasVerdicts, NEEDS_VERDICTS, readPairs } from '../evaluation-files.js';

const PEOPLE = createTextDatabase('people', {
  person: ['id', 'name', 'age', 'boss'],
  pet: ['pet_id', 'id', 'name', 'weight'],
});
const METRIC = new ExactMatch();

const judge = (gold: string, predicted: string, database: Database = PEOPLE): ExactVerdict =>
  METRIC.judgePair({ id: 'q', group: 'q', database, gold, predicted });

function readGeneralQuery(sql: string, database: Database, values: ValueRule): WordedForm | null {
  const read = readQuery(sql, database);
  return 'fault' in read ? null : formGeneral(read, createSpiderNames(database), values);
}

const where = (condition: string): string => `SELECT name FROM person WHERE ${condition}`;
const CTE = (name: string): string => `WITH ${name} AS (SELECT id, age FROM person) SELECT max(age) FROM ${name}`;
const RANK = 'rank() OVER (PARTITION BY boss ORDER BY age';
const LEFT = 'FROM person p LEFT JOIN pet q ON p.id = q.id';

describe('the form of any query', () => {
  it.each([...TOWN_QUERIES, ...JOIN_QUERIES])('%s is correct against itself', (sql) => {
    expect(judge(sql, sql, TOWN)).toMatchObject({ outcome: 'correct' });
    expect(readGeneralQuery(sql, TOWN, 'ignored')).toEqual(readGeneralQuery(sql, TOWN, 'ignored'));
  });

  it('every query of the parser’s corpus that is random is correct against itself', () => {
    const town = randomTown.chain(({ database }) => fc.tuple(fc.constant(database), randomQuery(database)));
    const isEqual = ([database, sql]: readonly [Database, string]): boolean =>
      readGeneralQuery(sql, database, 'compared') === null || judge(sql, sql, database).outcome === 'correct';
    fc.assert(fc.property(town, isEqual), { numRuns: 200 });
  });

  it('takes commuted terms of AND and OR for the same', () => {
    const term = fc.constantFrom(
      'age IS NULL',
      'age > 3',
      'name LIKE "x"',
      'id IN (1, 2)',
      'NOT boss = 1',
      'age * 2 < 5',
    );
    const { condition } = fc.letrec<{ condition: readonly [string, string] }>((tie) => ({
      condition: fc.oneof(
        { depthSize: 'small' },
        term.map((text): readonly [string, string] => [text, text]),
        fc
          .tuple(fc.constantFrom('AND', 'OR'), tie('condition'), tie('condition'))
          .map(([word, a, b]): readonly [string, string] => [`(${a[0]} ${word} ${b[0]})`, `(${b[1]} ${word} ${a[1]})`]),
      ),
    }));
    const isEqual = ([one, other]: readonly [string, string]): boolean =>
      judge(where(one), where(other)).outcome === 'correct';
    fc.assert(fc.property(condition, isEqual), { numRuns: 300 });
  });

  it.each([
    ['OR in parentheses', where('id = 1 AND (age = 2 OR boss = 3)'), where('(boss = 1 OR 2 = age) AND id = 1')],
    [
      'ORDER BY a condition',
      'SELECT id FROM person ORDER BY age > 40 OR age < 30',
      'SELECT id FROM person ORDER BY age < 4 OR 4 < age',
    ],
    ['IS NULL', where('age IS NULL'), where('age ISNULL')],
    ['the values of IN', where('id IN (1, 2, 3)'), where('id IN (4)')],
    ['names of common tables', CTE('a'), CTE('b')],
    [
      'a named window',
      `SELECT ${RANK}) FROM person`,
      'SELECT rank() OVER w FROM person WINDOW w AS (PARTITION BY boss ORDER BY age)',
    ],
    [
      'aliases',
      `SELECT p.name ${LEFT} WHERE q.id IS NULL`,
      'SELECT person.name FROM person LEFT JOIN pet ON pet.id = person.id WHERE pet.id IS NULL',
    ],
    [
      'columns that joins set equal',
      'SELECT p.id FROM person p JOIN pet q ON p.id = q.id WHERE age IS NULL',
      'SELECT q.id FROM pet q JOIN person p ON q.id = p.id WHERE age IS NULL',
    ],
    [
      'occurrences of a table',
      'SELECT a.name FROM person a JOIN person b ON a.boss = b.id WHERE b.age IS NULL',
      'SELECT b.name FROM person a JOIN person b ON a.id = b.boss WHERE a.age IS NULL',
    ],
    [
      'the place of a column',
      'SELECT coalesce(name, id), age FROM person ORDER BY 1',
      'SELECT age, coalesce(name, id) FROM person ORDER BY 2',
    ],
    ['BETWEEN', where('age BETWEEN 1 AND 2 AND boss IS NULL'), where('boss IS NULL AND age <= 9 AND age >= 3')],
  ])('takes for the same but for %s', (_, gold, predicted) => {
    expect(judge(gold, predicted).outcome).toBe('correct');
    expect(judge(predicted, gold).outcome).toBe('correct');
  });

  it.each([
    ['what OR holds', where('id = 1 AND (age = 2 OR boss = 3)'), where('(id = 1 AND age = 2) OR boss = 3')],
    ['the kind of join', `SELECT p.name ${LEFT}`, `SELECT p.name ${LEFT.replace('LEFT', 'FULL')}`],
    [
      'the sides of an outer join',
      `SELECT p.name ${LEFT}`,
      'SELECT p.name FROM pet q LEFT JOIN person p ON p.id = q.id',
    ],
    [
      'a branch of CASE',
      'SELECT CASE WHEN age > 1 THEN id ELSE boss END FROM person',
      'SELECT CASE WHEN age > 1 THEN boss ELSE id END FROM person',
    ],
    ['the format of a date', "SELECT strftime('%Y', age) FROM person", "SELECT strftime('%m', age) FROM person"],
    ['NULLS', 'SELECT id FROM person ORDER BY age + 1', 'SELECT id FROM person ORDER BY age + 1 NULLS LAST'],
    ['the order of a window', `SELECT ${RANK}) FROM person`, `SELECT ${RANK} DESC) FROM person`],
    ['OFFSET', 'SELECT id FROM person LIMIT 1 OFFSET 2', 'SELECT id FROM person LIMIT 1'],
    [
      'which column of a subquery',
      'SELECT d.a FROM (SELECT id a, age b FROM person WHERE boss IS NULL) d',
      'SELECT d.a FROM (SELECT age a, id b FROM person WHERE boss IS NULL) d',
    ],
    ['NOT', where('EXISTS (SELECT 1 FROM pet)'), where('NOT EXISTS (SELECT 1 FROM pet)')],
  ])('distinguishes by %s', (_, gold, predicted) => {
    expect(judge(gold, predicted).outcome).toBe('wrong');
    expect(judge(predicted, gold).outcome).toBe('wrong');
  });

  it('compares a query in it with one that Spider’s structure has a form for, part by part', () => {
    const { outcome, components } = judge(where('age > 1 AND (id = 1 OR id = 2)'), where('age > 1'));
    expect(outcome).toBe('wrong');
    expect(components?.where).toEqual({ gold: 2, predicted: 1, matched: 1 });
    expect(components?.select).toEqual({ gold: 1, predicted: 1, matched: 1 });
  });

  it('stays small on queries in queries', () => {
    const nest = (depth: number): string =>
      depth === 0 ? 'SELECT 1' : `SELECT (${nest(depth - 1)}) + a.id FROM person a, person b ORDER BY (${depth})`;
    expect(judge(nest(30), nest(30)).outcome).toBe('correct');
    expect(judge(nest(30), nest(29)).outcome).toBe('wrong');
  });

  it.skipIf(!hasVerdicts)(`says what Spider’s structure says where that has a form${NEEDS_VERDICTS}`, () => {
    const differing = readPairs('dev_1').filter((pair) => {
      const [gold, predicted] = [pair.gold, pair.predicted].map((sql) =>
        readGeneralQuery(sql, pair.database, 'ignored'),
      );
      const { outcome } = METRIC.judgePair(pair);
      return predicted != null && (gold?.form.whole === predicted.form.whole) !== (outcome === 'correct');
    });
    expect(differing).toEqual([]);
  });
});
