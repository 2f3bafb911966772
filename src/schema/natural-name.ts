import pluralize from 'pluralize';
import { memoize } from './memoize.js';

// Memoized: the library tries hundreds of patterns for each word, and words repeat.

/** The singular of a noun; what looks like none stays as it is. */
export const singularOf = memoize((noun) => pluralize.singular(noun));

/** The plural of a noun; what looks like one stays as it is. */
export const pluralOf = memoize((noun) => pluralize.plural(noun));

const MAX_TITLE_LENGTH = 160;

function splitCamelCase(name: string): string {
  if (/\s/u.test(name)) return name;
  return name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
}

/** Collapses white space, control characters and footnote marks such as `[1]`: `"Pop.\n[2]"` → `"Pop."`. */
export function cleanText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\[(?:\d+|[a-z]|note \d+)\]/giu, ' ')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
}

/** A header or identifier as natural lower-case words: `Home_Town`, `homeTown`, `Home Town:` → `home town`. */
export function naturalName(header: string): string {
  const words = splitCamelCase(cleanText(header).replace(/_+/gu, ' ').trim());
  return words
    .replace(/^[\s:*†‡•-]+(?=.)|[\s:*†‡•;,-]+$/gu, '')
    .replace(/^#(?=$|\s+of\b)/iu, 'number')
    .toLowerCase()
    .replace(/\s+/gu, ' ');
}

function withoutUnit(name: string): string {
  return name.replace(/\s*\([^()]*\)$/u, '');
}

/**
 * Headers as natural names; a unit or remark in parentheses goes (`"area (km²)"` → `"area"`) unless that would make
 * two columns of the table equal.
 */
export function naturalHeaders(headers: readonly string[]): readonly string[] {
  const names = headers.map(naturalName);
  const bare = names.map(withoutUnit);
  return names.map((name, column) => {
    const short = bare[column] ?? '';
    const isUnique = bare.every((other, position) => position === column || other !== short);
    return short !== '' && isUnique ? short : name;
  });
}

/** A table's title, cleaned and bounded; case is kept. */
export function cleanTitle(title: string): string {
  return cleanText(title).slice(0, MAX_TITLE_LENGTH).trim();
}
