import { describe, expect, it } from 'vitest';
import { annotatedSplitOf } from '../../../src/compositional/align/annotated-split.js';
import { QuestionAligner } from '../../../src/compositional/align/align-question.js';
import { readSpiderSs, spiderSsRecord, writeSpiderSs } from '../../../src/compositional/align/spider-ss.js';
import { ClauseRefusal } from '../../../src/compositional/clauses/clause-refusal.js';
import { joinKeysOf } from '../../../src/compositional/clauses/join-keys.js';
import { clausesOf } from '../../../src/compositional/clauses/read-clauses.js';
import { mustGet } from '../../../src/present.js';
import { errorOf } from '../../error-of.js';
import { STADIUMS } from '../stadium-database.js';

const KEYS = joinKeysOf(STADIUMS);
const QUESTION = 'How many singers are there in each country , oldest first ?';
const EXAMPLE = { id: 'dev:0', dbId: 'stadiums', question: QUESTION, query: '' };

/** As in Spider-SS: the group key is in `sql` alone, by an id that counts each table's star, too. */
const RECORD = spiderSsRecord.parse({
  db_id: 'stadiums',
  question_md5: 'of other tokens',
  question_type: [1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3],
  match_link: [[0], [1, 2], ['order by singer.Age desc', 'extra singer.Name', 9]],
  NatSQL: 'select count ( singer.* ) , country from singer order by singer.age desc',
  sql: { groupBy: [[0, 13, false]], select: [] },
});

describe('records of Spider-SS', () => {
  it('are read as aligned questions', () => {
    const { segments, query } = readSpiderSs(RECORD, EXAMPLE, STADIUMS, KEYS);
    expect(segments.map(({ text }) => text)).toEqual([
      'How many singers are there ',
      'in each country ',
      ', oldest first ?',
    ]);
    expect(segments.map(({ links }) => links.map(({ clause }) => clause))).toEqual([[0], [1, 2], [3]]);
    expect(query.clauses.map(({ kind }) => kind)).toEqual(['select', 'select', 'group', 'order']);
    expect(query.clauses[2]).toMatchObject({ value: { table: 2, column: 2 } });
    expect(segments.map(({ extra }) => extra)).toEqual([[], [], [{ table: 2, column: 1 }]]);
  });

  it('of other tokens than the question are refused', () => {
    const other = { ...EXAMPLE, question: 'How many?' };
    const error = errorOf(ClauseRefusal, () => readSpiderSs(RECORD, other, STADIUMS, KEYS));
    expect([error.reason, error.where.id]).toEqual(['natsql', 'dev:0']);
  });

  it('are written so that they are read as they were', () => {
    const question = "Show the singer's name , oldest first , from France";
    const segments = [
      { text: "Show the singer's name ", start: 0, end: 23 },
      { text: ', oldest first ', start: 23, end: 38 },
      { text: ', from France', start: 38, end: 51 },
    ];
    const sql = "SELECT name FROM singer WHERE country = 'France' ORDER BY age DESC";
    const aligned = new QuestionAligner(STADIUMS).align({
      id: 'q',
      question,
      segments,
      query: clausesOf(sql, STADIUMS, KEYS),
    });
    const split = annotatedSplitOf(aligned, STADIUMS, { position: 7, gold: sql });
    const written = writeSpiderSs(split, mustGet(split.natSql, 'NatSQL'));
    const record = spiderSsRecord.parse(JSON.parse(JSON.stringify(written)));
    expect(record.rid).toBe(7);
    const read = readSpiderSs(record, { ...EXAMPLE, id: 'q', question }, STADIUMS, KEYS);
    const linked = ({ segments: own }: typeof read): unknown =>
      own.map(({ links }) => links.map(({ clause }) => clause));
    expect(linked(read)).toEqual(linked(aligned));
    expect(read.segments.map(({ text }) => text)).toEqual(aligned.segments.map(({ text }) => text));
    expect(read.query).toEqual(aligned.query);
  });
});
