import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import {
  type ProvenanceLine,
  readPerturbedRecords,
  readProvenance,
  writeProvenance,
} from '../../../src/formats/artifacts/provenance.js';
import { errorOf } from '../../error-of.js';

const folder = mkdtempSync(join(tmpdir(), 'provenance-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ORIGINAL = { index: 0, source: 'dev:0', db_id: 'pets', original_db_id: 'pets', kind: 'original' } as const;
const CHANGE = {
  table: 'pet',
  column: 'name',
  candidate: 'given name',
  identifier: 'given_name',
  source: 'dictionary',
  reason: 'entailment',
  origin: null,
  e1: 0.9,
  e2: null,
};
const EDIT = { start: 7, end: 11, before: 'name', after: 'given_name' };
const ORIGINAL_LINE = { ...ORIGINAL, changes: [], edits: [] };
const LINES: readonly ProvenanceLine[] = [
  { ...ORIGINAL, unmentioned: false, changes: [], edits: [] },
  { ...ORIGINAL, index: 1, db_id: 'pets__rpl_1', kind: 'RPL', unmentioned: false, changes: [CHANGE], edits: [EDIT] },
];
const ELEMENT = { id: 'dev:0#1', text: 'that are old', frame: 'that', noun: 'pets' };
const COMPOSED: ProvenanceLine = {
  index: 1,
  source: 'dev:0',
  db_id: 'pets',
  original_db_id: 'pets',
  kind: 'APP',
  id: 'dev:0~AND(dev:1)',
  connective: 'and',
  depth: 1,
  parents: ['dev:0', 'dev:1'],
  elements: [ELEMENT, ELEMENT],
  pieces: [{ of: 'base', text: 'Which pets?' }],
  hardness: 'easy',
};
const EXAMPLES = [
  { db_id: 'pets', query: 'SELECT 1' },
  { db_id: 'pets__rpl_1', query: 'SELECT 2' },
];

const write = (lines: Iterable<object>): void => {
  const text = Array.from(lines, (line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(folder, 'provenance.jsonl'), text);
};

describe('provenance.jsonl', () => {
  it('is read as it was written, of perturbed and of composed sets', () => {
    const lines = [...LINES, COMPOSED];
    writeProvenance(
      { write: (name, content) => writeFileSync(join(folder, name), Array.from(content as Iterable<string>).join('')) },
      lines,
    );
    expect([...readProvenance(folder, 'Name a run.')]).toEqual(lines);
    expect(JSON.stringify([...readProvenance(folder, 'Name a run.')])).toBe(JSON.stringify(lines));
  });

  it('of earlier versions has fewer fields', () => {
    write([ORIGINAL_LINE]);
    expect([...readProvenance(folder, 'Name a run.')]).toHaveLength(1);
  });

  it.each([
    ['a change without its identifier', { ...LINES[1], changes: [{ ...CHANGE, identifier: undefined }] }, 'changes'],
    ['an unknown kind', { ...ORIGINAL, kind: 'other' }, 'kind'],
    ['a composition without its parents', { ...COMPOSED, parents: undefined }, 'parents'],
  ])('refuses %s', (_, line, field) => {
    write([ORIGINAL_LINE, line]);
    expect(errorOf(InputFormatError, () => [...readProvenance(folder, 'Name a run.')])).toMatchObject({
      message: expect.stringContaining(`field "${field}`) as string,
      where: { line: 2, id: 'record 1' },
    });
  });
});

function readRecords(examples: unknown, lines: readonly object[]): readonly unknown[] {
  writeFileSync(join(folder, 'examples.json'), JSON.stringify(examples));
  write(lines);
  return readPerturbedRecords(join(folder, 'examples.json'), 'Name a run.');
}

describe('readPerturbedRecords', () => {
  it('gives each line its query', () => {
    expect(readRecords(EXAMPLES, LINES)).toEqual([
      { line: LINES[0], query: 'SELECT 1' },
      { line: LINES[1], query: 'SELECT 2' },
    ]);
  });

  it.each([
    ['fewer lines', EXAMPLES, LINES.slice(0, 1), /^1 lines, but examples\.json has 2 records$/, {}],
    ['another line', EXAMPLES, [LINES[0]!, { ...LINES[1], index: 'x' }], /^field "index" is wrong/, { line: 2 }],
    ['compositions', EXAMPLES, [LINES[0]!, COMPOSED], /^field "kind" is wrong/, { line: 2, id: 'record 1' }],
    ['an example without a query', [{ db_id: 'pets' }], LINES.slice(0, 1), /"query" is missing/, { id: 'example 0' }],
  ])('refuses %s, with where and the given fix', (_, examples, lines, message, where) => {
    const refusal = errorOf(InputFormatError, () => readRecords(examples, lines));
    expect(refusal.message).toMatch(message);
    expect(refusal).toMatchObject({ fix: 'Name a run.', where });
  });
});
