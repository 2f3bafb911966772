import pluralize from 'pluralize';
import { remembered } from '../schema/remembered.js';

/** Words of a name in lower case, split at anything but letters, digits and apostrophes, and at inner capitals. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}']+/u)
    .filter((word) => word !== '');
}

/** "date of birth" → "birth date"; articles fall. */
function withoutOf(words: readonly string[]): readonly string[] {
  const bare = words.filter((word) => word !== 'the' && word !== 'a' && word !== 'an');
  const at = bare.indexOf('of');
  return at <= 0 || at === bare.length - 1 ? bare : [...withoutOf(bare.slice(at + 1)), ...bare.slice(0, at)];
}

/**
 * A key that is equal for names that differ only in case, punctuation, spacing and number: "Home_Towns" and "hometown".
 * Empty for a name without letters and digits.
 */
export const spellingKey = remembered((name) =>
  wordsOf(name)
    .map((word) => pluralize.singular(word.replaceAll("'", '')))
    .join(''),
);

/** As {@link spellingKey}, and equal for both orders of an "of" phrase: "date of birth" and "Birth_Dates". */
export const nameKey = remembered((name) => spellingKey(withoutOf(wordsOf(name)).join(' ')));
