/**
 * When two names are one: every key that names are compared by. From the strictest to the loosest,
 *
 * | key | also takes for one | use it for |
 * | --- | --- | --- |
 * | {@link identifierKey} | `Home_Town`, `home_town` | identifiers: is one taken in its table? |
 * | {@link countedName} | `Home Town`, `home  town` | counting distinct names as ADVETA's Table 1 does |
 * | {@link spacedName} | `home town`, `home_town` | natural names: the same words, as they are shown and stored |
 * | {@link columnNameKey} | `home town`, `home-towns` | candidates: the same name but for punctuation and number |
 * | {@link spellingKey} | `home town`, `HomeTown` | new names of one table, which must not differ by a space alone |
 * | {@link nameKey} | `home town`, `town of the home` | existing names: the order of words around "of" says nothing new |
 *
 * None of them is the identity of a column: that is its original name, as the schema writes it (`Column.originalName`).
 * Names in SQL are compared as their dialect compares them (`foldName` of `sql/dialect.ts`).
 */
import { singularOf } from './natural-name.js';
import { memoize } from './memoize.js';

/** An identifier without case: most databases take `Name` and `name` for one. */
export function identifierKey(originalName: string): string {
  return originalName.toLowerCase();
}

/** A name in lower case with single white space; `home_town` stays another name than `home town`. */
export function countedName(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, ' ');
}

/**
 * A name with single spaces between its words: trimmed, lower case, underscores and white space made one space. For
 * names that are natural already; `naturalName` makes one of a header or identifier.
 */
export function spacedName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_]+/gu, ' ')
    .trim();
}

function singularWord(word: string): string {
  return /^[a-z]{4,}$/.test(word) ? singularOf(word) : word;
}

/**
 * The words of a name, singular, a space between each two: case, spaces, underscores, punctuation and plural set aside.
 * A name of nothing but punctuation is its own key.
 */
export const columnNameKey = memoize((name) => {
  const natural = spacedName(name);
  const words = natural.replace(/['’]/gu, '').split(/[^\p{L}\p{N}]+/u);
  const key = words
    .filter((word) => word !== '')
    .map(singularWord)
    .join(' ');
  return key === '' ? natural : key;
});

/** Words of a name in lower case, split at anything but letters, digits and apostrophes, and at inner capitals. */
export const wordsOf = memoize((name): readonly string[] =>
  name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}']+/u)
    .filter((word) => word !== ''),
);

/**
 * The letters and digits of a name, each word singular, without spaces: "Home_Towns" and "hometown". Empty for a name
 * without letters and digits.
 */
export const spellingKey = memoize((name) =>
  wordsOf(name)
    .map((word) => singularOf(word.replaceAll("'", '')))
    .join(''),
);

/** "date of birth" → "birth date"; articles fall. */
function withoutOf(words: readonly string[]): readonly string[] {
  const bare = words.filter((word) => word !== 'the' && word !== 'a' && word !== 'an');
  const at = bare.indexOf('of');
  return at <= 0 || at === bare.length - 1 ? bare : [...withoutOf(bare.slice(at + 1)), ...bare.slice(0, at)];
}

/** As {@link spellingKey}, and equal for both orders of an "of" phrase: "date of birth" and "Birth_Dates". */
export const nameKey = memoize((name) => spellingKey(withoutOf(wordsOf(name)).join(' ')));
