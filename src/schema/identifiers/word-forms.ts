import { singularOf } from '../noun-number.js';

const PREFIX = /^(?:un|re|non|pre|mis|dis|anti|semi)(?=[a-z]{4})/;
const SUFFIXES: readonly (readonly [RegExp, string])[] = [
  [/(?:ed|ing|er|ers)$/, ''],
  [/(?:ed|ing|er|ers)$/, 'e'],
  [/(?:ly|ness|less)$/, ''],
];

/** What a word may be formed from: "roosters" from rooster, "undrafted" from drafted. */
export function basesOf(word: string): readonly string[] {
  const bases = SUFFIXES.filter(([suffix]) => suffix.test(word)).map(([suffix, ending]) =>
    word.replace(suffix, ending),
  );
  return [singularOf(word), word.replace(PREFIX, ''), ...bases].filter((base) => base !== word && base.length >= 4);
}
