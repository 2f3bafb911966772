import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { splitQuestions, type SplitResult } from '../../src/compositional/split/split-questions.js';
import { renderSplit } from '../../src/cli/split-lines.js';
import { InputFormatError } from '../../src/errors.js';

const folder = mkdtempSync(join(tmpdir(), 'split-'));
const tables = join(folder, 'tables.json');
writeFileSync(
  tables,
  JSON.stringify([
    {
      db_id: 'fleet',
      table_names: ['ship'],
      table_names_original: ['ship'],
      column_names: [
        [-1, '*'],
        [0, 'name'],
      ],
      column_names_original: [
        [-1, '*'],
        [0, 'name'],
      ],
      column_types: ['text', 'text'],
      primary_keys: [],
      foreign_keys: [],
    },
  ]),
);

function split(...lines: readonly object[]): Promise<{ results: SplitResult[]; notes: string[] }> {
  return splitText('questions.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
}

async function splitText(name: string, text: string): Promise<{ results: SplitResult[]; notes: string[] }> {
  const questions = join(folder, name);
  writeFileSync(questions, text);
  const [results, notes]: [SplitResult[], string[]] = [[], []];
  for await (const result of splitQuestions({ questions, tables, note: (line) => notes.push(line) })) {
    results.push(result);
  }
  return { results, notes };
}

describe('perturbql split', () => {
  test('splits each line, named by its id or its number', async () => {
    const { results } = await split(
      { id: 'a', db_id: 'fleet', question: 'Show the ships that sank in 1912.' },
      { question: 'How many ships are there?' },
    );
    expect(results.map(({ id, segments }) => [id, segments.length])).toEqual([
      ['a', 2],
      ['2', 1],
    ]);
  });

  test('reads a JSON array of examples, named as a data set names them', async () => {
    const examples = [
      { db_id: 'fleet', question: 'How many ships are there?', query: 'SELECT count(*) FROM ship' },
      { db_id: 'fleet', question: 'Show the ships that sank.', query: 'SELECT name FROM ship' },
    ];
    const { results } = await splitText('dev.json', `\n${JSON.stringify(examples, null, 2)}`);
    expect(results.map(({ id, segments }) => [id, segments.length])).toEqual([
      ['dev:0', 1],
      ['dev:1', 2],
    ]);
  });

  test('names the record of an array that is no question, and an array that does not end', async () => {
    await expect(splitText('dev.json', '[{"question": "How many?"}, {"text": "How many?"}]')).rejects.toMatchObject({
      where: { id: 'dev:1' },
    });
    await expect(splitText('dev.json', '[{"question": "How many?"},')).rejects.toThrow(InputFormatError);
  });

  test('asks the query where a line has one, and says where that has no clauses', async () => {
    const question = 'Show the ships under repair by type steam.';
    const { results } = await split(
      { db_id: 'fleet', question, query: "SELECT name FROM ship WHERE name = 'repair'" },
      { db_id: 'fleet', question, query: 'SELECT name FROM (SELECT name FROM ship)' },
      { db_id: 'fleet', question, query: 'SELECT nothing' },
    );
    expect(results.map(({ segments }) => segments.map(({ text }) => text).join(''))).toEqual(Array(3).fill(question));
  });

  test('leaves marks without words in one piece, and skips blanks', async () => {
    const { results, notes } = await split({ question: '???' }, { question: '' }, { question: '\u00a0' });
    expect(results.map(({ segments }) => segments.length)).toEqual([1]);
    expect(notes).toHaveLength(2);
  });

  test('prints sub-sentences and the tree', async () => {
    const { results } = await split({ id: 'a', question: 'Show ships that sank.' });
    const lines = results.flatMap((result) => renderSplit(result));
    expect(lines[0]).toBe('a:');
    expect(lines[1]).toMatch(/^ {2}1\. Show ships/u);
    expect(lines.some((line) => /^ {4}Show {2}ROOT VB$/u.test(line))).toBe(true);
  });

  test('says what it skips', async () => {
    const { results, notes } = await split(
      { question: ' ' },
      { question: 'Quels sont les noms de tous les bateaux ?' },
    );
    expect(results).toEqual([]);
    expect(notes).toEqual([
      'questions.jsonl:1: skipped, the question is empty',
      'questions.jsonl:2: skipped, the question is not in English',
    ]);
  });

  test('refuses a line that is no question, and an unknown database', async () => {
    await expect(splitText('nothing.jsonl', '\n')).rejects.toThrow(/list of questions is empty/u);
    await expect(splitText('none.json', '[]')).rejects.toThrow(/list of questions is empty/u);
    await expect(split({ text: 'How many?' })).rejects.toThrow(InputFormatError);
    await expect(split({ question: 'How many ships?', db_id: 'air' })).rejects.toThrow(/no schema of database "air"/u);
  });
});
