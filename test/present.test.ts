import { describe, expect, it } from 'vitest';
import { InternalError } from '../src/errors.js';
import { elementAt, present } from '../src/present.js';

describe('elementAt', () => {
  it('gives what is there, null included', () => {
    expect(elementAt(['a', 'b'], 1)).toBe('b');
    expect(elementAt([null], 0)).toBeNull();
    expect(elementAt('ab', 0)).toBe('a');
  });

  it.each([-1, 2, Number.NaN])('throws an InternalError at %d', (index) => {
    expect(() => elementAt(['a', 'b'], index)).toThrow(new InternalError(`no element ${index} in a list of 2`));
  });
});

describe('present', () => {
  it('gives what is there, falsy or not', () => {
    expect([present(0, 'n'), present('', 's'), present(false, 'b')]).toEqual([0, '', false]);
  });

  it.each([null, undefined])('throws an InternalError that names what is missing instead of %s', (value) => {
    expect(() => present(value, 'the table')).toThrow(new InternalError('the table is missing'));
  });
});
