import { describe, expect, it } from 'vitest';
import { ClauseRefusal } from '../../../src/compositional/clauses/clause-refusal.js';
import { queryText, sqlOf } from '../../../src/compositional/clauses/write-clauses.js';
import { joinKeysOf } from '../../../src/compositional/clauses/join-keys.js';
import { clausesOf } from '../../../src/compositional/clauses/read-clauses.js';
import { clausesOfNatSql } from '../../../src/compositional/clauses/read-natsql.js';
import { natSqlOf } from '../../../src/compositional/clauses/write-natsql.js';
import { errorOf } from '../../error-of.js';
import { STADIUMS } from '../stadium-database.js';

const KEYS = joinKeysOf(STADIUMS);

describe('NatSQL read into clauses', () => {
  it.each([
    [
      'select stadium.Name , count ( concert.* ) from stadium group by stadium.Name order by count ( concert.* ) desc limit 1',
      'select Stadium.Name · select count(*) · group by Stadium.Name · order by count(*) desc · limit 1',
      [[0], [1], [2], [3], [4]],
    ],
    [
      'select name from stadium where @ join concert.* and concert.year = 2014 or concert.theme = "Free Now"',
      "select Stadium.Name · related concert · concert.Year = 2014 · or concert.Theme = 'Free Now'",
      [[0], [1], [], [2], [], [3]],
    ],
    [
      'select name from singer where @.@ > avg ( singer.Age ) and singer.Country = "France"',
      "select singer.Name · singer.Age > (select avg(singer.Age) · singer.Country = 'France')",
      [[0], [1], [], [1]],
    ],
    [
      'select stadium.name from stadium where @ not in concert.* and concert.year = 2014',
      'select Stadium.Name · Stadium.Stadium_ID NOT IN (select concert.Stadium_ID · concert.Year = 2014)',
      [[0], [1], [], [1]],
    ],
    [
      'select stadium.name from stadium where except_ @ is concert.* and concert.year = 2014',
      'select Stadium.Name · except (related concert · concert.Year = 2014)',
      [[0], [], [1], [], [1]],
    ],
    [
      'select stadium.name from stadium where concert.year = 2014 and concert.year = 2015',
      'select Stadium.Name · concert.Year = 2014 · intersect (concert.Year = 2015)',
      [[0], [1], [], [2]],
    ],
    [
      'select name from stadium intersect select singer.* from singer ;',
      'select Stadium.Name · intersect (related singer)',
      [[0], [1]],
    ],
    [
      'select distinct country from singer where age between 20 and 30 order by name , age',
      'distinct · select singer.Country · singer.Age BETWEEN 20 AND 30 · order by singer.Name asc · order by singer.Age asc',
      [[0], [1], [2, 3]],
    ],
  ])('%s', (natsql, clauses, parts) => {
    const read = clausesOfNatSql(natsql, STADIUMS, KEYS);
    expect(queryText(read.query, STADIUMS)).toBe(clauses);
    expect(read.parts).toEqual(parts);
  });

  it.each([
    'select name from nowhere',
    'select nothing from singer',
    'name from singer',
    'select name from singer where age',
    'select name from singer where age > 3 limit',
    'select name from singer order age',
  ])('is refused where it is none: %s', (natsql) => {
    expect(errorOf(ClauseRefusal, () => clausesOfNatSql(natsql, STADIUMS, KEYS)).reason).toBe('natsql');
  });
});

describe('clauses written as NatSQL', () => {
  it.each([
    "SELECT T1.Name FROM Stadium AS T1 JOIN concert AS T2 ON T1.Stadium_ID = T2.Stadium_ID WHERE T2.Year > 2014 AND T1.City = 'Bonn'",
    'SELECT Country, count(*) FROM singer WHERE Age > 20 GROUP BY Country ORDER BY count(*) DESC LIMIT 3',
    'SELECT Name FROM singer WHERE Age > (SELECT avg(Age) FROM singer)',
    'SELECT Name FROM Stadium WHERE Stadium_ID NOT IN (SELECT Stadium_ID FROM concert)',
    'SELECT Name FROM Stadium EXCEPT SELECT T1.Name FROM Stadium AS T1 JOIN concert AS T2 ON T1.Stadium_ID = T2.Stadium_ID WHERE T2.Year = 2014',
  ])('come back: %s', (sql) => {
    const { text } = natSqlOf(clausesOf(sql, STADIUMS, KEYS), STADIUMS);
    expect(sqlOf(clausesOfNatSql(text, STADIUMS, KEYS).query, STADIUMS, KEYS)).toBe(sql);
  });

  it('have the numbers under which they are read', () => {
    const sql = "SELECT Name FROM singer WHERE Age > 20 AND Country = 'France' ORDER BY Age ASC, Name ASC LIMIT 2";
    const { text, parts } = natSqlOf(clausesOf(sql, STADIUMS, KEYS), STADIUMS);
    const read = clausesOfNatSql(text, STADIUMS, KEYS);
    expect(parts).toEqual([0, 1, 3, 4, 4, 5]);
    expect(parts.map((part, clause) => read.parts[part]?.includes(clause))).toEqual(parts.map(() => true));
  });

  it.each([
    'SELECT w.name, l.name FROM match m JOIN player w ON m.winner_id = w.player_id JOIN player l ON m.loser_id = l.player_id',
    'SELECT Name FROM singer WHERE Age IN (1, 2)',
    'SELECT max(Age), Name FROM singer',
    "SELECT Name FROM singer WHERE (Age > 3 OR Age < 2) AND Country = 'x'",
    'SELECT Name FROM singer ORDER BY Age ASC, Name DESC',
  ])('are refused where it has no form for them: %s', (sql) => {
    expect(errorOf(ClauseRefusal, () => natSqlOf(clausesOf(sql, STADIUMS, KEYS), STADIUMS)).reason).toBe('natsql');
  });
});
