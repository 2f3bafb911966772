/** The item of the lowest rank, the first of equal ones: the case that a page has open. Each item is ranked once. */
export function lowestRanked<T>(items: readonly T[], rankOf: (item: T) => number): T | undefined {
  let lowest: { readonly item: T; readonly rank: number } | undefined;
  for (const item of items) {
    const rank = rankOf(item);
    if (lowest === undefined || rank < lowest.rank) lowest = { item, rank };
  }
  return lowest?.item;
}
