import { describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { loadNeededSchemas } from '../../../src/evaluate/inputs/paired-files.js';
import { type GoldQuery, readGoldQueries } from '../../../src/evaluate/inputs/gold-queries.js';
import { readPredictions } from '../../../src/evaluate/inputs/predictions.js';
import { scratchFiles } from '../evaluation-files.js';

const write = scratchFiles();

const FLAT = 'SELECT 1\tdb\nSELECT 2\tdb\nSELECT 3\tdb\n';
const TURNS = 'SELECT 1\tdb\nSELECT 2\tdb\n\nSELECT 3\tdb\n';

function gold(content = FLAT): readonly GoldQuery[] {
  return readGoldQueries(write('gold.sql', content));
}

function predict(content: string | Uint8Array, of = gold(), name = 'pred.sql'): readonly string[] {
  return readPredictions(write(name, content), of).texts;
}

function fault(action: () => unknown): InputFormatError {
  try {
    action();
  } catch (error) {
    if (error instanceof InputFormatError) return error;
    throw error;
  }
  throw new Error('no fault');
}

describe('readGoldQueries', () => {
  it('reads lines of SQL, a tab and the db_id, with a mark and any line ends', () => {
    const expected = [
      { id: 'gold:0', group: 'gold:0', line: 1, dbId: 'db', sql: 'SELECT 1' },
      { id: 'gold:1', group: 'gold:1', line: 2, dbId: 'db', sql: 'SELECT 2' },
      { id: 'gold:2', group: 'gold:2', line: 3, dbId: 'db', sql: 'SELECT 3' },
    ];
    expect(gold()).toEqual(expected);
    expect(gold(`\uFEFF${FLAT.replaceAll('\n', '\r\n')}`)).toEqual(expected);
    expect(gold(FLAT.trimEnd())).toEqual(expected);
  });

  it('makes interactions of lines between blank lines', () => {
    expect(gold(TURNS).map(({ id, group }) => [id, group])).toEqual([
      ['gold:0.0', 'gold:0'],
      ['gold:0.1', 'gold:0'],
      ['gold:1.0', 'gold:1'],
    ]);
  });

  it('reads a JSON list of questions, as data sets have them', () => {
    const records = [
      { question: 'a?', db_id: 'db', query: 'SELECT 1', sql: { select: [] } },
      { question: 'b?', db_id: 'db', SQL: 'SELECT 2', question_id: 7 },
    ];
    const file = write('questions.json', JSON.stringify(records, null, 2));
    expect(readGoldQueries(file).map(({ id, dbId, sql }) => [id, dbId, sql])).toEqual([
      ['questions:0', 'db', 'SELECT 1'],
      ['questions:1', 'db', 'SELECT 2'],
    ]);
    const lacking = write('lacking.json', JSON.stringify([{ question: 'a?', db_id: 'db' }]));
    expect(fault(() => readGoldQueries(lacking)).message).toBe('field "query" is missing');
  });

  it('reads JSON lines', () => {
    const content = '{"id": 7, "db_id": "db", "query": "SELECT 1"}\n\n{"id": "b", "db_id": "db", "sql": "SELECT 2"}\n';
    expect(gold(content).map(({ id, sql }) => [id, sql])).toEqual([
      ['7', 'SELECT 1'],
      ['b', 'SELECT 2'],
    ]);
  });

  it.each([
    ['SELECT 1\tdb\nSELECT 2\n', 2, /no db_id/],
    ['{"id": 1, "db_id": "db"}', 1, /"sql" is missing/],
    ['{"id": 1, "db_id": "db", "sql": "a"}\n{"id": 1,', 2, /not JSON/],
    ['', undefined, /no gold/],
  ])('names the line of a fault', (content, line, message) => {
    const error = fault(() => gold(content));
    expect(error.message).toMatch(message);
    expect(error.where.line).toBe(line);
    expect(error.fix).not.toBe('');
  });
});

describe('readPredictions', () => {
  it('joins plain lines by position, blank ones are empty predictions', () => {
    expect(predict('A\n\nC\n')).toEqual(['A', '', 'C']);
    expect(predict('A\r\nB\tdb\r\n C \r\n\r\n')).toEqual(['A', 'B', 'C']);
    expect(predict('A\nB\n\n')).toEqual(['A', 'B', '']);
  });

  it.each([
    ['numeric ids', [0, 1, 2].map((id) => `{"id": ${id}, "sql": "S"}\n`).join('')],
    ['a JSON list', '["S", "S", null]'],
  ])('says that %s are joined by position', (_, content) => {
    const file = write('some.jsonl', content);
    const { note } = readPredictions(file, gold());
    expect(note).toBe(`predictions joined by position, one for each of 3 gold queries: ${file}`);
  });

  it('says nothing where the ids are those of the gold, or lines of SQL have none', () => {
    const numbers = gold('{"id": 0, "db_id": "d", "sql": "S"}\n{"id": 1, "db_id": "d", "sql": "S"}\n');
    const read = (content: string, of = gold()): string | null =>
      readPredictions(write('some.jsonl', content), of).note;
    expect(read('{"id": 1, "sql": "S"}\n{"id": 0, "sql": "S"}\n', numbers)).toBe(null);
    expect(read('A\nB\nC\n')).toBe(null);
  });

  it('refuses plain lines whose count is another', () => {
    expect(fault(() => predict('A\nB\n')).message).toMatch(/2 lines, 2 of them not blank, but there are 3 gold/);
    expect(fault(() => predict('A\nB\nC\nD\n')).message).toMatch(/4 lines/);
    expect(fault(() => predict('')).message).toMatch(/0 lines/);
  });

  it('takes interactions separated by blank lines, with empty predictions in them, or none separated', () => {
    const turns = gold(TURNS);
    expect(predict('A\nB\n\nC\n', turns)).toEqual(['A', 'B', 'C']);
    expect(predict('A\nB\n\n\n\nC\n', turns)).toEqual(['A', 'B', 'C']);
    expect(predict('A\n\n\nC\n', turns)).toEqual(['A', '', 'C']);
    expect(predict('A\nB\nC\n', turns)).toEqual(['A', 'B', 'C']);
    expect(fault(() => predict('A\n\nB\nC\n', turns)).message).toMatch(/3 gold queries in 2 interactions/);
  });

  it('joins JSON lines by id or position', () => {
    const lines = ['{"id": "gold:2", "sql": "C"}', '{"id": 0, "sql": "A"}', '{"id": "1", "sql": null}'];
    expect(predict(lines.join('\n'))).toEqual(['A', '', 'C']);
    expect(predict(lines.join('\n').replace('"sql": "C"', '"query": "C"'))).toEqual(['A', '', 'C']);
  });

  it('joins a JSON list by id, or of texts by position', () => {
    const records = [
      { id: 'gold:2', sql: 'C' },
      { question_id: 0, query: 'A' },
      { id: 1, sql: null },
    ];
    expect(predict(JSON.stringify(records, null, 2))).toEqual(['A', '', 'C']);
    expect(predict('["A", null, "C\\nD"]')).toEqual(['A', '', 'C D']);
  });

  it.each([
    ['{"id": 0, "sql": "A"}\n{"id": "gold:0", "sql": "B"}', 2, /occurs twice/],
    ['{"id": 0, "sql": "A"}\n{"id": 9, "sql": "B"}', 2, /none of the gold/],
    ['{"id": 0, "sql": "A"}\n', undefined, /2 of 3 gold queries have no prediction: gold:1, gold:2/],
    ['{"id": 0}', 1, /"sql" is/],
    ['{"id": 0, "sql": "A"}\n[1]', 2, /the record is wrong/],
  ])('names what is wrong with JSON lines', (content, line, message) => {
    const error = fault(() => predict(content, gold(), 'pred.jsonl'));
    expect(error.message).toMatch(message);
    expect(error.where.line).toBe(line);
    expect(error.fix).not.toBe('');
  });

  it('says of UTF-16 and of other bytes what they are', () => {
    expect(fault(() => predict(Buffer.from(`\uFEFF${FLAT}`, 'utf16le'))).message).toMatch(/UTF-16/);
    expect(fault(() => predict(Buffer.from(FLAT, 'utf16le'))).message).toMatch(/UTF-16/);
    expect(fault(() => predict(Buffer.from([0x41, 0xe9, 0x0a]))).message).toMatch(/not UTF-8/);
    expect(fault(() => readPredictions('/nowhere/pred.sql', gold())).message).toBe('there is no folder /nowhere');
  });
});

describe('loadNeededSchemas', () => {
  it('names a gold query without schema', () => {
    const file = write('tables.json', '[{"db_id": "other", "column_names": "broken"}]');
    expect(fault(() => loadNeededSchemas(file, gold())).message).toMatch(/db_id "db" of gold query gold:0/);
  });
});
