/** Items by a key of theirs; keys in the order of their first item, each one's items in theirs. */
export function groupBy<K, T>(
  items: readonly T[],
  keyOf: (item: T, index: number) => K,
): ReadonlyMap<K, readonly [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const [i, item] of items.entries()) {
    const key = keyOf(item, i);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Runs of items with one key that stand together, in order; only one run is held at a time. */
export function* runsBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Generator<readonly [T, ...T[]]> {
  let run: [T, ...T[]] | null = null;
  for (const item of items) {
    if (run !== null && keyOf(run[0]) === keyOf(item)) run.push(item);
    else {
      if (run !== null) yield run;
      run = [item];
    }
  }
  if (run !== null) yield run;
}
