import { expect } from 'vitest';

/** The error of a class that an action ends in. */
export function errorOf<E extends Error>(kind: new (...args: never[]) => E, action: () => unknown): E {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(kind);
    return error as E;
  }
  throw new Error('no error');
}
