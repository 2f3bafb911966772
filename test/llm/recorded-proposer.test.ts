import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputFormatError } from '../../src/errors.js';
import { RecordedProposer } from '../../src/llm/recorded-proposer.js';
import { column, listeningContext, temporaryFolder } from './llm-fixture.js';

const AGE = { id: 'concert_singer/Singer/Age', replacements: ['Years Old'], additions: ['height'] };

function recorded(...lines: readonly unknown[]): RecordedProposer {
  const file = join(temporaryFolder(), 'proposals.jsonl');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return new RecordedProposer(file);
}

describe('RecordedProposer', () => {
  it('gives what was recorded, and says what was not', async () => {
    const proposer = recorded(AGE);
    const context = listeningContext();
    expect(await proposer.propose(column(1), context)).toEqual({ replacements: ['years old'], additions: ['height'] });
    expect(await proposer.propose(column(0), context)).toBeNull();
    expect(context.warnings()).toEqual(['concert_singer/Singer/Name has no recorded proposals']);
    expect(proposer.describe()).toBe('2 columns looked up, 1 without recorded proposals');
    expect(proposer.fingerprint).not.toBe(recorded({ ...AGE, additions: [] }).fingerprint);
  });

  it.each<[string, readonly unknown[], RegExp]>([
    ['no line', [], /no recorded proposals/],
    ['a column twice', [AGE, AGE], /twice/],
    ['a list that is missing', [{ id: 'a', replacements: [] }], /additions/],
    ['a further field', [{ ...AGE, note: 'x' }], /note/],
  ])('refuses a file with %s', (_, lines, message) => {
    expect(() => recorded(...lines)).toThrow(InputFormatError);
    expect(() => recorded(...lines)).toThrow(message);
  });
});
