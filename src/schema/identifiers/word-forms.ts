const PREFIX = /^(?:un|re|non|pre|mis|dis|anti|semi)(?=[a-z]{4})/;
const SUFFIXES: readonly (readonly [RegExp, string])[] = [
  [/(?:ed|ing|er|ers)$/, ''],
  [/(?:ed|ing|er|ers)$/, 'e'],
  [/(?:ly|ness|less)$/, ''],
  // Regular plurals alone: irregular ones stand in dictionaries, and letters of all kinds are asked for.
  [/(?<!s)s$/, ''],
  [/(?<=(?:[sxz]|ch|sh|o))es$/, ''],
  [/ies$/, 'y'],
  [/ves$/, 'f'],
];

/** What a word may be formed from: "roosters" from rooster, "undrafted" from drafted. */
export function basesOf(word: string): readonly string[] {
  const bases = SUFFIXES.filter(([suffix]) => suffix.test(word)).map(([suffix, ending]) =>
    word.replace(suffix, ending),
  );
  return [word.replace(PREFIX, ''), ...bases].filter((base) => base !== word && base.length >= 4);
}
