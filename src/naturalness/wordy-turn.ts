import { wordsOf } from '../schema/name-identity.js';

/** Phrases that say a column in more words, whatever stands before "of". */
const OPENINGS = ['years of age', 'age in'];

/** What schemas commonly have before "of": "date of birth", "length of stay", "total number of visitors". */
const PLAIN_HEADS = new Set(
  (
    'number count total average maximum minimum date year years month day time hour place country city state percentage percent share rate level length ' +
    'method cause source proof terms age'
  ).split(' '),
);

/** Whether a name is a phrase where a compound is usual: "name of nation", "code for template type", "size of product". */
function isPhrase(name: string): boolean {
  const words = wordsOf(name);
  const preposition = words.findIndex((word, i) => i > 0 && (word === 'of' || word === 'for'));
  const isTurned = preposition > 0 && !words.slice(0, preposition).every((word) => PLAIN_HEADS.has(word));
  return isTurned || OPENINGS.some((opening) => `${words.join(' ')} `.startsWith(`${opening} `));
}

/** Whether a replacement only turns a name round with words between, and the name itself is no such phrase. */
function isWordyTurn(name: string, own: string): boolean {
  return isPhrase(name) && !isPhrase(own);
}

/**
 * Which replacements of a column are kept: of those that read wordy, one at most, and none where the column has another.
 * Readers take them for right but odd (ADVETA §2.2), so they serve columns that nothing else can replace.
 */
export function keepPlain(names: readonly string[], own: string): readonly boolean[] {
  const wordy = names.map((name) => isWordyTurn(name, own));
  const kept = wordy.includes(false) ? -1 : 0;
  return wordy.map((isWordy, i) => !isWordy || i === kept);
}
