/** Items by a key of theirs; keys in the order of their first item, each one's items in theirs. */
export function groupBy<K, T>(items: readonly T[], keyOf: (item: T, index: number) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const [i, item] of items.entries()) {
    const key = keyOf(item, i);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
