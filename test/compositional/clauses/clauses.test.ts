import { describe, expect, it } from 'vitest';
import { ClauseRefusal } from '../../../src/compositional/clauses/clause-refusal.js';
import { queryText, sqlOf } from '../../../src/compositional/clauses/write-clauses.js';
import { joinKeysOf } from '../../../src/compositional/clauses/join-keys.js';
import { clausesOf } from '../../../src/compositional/clauses/read-clauses.js';
import { errorOf } from '../../error-of.js';
import { STADIUMS } from '../stadium-database.js';

const KEYS = joinKeysOf(STADIUMS);

function textOf(sql: string): string {
  return queryText(clausesOf(sql, STADIUMS, KEYS), STADIUMS);
}

function backAgain(sql: string): string {
  return sqlOf(clausesOf(sql, STADIUMS, KEYS), STADIUMS, KEYS);
}

/** A query, its clauses, and the SQL that they give. */
const TRIPS: readonly (readonly [what: string, sql: string, clauses: string, back: string])[] = [
  [
    'one table without aliases',
    'select name from stadium where capacity > 500',
    'select Stadium.Name · Stadium.Capacity > 500',
    'SELECT Name FROM Stadium WHERE Capacity > 500',
  ],
  [
    'a join by a foreign key, which is not said',
    'SELECT T1.name FROM stadium AS T1 JOIN concert AS T2 ON T1.stadium_id = T2.stadium_id WHERE T2.year = 2014',
    'select Stadium.Name · concert.Year = 2014',
    'SELECT T1.Name FROM Stadium AS T1 JOIN concert AS T2 ON T1.Stadium_ID = T2.Stadium_ID WHERE T2.Year = 2014',
  ],
  [
    'a join over a table between, and one in WHERE',
    'SELECT s.name FROM singer s, performance p, concert c WHERE s.singer_id = p.singer_id AND p.concert_id = c.id AND c.year = 2014',
    'select singer.Name · concert.Year = 2014',
    'SELECT T1.Name FROM singer AS T1 JOIN performance AS T2 ON T1.Singer_ID = T2.Singer_ID JOIN concert AS T3 ON T2.Concert_ID = T3.ID WHERE T3.Year = 2014',
  ],
  [
    'a table that is only joined',
    'SELECT T1.name FROM stadium AS T1 JOIN concert AS T2 USING (stadium_id)',
    'select Stadium.Name · related concert',
    'SELECT T1.Name FROM Stadium AS T1 JOIN concert AS T2 ON T1.Stadium_ID = T2.Stadium_ID',
  ],
  [
    'a key other than the first',
    'SELECT p.name FROM player p JOIN match m ON m.loser_id = p.player_id',
    'select player.Name · via "match".Loser_ID = player.Player_ID',
    'SELECT T1.Name FROM player AS T1 JOIN "match" AS T2 ON T2.Loser_ID = T1.Player_ID',
  ],
  [
    'a table joined twice',
    'SELECT w.name, l.name FROM match m JOIN player w ON m.winner_id = w.player_id JOIN player l ON m.loser_id = l.player_id',
    'select player.Name · select player#1.Name · via "match".Loser_ID = player#1.Player_ID',
    'SELECT T1.Name, T3.Name FROM player AS T1 JOIN "match" AS T2 ON T1.Player_ID = T2.Winner_ID JOIN player AS T3 ON T2.Loser_ID = T3.Player_ID',
  ],
  [
    'groups, what is counted, and conditions on them',
    'SELECT T1.name, count(*) FROM stadium T1 JOIN concert T2 ON T1.stadium_id = T2.stadium_id WHERE T2.year > 2000 GROUP BY T1.stadium_id HAVING count(*) >= 2',
    'select Stadium.Name · select count(*) · concert.Year > 2000 · and count(*) >= 2 · group by Stadium.Stadium_ID',
    'SELECT T1.Name, count(*) FROM Stadium AS T1 JOIN concert AS T2 ON T1.Stadium_ID = T2.Stadium_ID WHERE T2.Year > 2000 GROUP BY T1.Stadium_ID HAVING count(*) >= 2',
  ],
  [
    'a condition on a group key in HAVING, where WHERE has OR',
    "SELECT country FROM singer WHERE age > 20 OR name = 'x' GROUP BY country HAVING country != 'France'",
    "select singer.Country · (singer.Age > 20 OR singer.Name = 'x') · and singer.Country != 'France' · group by singer.Country",
    "SELECT Country FROM singer WHERE (Age > 20 OR Name = 'x') AND Country != 'France' GROUP BY Country",
  ],
  [
    'order by a result column, and limit',
    'SELECT country, count(*) AS n FROM singer GROUP BY 1 ORDER BY n DESC LIMIT 3',
    'select singer.Country · select count(*) · group by singer.Country · order by count(*) desc · limit 3',
    'SELECT Country, count(*) FROM singer GROUP BY Country ORDER BY count(*) DESC LIMIT 3',
  ],
  [
    'a term that selects the same, without what it selects',
    'SELECT name FROM stadium EXCEPT SELECT T1.name FROM stadium T1 JOIN concert T2 ON T1.stadium_id = T2.stadium_id WHERE T2.year = 2014',
    'select Stadium.Name · except (concert.Year = 2014)',
    'SELECT Name FROM Stadium EXCEPT SELECT T1.Name FROM Stadium AS T1 JOIN concert AS T2 ON T1.Stadium_ID = T2.Stadium_ID WHERE T2.Year = 2014',
  ],
  [
    'a term that selects something else, and the order of the whole',
    'SELECT name FROM stadium UNION SELECT name FROM singer ORDER BY name',
    'select Stadium.Name · union (select singer.Name) · order by Stadium.Name asc',
    'SELECT Name FROM Stadium UNION SELECT Name FROM singer ORDER BY Name ASC',
  ],
  [
    'nested queries',
    'SELECT name FROM singer WHERE age > (SELECT avg(age) FROM singer) AND singer_id NOT IN (SELECT singer_id FROM performance)',
    'select singer.Name · singer.Age > (select avg(singer.Age)) · and singer.Singer_ID NOT IN (select performance.Singer_ID)',
    'SELECT Name FROM singer WHERE Age > (SELECT avg(Age) FROM singer) AND Singer_ID NOT IN (SELECT Singer_ID FROM performance)',
  ],
  [
    'OR in parentheses, lists, ranges, patterns, NULL and double quotes',
    `SELECT DISTINCT name FROM singer WHERE (country = "France" OR age BETWEEN 20 AND 30) AND name LIKE '%o''c%' AND age IN (1, 2) AND country IS NOT NULL`,
    `distinct · select singer.Name · (singer.Country = 'France' OR singer.Age BETWEEN 20 AND 30) · and singer.Name LIKE '%o''c%' · and singer.Age IN (1, 2) · and singer.Country IS NOT NULL`,
    `SELECT DISTINCT Name FROM singer WHERE (Country = 'France' OR Age BETWEEN 20 AND 30) AND Name LIKE '%o''c%' AND Age IN (1, 2) AND Country IS NOT NULL`,
  ],
  [
    'an aggregate next to a plain column in one group',
    'SELECT max(capacity), name FROM stadium',
    'select max(Stadium.Capacity) · select Stadium.Name · group by NULL',
    'SELECT max(Capacity), Name FROM Stadium',
  ],
];

describe('clauses of a query', () => {
  it.each(TRIPS)('say %s', (_, sql, clauses) => {
    expect(textOf(sql)).toBe(clauses);
  });

  it.each(TRIPS)('give it back: %s', (_, sql, __, back) => {
    expect(backAgain(sql)).toBe(back);
    expect(backAgain(back)).toBe(back);
  });

  it('are grouped by what is selected next to an aggregate where they say no group', () => {
    const { distinct, clauses } = clausesOf('SELECT country, count(*) FROM singer GROUP BY country', STADIUMS, KEYS);
    const without = clauses.filter(({ kind }) => kind !== 'group');
    expect(sqlOf({ distinct, clauses: without }, STADIUMS, KEYS)).toBe(
      'SELECT Country, count(*) FROM singer GROUP BY Country',
    );
  });
});

describe('a query outside the form is refused by name', () => {
  it.each([
    ['unreadable', 'SELECT nothing FROM singer'],
    ['with', 'WITH s AS (SELECT * FROM singer) SELECT name FROM s'],
    ['values', 'VALUES (1)'],
    ['no-from', 'SELECT 1'],
    ['outer-join', 'SELECT s.name FROM stadium s LEFT JOIN concert c ON s.stadium_id = c.stadium_id'],
    ['derived-table', 'SELECT count(*) FROM (SELECT name FROM singer)'],
    [
      'correlated',
      'SELECT name FROM stadium s WHERE EXISTS (SELECT 1 FROM concert c WHERE c.stadium_id = s.stadium_id)',
    ],
    ['unjoined-tables', 'SELECT s.name FROM stadium s, singer'],
    ['window', 'SELECT name, rank() OVER (ORDER BY age) FROM singer'],
    ['having-plain', 'SELECT country FROM singer GROUP BY country HAVING age > 3'],
    ['having-or', `SELECT country FROM singer GROUP BY country HAVING count(*) > 3 OR country = 'x'`],
    ['limit', 'SELECT name FROM singer LIMIT 1 + 1'],
    ['nulls', 'SELECT name FROM singer ORDER BY age NULLS LAST'],
    ['expression', 'SELECT age > 3 FROM singer'],
    ['condition', 'SELECT name FROM singer WHERE age'],
  ])('%s', (reason, sql) => {
    expect(errorOf(ClauseRefusal, () => clausesOf(sql, STADIUMS, KEYS)).reason).toBe(reason);
  });

  it('where no key joins what clauses mention', () => {
    const query = clausesOf('SELECT name FROM stadium', STADIUMS, KEYS);
    const other = clausesOf('SELECT name FROM player', STADIUMS, KEYS);
    const both = { distinct: false, clauses: [...query.clauses, ...other.clauses] };
    expect(errorOf(ClauseRefusal, () => sqlOf(both, STADIUMS, KEYS)).reason).toBe('unjoined-tables');
  });
});

describe('join keys', () => {
  const CITY = 'SELECT s.name FROM stadium s JOIN singer g ON s.city = g.country';

  it('are the foreign keys, then those of golds, by use', () => {
    const golds = [CITY, 'SELECT p.name FROM player p JOIN match m ON m.loser_id = p.player_id', 'not a query'];
    const keys = joinKeysOf(STADIUMS, golds);
    expect(keys).toHaveLength(6);
    expect(keys[0]).toEqual({ from: { table: 4, column: 2 }, to: { table: 5, column: 0 } });
    expect(keys[5]).toEqual({ from: { table: 0, column: 2 }, to: { table: 2, column: 2 } });
  });

  it('of golds join tables without a foreign key', () => {
    const keys = joinKeysOf(STADIUMS, [CITY]);
    const clauses = clausesOf(CITY, STADIUMS, keys);
    expect(queryText(clauses, STADIUMS)).toBe('select Stadium.Name · related singer');
    expect(sqlOf(clauses, STADIUMS, keys)).toBe(
      'SELECT T1.Name FROM Stadium AS T1 JOIN singer AS T2 ON T1.City = T2.Country',
    );
  });
});
