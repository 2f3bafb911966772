import { isCountName, rangeByName } from './number-values.js';
import { isTextHead } from './name-words.js';

/** The kinds of values that a name alone can say. */
export type NamedKind = 'number' | 'time' | 'text';

const TIME =
  /\b(?:date|dates|datetime|timestamp|time|birthday|birthdate|deadline|expiry|expiration|dob)$|\b(?:best before|use by|sell by|due by)$|\p{L}{2,}(?:ed|sold|made|built|born|seen|paid|sent) (?:at|on|until|since)$|\bvalid (?:from|until|to)$/u;

/** What a name is about: "date" of "date of birth", "id" of "team id", "price" of "price per unit". */
function headPhrase(name: string): string {
  return name
    .toLowerCase()
    .replace(/\s*\(.*?\)/gu, '')
    .replace(/(?<=\p{L})\s+(?:of|per|for|from)\s.*$/u, '')
    .trim();
}

/** The last word of what a name is about. */
export function headOf(name: string): string {
  return headPhrase(name).split(/\s+/u).at(-1) ?? '';
}

/**
 * The kind of the values that a column's natural name asks for, by its head: numbers of "team income" and "jars sold",
 * times of "best before", text of "income category"; null where the head says nothing, or may be either ("size",
 * "grade").
 */
export function kindByName(name: string): NamedKind | null {
  if (TIME.test(headPhrase(name))) return 'time';
  if (isCountName(name)) return 'number';
  const head = headOf(name);
  const [isText, isNumber] = [isTextHead(head), rangeByName(head) !== null];
  if (isText === isNumber) return null;
  return isText ? 'text' : 'number';
}
