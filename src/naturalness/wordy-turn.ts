import { wordsOf } from '../schema/name-identity.js';

/** Beginnings of phrases for a column in more words: "name of nation", "code for template type", "years of age". */
const OPENINGS = ['name of', 'code for', 'kind of', 'category of', 'years of age', 'age in'];

/** Words that schemas commonly have before "of": "date of birth", "length of stay", "total number of visitors". */
const PLAIN_HEADS = new Set(
  (
    'number count total average maximum minimum date year years month day time hour place country city state percentage percent share rate level length ' +
    'method cause source proof terms age'
  ).split(' '),
);

/** The words before the first "of" or "for"; none where there is neither. */
function beforePreposition(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, i) => i > 0 && (word === 'of' || word === 'for'));
  return at === -1 ? [] : words.slice(0, at);
}

/**
 * Checks whether a replacement only turns a name round with words between ("size of product"), and the name itself is
 * no such phrase.
 */
function isWordyTurn(name: string, own: string): boolean {
  const [words, ownWords] = [wordsOf(name), wordsOf(own)];
  const begins = (phrase: readonly string[]): boolean =>
    OPENINGS.some((opening) => `${phrase.join(' ')} `.startsWith(`${opening} `));
  const before = beforePreposition(words);
  const isTurned =
    ownWords.includes(before.at(-1) ?? '') &&
    !before.every((word) => PLAIN_HEADS.has(word)) &&
    beforePreposition(ownWords).length === 0;
  return isTurned || (begins(words) && !begins(ownWords));
}

/**
 * Which replacements of a column are kept: of those that read wordy, one at most, and none where the column has
 * another. Readers take them for right but odd (ADVETA §2.2), so they serve columns that nothing else can replace.
 */
export function keepPlain(names: readonly string[], own: string): readonly boolean[] {
  const wordy = names.map((name) => isWordyTurn(name, own));
  const kept = wordy.includes(false) ? -1 : 0;
  return wordy.map((isWordy, i) => !isWordy || i === kept);
}
