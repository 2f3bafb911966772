import { expect, test } from 'vitest';
import { memoize } from '../../src/schema/memoize.js';

test('computes once per name, and starts again when it is full', () => {
  const asked: string[] = [];
  const upper = memoize((name) => (asked.push(name), name === '' ? undefined : name.toUpperCase()), 2);
  expect(['a', 'a', '', '', 'c', 'a'].map(upper)).toEqual(['A', 'A', undefined, undefined, 'C', 'A']);
  expect(asked).toEqual(['a', '', 'c', 'a']);
});
