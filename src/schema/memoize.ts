import { LRUCache } from 'lru-cache';

/** Names remembered by each function, unless told: a data set's columns and candidates, and a bound to memory. */
const LIMIT = 20_000;

/** A pure function of a text that remembers its answers for the `limit` texts it was asked for last. */
export function memoize<T>(compute: (text: string) => T, limit = LIMIT): (text: string) => T {
  const known = new LRUCache<string, { readonly value: T }>({
    // `max` would set all the room aside at once, and there may be such a function for each of thousands of databases.
    maxSize: limit,
    sizeCalculation: () => 1,
    memoMethod: (text) => ({ value: compute(text) }),
  });
  return (text) => known.memo(text).value;
}

/** A pure function of an object, such as a table, that is asked for one again and again: it remembers while the object is in use. */
export function memoizeObject<K extends object, T>(compute: (object: K) => T): (object: K) => T {
  const known = new WeakMap<K, { readonly value: T }>();
  return (object) => {
    let one = known.get(object);
    if (one === undefined) known.set(object, (one = { value: compute(object) }));
    return one.value;
  };
}
