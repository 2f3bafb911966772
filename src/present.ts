import { InternalError } from './errors.js';

/**
 * The element at an index that the code around it guarantees: for lists that run in step.
 * @throws InternalError where there is none
 */
export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index];
  if (element === undefined) throw new InternalError(`no element ${index} in a list of ${list.length}`);
  return element;
}

/**
 * A value that the code around it guarantees: an entry of a map that was filled with all keys, a match that was tested.
 * @param what what is missing otherwise, for the message
 * @throws InternalError where it is null or undefined
 */
export function mustGet<T>(value: T, what: string): NonNullable<T> {
  if (value === null || value === undefined) throw new InternalError(`${what} is missing`);
  return value;
}

/**
 * Pairs of two lists that run in step.
 * @throws InternalError where they differ in length
 */
export function zip<A, B>(first: ArrayLike<A>, second: ArrayLike<B>): [A, B][] {
  if (first.length !== second.length)
    throw new InternalError(`lists of ${first.length} and of ${second.length} don't run in step`);
  return Array.from(first, (item, i) => [item, second[i] as B]);
}

/** What is known under a key; else it is made, and known from then on. */
export function getOrMake<K, V>(
  known: { get(key: K): V | undefined; set(key: K, value: NoInfer<V>): unknown },
  key: K,
  make: () => NoInfer<V>,
): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

/** Orders texts by UTF-16 code unit, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
