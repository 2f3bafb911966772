import { expect, test } from 'vitest';
import { remembered } from '../../src/schema/remembered.js';

test('computes once per name, and starts again when it is full', () => {
  const asked: string[] = [];
  const upper = remembered((name) => (asked.push(name), name === '' ? undefined : name.toUpperCase()), 2);
  expect(['a', 'a', '', '', 'c', 'a'].map(upper)).toEqual(['A', 'A', undefined, undefined, 'C', 'A']);
  expect(asked).toEqual(['a', '', 'c', 'a']);
});
