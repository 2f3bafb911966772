import { FILING_WORDS } from '../attributes/class-fit.js';
import { headIndex } from '../dictionary/inflection.js';
import { spellingKey, wordsOf } from '../schema/name-identity.js';

const JOINING_WORDS = new Set('a an the of in on at by for per to from with and'.split(' '));

function contentWords(name: string): readonly string[] {
  return wordsOf(name).filter((word) => !JOINING_WORDS.has(word));
}

/**
 * How far the title of a table names what the rows of another are, 0 to 1: "Bridges" all of table "bridge" (1), "Bridge
 * usage" with other words (0.5), "Roads" not (0). What a table of the same entity holds is mostly an attribute of it
 * (ADVETA §2.3).
 */
export function sharedEntity(title: string, tableName: string): number {
  const words = contentWords(tableName).filter((word) => !FILING_WORDS.has(word));
  const entity = spellingKey(words[headIndex(words)] ?? '');
  if (entity === '' || !contentWords(title).some((word) => spellingKey(word) === entity)) return 0;
  return wordsBesides(title, tableName) === '' ? 1 : 0.5;
}

/** Returns a title's words besides those of a table's name: of "Police stations" for table "stations", "police". */
function wordsBesides(title: string, tableName: string): string {
  const own = new Set(contentWords(tableName).map((word) => spellingKey(word)));
  return contentWords(title)
    .filter((word) => !own.has(spellingKey(word)))
    .join(' ');
}
