import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileVictim, writeVictimInputs } from '../../src/victims/file-victim.js';
import { renderVictimSchema } from '../../src/victims/victim-input.js';
import { InputFormatError } from '../../src/errors.js';
import { DEFAULT_TEMPLATE, templateSha256 } from '../../src/formats/exports/prompt-template.js';
import { answersOf, ask, outcomes, temporaryFolder } from './victim-fixture.js';

const QUESTIONS = [ask('How old?', 'dev:1'), ask('Who?', 'dev:2'), ask('Why?', 'dev:3')];
const IDS = QUESTIONS.map(({ id }) => id);

function predictions(text: string | Buffer): string {
  const file = join(temporaryFolder(), 'predictions.jsonl');
  writeFileSync(file, text);
  return file;
}

function refusal(text: string | Buffer): InputFormatError {
  try {
    new FileVictim(predictions(text), IDS);
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

  it('differ by prompt', () => {
    expect(templateSha256({ system: null, user: 'a' })).not.toBe(templateSha256({ system: 'a', user: '' }));
  });
});

describe('predictions', () => {
  it('are joined by id, in any order', async () => {
    const file = predictions(
      `\uFEFF${lines(GOOD[2], { ...GOOD[0], sql: null, score: 1 })}\r\n\n${JSON.stringify({ id: 'dev:2', sql: '```\nSELECT 2;\n```' })}`,
    );
    const answers = await answersOf(new FileVictim(file, IDS), QUESTIONS);
    expect(outcomes(answers)).toEqual({ 'dev:1': '<empty>', 'dev:2': 'SELECT 2', 'dev:3': 'SELECT 3' });
  });

  it('have a fingerprint of their bytes', () => {
    const [a, b] = [lines(...GOOD), lines(GOOD[0], GOOD[2], GOOD[1])].map(
      (text) => new FileVictim(predictions(text), IDS),
    );
    expect(a!.fingerprint).not.toBe(b!.fingerprint);
  });

  it.each([
    ['an unknown id', lines(...GOOD, { id: 'dev:4', sql: '' }), 4, /no question/],
    ['an id twice', lines(GOOD[0], GOOD[1], GOOD[0]), 3, /twice, first in line 1/],
    ['no JSON', `${lines(GOOD[0])}SELECT 1\n`, 2, /not JSON/],
    ['no id', lines(GOOD[0], { sql: 'SELECT 1' }), 2, /"id" is missing/],
    ['SQL that is no text', lines({ id: 'dev:1', sql: 1 }), 1, /"sql" is wrong/],
    ['no object', '[]\n', 1, /wrong/],
    ['UTF-16', Buffer.from(`\uFEFF${lines(...GOOD)}`, 'utf16le'), 1, /UTF-8/],
  ])('are refused with %s', (_, text, line, message) => {
    const error = refusal(text);
    expect(error.message).toMatch(message);
    expect(error.where.line).toBe(line);
    expect(error.fix).not.toBe('');
  });

  it('that are missing leave their questions unanswered, by name', async () => {
    const victim = new FileVictim(predictions(lines(GOOD[1])), IDS);
    expect(victim.missing).toEqual(['dev:1', 'dev:3']);
    const answers = await answersOf(victim, QUESTIONS);
    expect(outcomes(answers)).toEqual({ 'dev:1': '<unanswered>', 'dev:2': 'SELECT 2', 'dev:3': '<unanswered>' });
    expect(new FileVictim(predictions(''), IDS).missing).toEqual(IDS);
  });

  it('stand for the questions that repeat theirs, unless these have their own', async () => {
    const repeats = new Map([
      ['dev:2', 'dev:1'],
      ['dev:3', 'dev:1'],
    ]);
    const victim = new FileVictim(predictions(lines(GOOD[0], GOOD[2])), IDS, repeats);
    expect(victim.missing).toEqual([]);
    const answers = await answersOf(victim, QUESTIONS);
    expect(outcomes(answers)).toEqual({ 'dev:1': 'SELECT 1', 'dev:2': 'SELECT 1', 'dev:3': 'SELECT 3' });
  });
});
