import { describe, expect, test } from 'vitest';
import { restatement } from '../../src/naturalness/restatement.js';
import type { ColumnType } from '../../src/schema/schema.js';
import { createTarget } from '../dictionary/dictionary-fixture.js';

function check(columns: readonly string[], name: string, type: ColumnType = 'text'): string | null {
  const target = { target: createTarget('rows', columns, 'text'), column: 0 };
  const origin = { table: 't', title: 'T', column: name, type, score: null };
  return restatement().check(name, target, { name, source: 'attributes', origin, similarity: null });
}

describe('restatement', () => {
  test.each([
    ['last access date', 'last login', 'a visit'],
    ['creation date', 'date registered', 'a beginning of the row'],
    ['open year', 'opening date', 'a beginning of the thing'],
    ['ssma time stamp', 'last updated', 'a change of the row'],
    ['timestamp', 'date added', 'a beginning of the row'],
    ['writer id', 'post author', 'a role behind a key'],
    ['manager staff id', 'boss', 'a role among the words of a key'],
    ['vote type', 'ballot category', 'a kind'],
    ['country', 'nationality', 'where someone is from'],
    ['sort order', 'display order', 'a place in an order'],
    ['other remarks', 'notes', 'free text'],
  ])('next to "%s" keeps out "%s": %s', (column, name) => {
    expect(check(['other', column], name)).toBe(`says what the column "${column}" says`);
  });

  test.each([
    ['order date', 'delivery date', 'two moments'],
    ['first name', 'last login', 'no moment'],
    ['login timestamp', 'date added', 'a time stamp of something else'],
    ['created by', 'creation date', 'who and when'],
    ['address', 'postal code', 'a part'],
    ['customer id', 'product name', 'two roles'],
  ])('next to "%s" lets "%s" be added: %s', (column, name) => {
    expect(check(['other', column], name)).toBeNull();
  });

  test('takes a column of type time for a moment, whatever its name', () => {
    expect(check(['other', 'creation date'], 'registered', 'time')).not.toBeNull();
    expect(check(['other', 'creation date'], 'registered')).toBeNull();
  });

  test('guards additions alone', () => {
    expect(restatement().appliesTo).toBe('ADD');
  });
});
