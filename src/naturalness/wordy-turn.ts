import { wordsOf } from '../schema/name-identity.js';

/** What a phrase may begin with that says a column in more words: "name of nation", "code for template type", "years of age". */
const OPENINGS = ['name of', 'code for', 'kind of', 'category of', 'years of age', 'age in'];

/** Whether a replacement only turns a name round with words between, and the name itself is no such phrase. */
function isWordyTurn(name: string, own: string): boolean {
  const begins = (text: string): boolean => {
    const phrase = `${wordsOf(text).join(' ')} `;
    return OPENINGS.some((opening) => phrase.startsWith(`${opening} `));
  };
  return begins(name) && !begins(own);
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
