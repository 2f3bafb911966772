/** Articles, prepositions, conjunctions and the like: they say little of what a column holds. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  'a an the of in on at by to for from with and or as per is was are be its their his her'.split(' '),
);
