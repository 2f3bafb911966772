import { spellingKey, wordsOf } from '../../../schema/name-identity.js';

/**
 * Checks whether a question has all words of a name, whatever their number: it might then mean a column of that name.
 */
export function isAskedFor(name: string, question: string): boolean {
  const asked = new Set(wordsOf(question).map(spellingKey));
  return wordsOf(name).every((word) => asked.has(spellingKey(word)));
}
