// How often things come, and counts as text, on pages, in terminals and in messages.

/** How often each item comes, in the order in which they first do. */
export function tally<T>(items: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Takes one of an item off its count; false where none is left. */
export function takeOne<T>(counts: Map<T, number>, item: T): boolean {
  const have = counts.get(item) ?? 0;
  counts.set(item, have - 1);
  return have > 0;
}

/** Keeps a number and its unit or noun on one line. */
export const NO_BREAK = '\u00a0';

/** An integer with a comma between thousands: "12,345". */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A count with its noun, a no-break space between: "1 column", "1,204 columns". */
export function formatNoun(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)}${NO_BREAK}${count === 1 ? singular : plural}`;
}

/** A count with its noun, for a terminal: "1 schema", "1,200 schemas". */
export function countNoun(count: number, singular: string, plural = `${singular}s`): string {
  return formatNoun(count, singular, plural).replace(NO_BREAK, ' ');
}
