import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileVictim, writeVictimInputs } from '../../src/victims/file-victim.js';
import { renderVictimSchema } from '../../src/victims/victim-input.js';
import { InputFormatError } from '../../src/errors.js';
import { MYSQL } from '../../src/sql/mysql-dialect.js';
import { DEFAULT_TEMPLATE, templateSha256 } from '../../src/formats/exports/prompt-template.js';
import { answersOf, ask, outcomes, temporaryFolder } from './victim-fixture.js';

const QUESTIONS = [ask('How old?', 'dev:1'), ask('Who?', 'dev:2'), ask('Why?', 'dev:3')];
const IDS = QUESTIONS.map(({ id }) => id);
const WRITTEN = { where: 'they are in questions.jsonl', order: IDS };
const ASKED = { ids: IDS, written: WRITTEN };

function predictions(text: string | Buffer): string {
  const file = join(temporaryFolder(), 'predictions.jsonl');
  writeFileSync(file, text);
  return file;
}

function refusal(text: string | Buffer): InputFormatError {
  try {
    new FileVictim(predictions(text), ASKED);
  } catch (error) {
    if (error instanceof InputFormatError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

const lines = (...records: unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const GOOD = [
  { id: 'dev:1', sql: 'SELECT 1' },
  { id: 'dev:2', sql: 'SELECT 2' },
  { id: 'dev:3', sql: 'SELECT 3' },
] as const;

describe('inputs', () => {
  it('hold the question, the schema and the prompt', () => {
    const file = join(temporaryFolder(), 'new', 'inputs.jsonl');
    const [asked, ...rest] = QUESTIONS.map((question) => ({ question }));
    writeVictimInputs(file, [{ ...asked!, notes: { condition: 'RPL', seed: 3 } }, ...rest], DEFAULT_TEMPLATE);
    const [first, ...others] = readFileSync(file, 'utf8').trim().split('\n');
    const schema = 'CREATE TABLE singer (\n  Name TEXT,\n  Age NUMERIC\n);';
    expect(JSON.parse(first!)).toEqual({
      id: 'dev:1',
      question: 'How old?',
      db_id: 'singers',
      dialect: 'sqlite',
      database: null,
      schema,
      prompt: `You translate questions into SQLite SQL. Answer with one SQL query and nothing else.\n\n${schema}\n\n-- How old?`,
      condition: 'RPL',
      seed: 3,
    });
    expect(others).toHaveLength(2);
  });

  it('hold no id twice', () => {
    const file = join(temporaryFolder(), 'inputs.jsonl');
    expect(() => writeVictimInputs(file, [{ question: ask('a') }, { question: ask('a') }], DEFAULT_TEMPLATE)).toThrow(
      RangeError,
    );
  });

  it('show sample values as comments', () => {
    const samples = [[["O'Neil", 'a\nb'], ['x'.repeat(100)]]];
    expect(renderVictimSchema({ ...ask('a'), samples })).toMatch(
      /\);\n-- singer\.Name: 'O''Neil', 'a b'\n-- singer\.Age: 'x{60}…'$/,
    );
    expect(renderVictimSchema({ ...ask('a'), samples: [] })).not.toContain('--');
  });

  it('quote names as the gold queries of the dialect do', () => {
    const question = ask('a');
    const tables = question.schema.tables.map((table) => ({ ...table, originalName: 'order' }));
    const reserved = { ...question, schema: { ...question.schema, tables } };
    expect(renderVictimSchema(reserved)).toMatch(/^CREATE TABLE "order" \(\n {2}Name TEXT,/);
    expect(renderVictimSchema({ ...reserved, dialect: MYSQL })).toMatch(/^CREATE TABLE `order` \(\n {2}Name TEXT,/);
  });

  it('differ by prompt', () => {
    expect(templateSha256({ system: null, user: 'a' })).not.toBe(templateSha256({ system: 'a', user: '' }));
  });
});

describe('predictions', () => {
  it('are joined by id, in any order', async () => {
    const file = predictions(
      `\uFEFF${lines(GOOD[2], { ...GOOD[0], sql: null, score: 1 })}\r\n\n${JSON.stringify({ id: 'dev:2', sql: '```\nSELECT 2;\n```' })}`,
    );
    const answers = await answersOf(new FileVictim(file, ASKED), QUESTIONS);
    expect(outcomes(answers)).toEqual({ 'dev:1': '<empty>', 'dev:2': 'SELECT 2', 'dev:3': 'SELECT 3' });
  });

  it('have a fingerprint of their bytes', () => {
    const [a, b] = [lines(...GOOD), lines(GOOD[0], GOOD[2], GOOD[1])].map(
      (text) => new FileVictim(predictions(text), ASKED),
    );
    expect(a!.fingerprint).not.toBe(b!.fingerprint);
  });

  it.each([
    ['lines of SQL', 'SELECT 1\nSELECT 2\n\n'],
    ['a list of queries', '["SELECT 1", "SELECT 2", null]'],
    [
      'numbers in order',
      lines({ id: 1, sql: 'SELECT 2' }, { id: 0, sql: 'SELECT 1' }, { question_id: 2, query: null }),
    ],
    ['numbers as keys', '{"0": "SELECT 1\\t----- bird -----\\tsingers", "1": "SELECT 2", "2": null}'],
  ])('are joined by position where there is one for each question, which is said: %s', async (_, text) => {
    const victim = new FileVictim(predictions(text), ASKED);
    expect(outcomes(await answersOf(victim, QUESTIONS))).toEqual({
      'dev:1': 'SELECT 1',
      'dev:2': 'SELECT 2',
      'dev:3': '<empty>',
    });
    expect(victim.note).toBe(
      'predictions joined by position, one for each of 3 questions: they are in questions.jsonl',
    );
  });

  it.each([
    ['a JSON object', '{"dev:1": "SELECT 1", "dev:3": null}'],
    ['a JSON list', '[{"id": "dev:1", "sql": "SELECT 1"}, {"id": "dev:3", "sql": null}]'],
  ])('are read from %s by id', async (_, text) => {
    const victim = new FileVictim(predictions(text), ASKED);
    expect([victim.note, victim.missing]).toEqual([null, ['dev:2']]);
    expect(outcomes(await answersOf(victim, QUESTIONS))).toMatchObject({ 'dev:1': 'SELECT 1', 'dev:3': '<empty>' });
  });

  it('are refused with an id that could be taken for another, and say which there are', () => {
    const { message, fix } = refusal(lines({ id: 0, sql: 'SELECT 1' }, { id: 1, sql: 'SELECT 2' }));
    expect(message).toBe('no question has this id');
    expect(fix).toBe(
      'Predict for the questions of this run, with their ids as they are, such as "dev:1": they are in questions.jsonl.',
    );
    expect(refusal('SELECT 1\nSELECT 2\n').message).toBe('there are 2 lines without ids, but 3 questions');
  });

  it.each([
    ['an unknown id', lines(...GOOD, { id: 'dev:4', sql: '' }), 4, /no question/],
    ['an id twice', lines(GOOD[0], GOOD[1], GOOD[0]), 3, /twice, first in line 1/],
    ['no JSON', `${lines(GOOD[0])}SELECT 1\n`, 2, /not JSON/],
    ['no id', lines(GOOD[0], { sql: 'SELECT 1' }), 2, /"id" is missing/],
    ['SQL that is no text', lines({ id: 'dev:1', sql: 1 }), 1, /"sql" is wrong/],
    ['no object', '[]\n', 1, /wrong/],
    ['UTF-16', Buffer.from(`\uFEFF${lines(...GOOD)}`, 'utf16le'), undefined, /UTF-8/],
  ])('are refused with %s', (_, text, line, message) => {
    const error = refusal(text);
    expect(error.message).toMatch(message);
    expect(error.where.line).toBe(line);
    expect(error.fix).not.toBe('');
  });

  it('that are missing leave their questions unanswered, by name', async () => {
    const victim = new FileVictim(predictions(lines(GOOD[1])), ASKED);
    expect(victim.missing).toEqual(['dev:1', 'dev:3']);
    const answers = await answersOf(victim, QUESTIONS);
    expect(outcomes(answers)).toEqual({ 'dev:1': '<unanswered>', 'dev:2': 'SELECT 2', 'dev:3': '<unanswered>' });
    expect(new FileVictim(predictions(''), ASKED).missing).toEqual(IDS);
  });

  it('stand for the questions that repeat theirs, unless these have their own', async () => {
    const repeats = new Map([
      ['dev:2', 'dev:1'],
      ['dev:3', 'dev:1'],
    ]);
    const victim = new FileVictim(predictions(lines(GOOD[0], GOOD[2])), { ...ASKED, repeats });
    expect(victim.missing).toEqual([]);
    const answers = await answersOf(victim, QUESTIONS);
    expect(outcomes(answers)).toEqual({ 'dev:1': 'SELECT 1', 'dev:2': 'SELECT 1', 'dev:3': 'SELECT 3' });
  });
});
