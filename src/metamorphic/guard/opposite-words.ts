/**
 * Words of which one asks the opposite of the other. The judge takes most such wordings for one and the same
 * (docs/mutate.md), so they are looked up.
 */
const OPPOSITES = [
  ['more', 'less'],
  ['more', 'fewer'],
  ['most', 'least'],
  ['most', 'fewest'],
  ['greater', 'less'],
  ['greater', 'smaller'],
  ['greatest', 'least'],
  ['greatest', 'smallest'],
  ['larger', 'smaller'],
  ['largest', 'smallest'],
  ['bigger', 'smaller'],
  ['biggest', 'smallest'],
  ['higher', 'lower'],
  ['highest', 'lowest'],
  ['maximum', 'minimum'],
  ['longer', 'shorter'],
  ['longest', 'shortest'],
  ['taller', 'shorter'],
  ['tallest', 'shortest'],
  ['older', 'younger'],
  ['oldest', 'youngest'],
  ['older', 'newer'],
  ['oldest', 'newest'],
  ['earlier', 'later'],
  ['earliest', 'latest'],
  ['before', 'after'],
  ['first', 'last'],
  ['best', 'worst'],
  ['better', 'worse'],
  ['above', 'below'],
  ['over', 'under'],
  ['ascending', 'descending'],
  ['increasing', 'decreasing'],
  ['all', 'some'],
  ['with', 'without'],
] as const;

function occurrences(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Whether a word of the first wording has given way to its opposite in the second: *more than* to *less than*. */
export function hasOppositeWord(before: readonly string[], after: readonly string[]): boolean {
  const countsOf = (words: readonly string[]): ReadonlyMap<string, number> =>
    occurrences(words.map((word) => word.toLowerCase()));
  const [had, has] = [countsOf(before), countsOf(after)];
  const gained = (word: string): number => (has.get(word) ?? 0) - (had.get(word) ?? 0);
  return OPPOSITES.some(([a, b]) => gained(a) * gained(b) < 0);
}
