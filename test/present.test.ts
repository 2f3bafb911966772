import { describe, expect, it } from 'vitest';
import { InternalError } from '../src/errors.js';
import { itemAt, mustGet } from '../src/present.js';

describe('itemAt', () => {
  it('gives what is there, null included', () => {
    expect(itemAt(['a', 'b'], 1)).toBe('b');
    expect(itemAt([null], 0)).toBeNull();
    expect(itemAt('ab', 0)).toBe('a');
  });

  it.each([-1, 2, Number.NaN])('throws an InternalError at %d', (index) => {
    expect(() => itemAt(['a', 'b'], index)).toThrow(new InternalError(`no element ${index} in a list of 2`));
  });
});

describe('present', () => {
  it('gives what is there, falsy or not', () => {
    expect([mustGet(0, 'n'), mustGet('', 's'), mustGet(false, 'b')]).toEqual([0, '', false]);
  });

  it.each([null, undefined])('throws an InternalError that names what is missing instead of %s', (value) => {
    expect(() => mustGet(value, 'the table')).toThrow(new InternalError('the table is missing'));
  });
});
