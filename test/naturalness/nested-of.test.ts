import { expect, test } from 'vitest';
import { nestedOf } from '../../src/naturalness/rules.js';
import { createTarget } from '../dictionary/dictionary-fixture.js';

function check(column: string, name: string): string | null {
  const target = { target: createTarget('addresses', [column]), column: 0 };
  return nestedOf().check(name, target, { name, source: 'dictionary', origin: null, similarity: null });
}

test.each(['code of kind of address', 'Code of Type of Address'])('keeps out %j', (name) => {
  expect(check('address type code', name)).toBe('says "of" twice');
});

test.each(['code of address type', 'address kind code', 'offer code'])('lets %j replace', (name) => {
  expect(check('address type code', name)).toBeNull();
});

test('asks no more of a replacement than the column gives', () => {
  expect(check('date of end of term', 'day of end of term')).toBeNull();
});

test('guards replacements alone', () => {
  expect(nestedOf().appliesTo).toBe('RPL');
});
