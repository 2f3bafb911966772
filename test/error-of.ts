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

/** The error of a class that an action ends in once it is waited for, whether it throws or rejects. */
export async function rejectionOf<E extends Error>(
  kind: abstract new (...args: never[]) => E,
  action: () => unknown,
): Promise<E> {
  try {
    await action();
  } catch (error) {
    expect(error).toBeInstanceOf(kind);
    return error as E;
  }
  throw new Error('no error');
}
