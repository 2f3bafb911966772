import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkPredictions } from '../../../src/evaluate/audit/predictions-check.js';
import type { DatasetExample } from '../../../src/formats/dataset.js';
import type { Database } from '../../../src/schema/schema.js';
import { InputFormatError } from '../../../src/errors.js';
import { makeTempFolder } from '../../e2e/run-cli.js';
import { errorOf } from '../../error-of.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());

const databaseOf = (id: string): Database => ({
  id,
  tables: [{ name: `${id} table`, originalName: `${id}_table`, columns: [] }],
  primaryKeys: [],
  foreignKeys: [],
});
const databases = new Map(['cats', 'dogs'].map((id) => [id, databaseOf(id)]));
const examples: readonly DatasetExample[] = Array.from({ length: 8 }, (_, i) => {
  const dbId = i < 4 ? 'cats' : 'dogs';
  return {
    id: `dev:${i}`,
    group: `dev:${i}`,
    dbId,
    question: 'q',
    query: `SELECT ${i} FROM ${dbId}_table`,
    record: {},
  };
});
const lines = examples.map(({ query }) => query);

function sentences(text: string): readonly string[] {
  const file = join(temp.path, 'predictions.txt');
  writeFileSync(file, text);
  return checkPredictions(file, examples, databases).map(({ sentence }) => sentence);
}

describe('checkPredictions', () => {
  it('finds nothing in predictions that fit, by lines, ids or positions', () => {
    expect(sentences(`${lines.join('\n')}\n\n`)).toEqual([]);
    const byId = examples.map(({ id, query: sql }) => JSON.stringify({ id, sql })).reverse();
    expect(sentences(byId.join('\n'))).toEqual([]);
    const bird = Object.fromEntries(examples.map(({ query, dbId }, i) => [i, `${query}\t----- bird -----\t${dbId}`]));
    expect(sentences(JSON.stringify(bird))).toEqual([]);
  });

  it('takes an empty line at the end for an answer where it makes them as many', () => {
    expect(sentences(`${lines.slice(0, -1).join('\n')}\n\n`)).toEqual([]);
  });

  it('counts predictions', () => {
    expect(sentences(lines.slice(1).join('\n'))).toContain('There are 7 predictions for 8 examples.');
  });

  it('finds predictions in another order, by their databases or their tables', () => {
    const reversed = [...lines].reverse();
    expect(sentences(reversed.join('\n'))).toEqual([
      "8 of 8 predictions read tables that their gold's database lacks and another one has, from line 1 on: they are in another order.",
    ]);
    const named = reversed.map((line, i) => `${line}\t${i < 4 ? 'dogs' : 'cats'}`);
    expect(sentences(named.join('\n'))).toEqual([
      '8 predictions name another database than their gold; the first is line 1, of dogs.',
    ]);
  });

  it('does not take a model’s wrong tables for another order', () => {
    const wrong = lines.map((line, i) => (i === 2 ? 'SELECT 1 FROM dogs_table' : line));
    expect(sentences(wrong.join('\n'))).toEqual([]);
  });

  it('finds ids that come twice or are unknown', () => {
    const records = ['dev:0', 'dev:0', 'dev:99'].map((id) => JSON.stringify({ id, sql: 'SELECT 1' }));
    expect(sentences(records.join('\n'))).toEqual([
      '1 ids have several predictions: dev:0.',
      '1 predictions have ids that no example has: dev:99.',
      'There are 3 predictions for 8 examples.',
    ]);
  });

  it('refuses a record without id or sql', () => {
    expect(errorOf(InputFormatError, () => sentences('{"sql": "SELECT 1"}')).message).toBe('field "id" is missing');
    expect(errorOf(InputFormatError, () => sentences('{"id": 0}')).message).toBe('field "sql" is missing');
  });
});
