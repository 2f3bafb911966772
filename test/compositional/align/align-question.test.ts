import { describe, expect, it } from 'vitest';
import { QuestionAligner } from '../../../src/compositional/align/align-question.js';
import type { AlignedQuestion } from '../../../src/compositional/align/aligned-question.js';
import { clauseText } from '../../../src/compositional/clauses/write-clauses.js';
import { joinKeysOf } from '../../../src/compositional/clauses/join-keys.js';
import { clausesOf } from '../../../src/compositional/clauses/read-clauses.js';
import type { Segment } from '../../../src/compositional/split/segment.js';
import { STADIUMS } from '../stadium-database.js';

/** A question with a bar between its segments. */
function segmentsOf(barred: string): readonly Segment[] {
  let start = 0;
  return barred.split('|').map((text) => {
    const segment = { text, start, end: start + text.length };
    start = segment.end;
    return segment;
  });
}

function align(barred: string, sql: string): AlignedQuestion {
  const query = clausesOf(sql, STADIUMS, joinKeysOf(STADIUMS));
  const question = barred.replaceAll('|', '');
  return new QuestionAligner(STADIUMS).align({ id: 'q', question, segments: segmentsOf(barred), query });
}

function textsOf({ segments, query }: AlignedQuestion): readonly (readonly string[])[] {
  return segments.map(({ links }) =>
    links.flatMap(({ clause }) => query.clauses.slice(clause, clause + 1).map((own) => clauseText(own, STADIUMS))),
  );
}

describe('clauses of segments', () => {
  it.each([
    [
      'columns, values and the segment that asks',
      'Show the names and cities of stadiums |that can hold more than 5000 people.',
      'SELECT name, city FROM stadium WHERE capacity > 5000',
      [['select Stadium.Name', 'select Stadium.City'], ['Stadium.Capacity > 5000']],
    ],
    [
      'superlatives and the limit with them',
      'What is the name of the singer |who is the youngest?',
      'SELECT name FROM singer ORDER BY age LIMIT 1',
      [['select singer.Name'], ['order by singer.Age asc', 'limit 1']],
    ],
    [
      'the condition before the segment that asks',
      'For singers from France, |what are their names, |sorted by age in descending order?',
      "SELECT name FROM singer WHERE country = 'France' ORDER BY age DESC",
      [["singer.Country = 'France'"], ['select singer.Name'], ['order by singer.Age desc']],
    ],
    [
      'the group and what is selected by it',
      'How many singers are there |in each country?',
      'SELECT country, count(*) FROM singer GROUP BY country',
      [['select count(*)'], ['select singer.Country', 'group by singer.Country']],
    ],
    [
      'terms of a compound',
      'Which stadiums |had a concert in 2014 |but not in 2015?',
      'SELECT s.name FROM stadium s JOIN concert c USING (stadium_id) WHERE c.year = 2014 EXCEPT SELECT s.name FROM stadium s JOIN concert c USING (stadium_id) WHERE c.year = 2015',
      [['select Stadium.Name'], ['concert.Year = 2014'], ['except (concert.Year = 2015)']],
    ],
    [
      'nested queries and tables that are only joined',
      'Find the names of singers |who never performed |and are older than the average.',
      'SELECT name FROM singer WHERE singer_id NOT IN (SELECT singer_id FROM performance) AND age > (SELECT avg(age) FROM singer)',
      [
        ['select singer.Name'],
        ['singer.Singer_ID NOT IN (select performance.Singer_ID)'],
        ['and singer.Age > (select avg(singer.Age))'],
      ],
    ],
  ])('are told by %s', (_, barred, sql, expected) => {
    expect(textsOf(align(barred, sql))).toEqual(expected);
  });

  it('of a question in one segment are all certain', () => {
    const aligned = align('How many singers are there?', 'SELECT count(*) FROM singer');
    expect(aligned.confidence).toBe(1);
    expect(textsOf(aligned)).toEqual([['select count(*)']]);
  });

  it('have a lower confidence where words say less', () => {
    const sql = 'SELECT name FROM stadium WHERE capacity > 5000';
    const said = align('Show the names of stadiums |with a capacity above 5000.', sql);
    const unsaid = align('Show the big |ones.', sql);
    expect(said.confidence).toBeGreaterThan(0.9);
    expect(unsaid.confidence).toBeLessThan(said.confidence);
  });

  it('are NO MENTIONED where the order names no column', () => {
    const sql = 'SELECT name, age FROM singer ORDER BY age ASC';
    const [, silent] = align('List name and age of singers |in ascending order.', sql).segments;
    const [, said] = align('List name of singers |in ascending order of age.', sql).segments;
    expect(silent?.links.map(({ unmentioned }) => unmentioned)).toEqual([true]);
    expect(said?.links.map(({ unmentioned }) => unmentioned)).toEqual([false]);
  });

  it('are none, and the column extra, where a segment names one that it has no clause of', () => {
    const sql = "SELECT name FROM singer WHERE country = 'France'";
    const aligned = align("Give the names of singers |who are from France |by the singer's age.", sql);
    const [, , last] = aligned.segments;
    expect(last?.links).toEqual([]);
    expect(last?.extra).toEqual([{ table: 2, column: 3 }]);
    expect(aligned.confidence).toBeLessThan(0.5);
  });

  it('do not change with what was aligned before', () => {
    const aligner = new QuestionAligner(STADIUMS);
    const query = clausesOf('SELECT name FROM singer WHERE age > 30', STADIUMS, []);
    const task = { id: 'q', question: 'x', segments: segmentsOf('Who |is older than 30?'), query };
    expect(aligner.align(task)).toEqual(aligner.align(task));
  });
});
