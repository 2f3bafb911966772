import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InputFormatError } from '../../../src/errors.js';
import { readRunRecords } from '../../../src/perturb/verify/run-records.js';

const folder = mkdtempSync(join(tmpdir(), 'run-records-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LINE = z.object({ index: z.int() });
const EXAMPLES = [
  { db_id: 'pets', query: 'SELECT 1' },
  { db_id: 'pets__rpl_1', query: 'SELECT 2' },
];

function read(examples: unknown, provenance: string): readonly unknown[] {
  writeFileSync(join(folder, 'examples.json'), JSON.stringify(examples));
  writeFileSync(join(folder, 'provenance.jsonl'), provenance);
  return readRunRecords(join(folder, 'examples.json'), LINE, 'Name a run.');
}

describe('readRunRecords', () => {
  it('gives each line what is asked of it, and its query', () => {
    expect(read(EXAMPLES, '{"index":0,"more":1}\n{"index":1}\n')).toEqual([
      { line: { index: 0 }, query: 'SELECT 1' },
      { line: { index: 1 }, query: 'SELECT 2' },
    ]);
  });

  it.each([
    ['fewer lines', EXAMPLES, '{"index":0}\n', /^1 lines, but examples\.json has 2 records$/, {}],
    ['another line', EXAMPLES, '{"index":0}\n{"index":"x"}\n', /^field "index" is wrong/, { line: 2, id: 'record 1' }],
    ['an example without a query', [{ db_id: 'pets' }], '{"index":0}\n', /"query" is missing/, { id: 'example 0' }],
  ])('refuses %s, with where and the given fix', (_, examples, provenance, message, where) => {
    try {
      read(examples, provenance);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(InputFormatError);
      expect((error as InputFormatError).message).toMatch(message);
      expect(error).toMatchObject({ fix: 'Name a run.', where });
    }
  });
});
