import pluralize from 'pluralize';
import { remembered } from './remembered.js';

function singularWord(word: string): string {
  return /^[a-z]{4,}$/.test(word) ? pluralize.singular(word) : word;
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

function computeKey(name: string): string {
  const natural = spacedName(name);
  const words = natural.replace(/['’]/gu, '').split(/[^\p{L}\p{N}]+/u);
  const key = words
    .filter((word) => word !== '')
    .map(singularWord)
    .join(' ');
  return key === '' ? natural : key;
}

/**
 * Two names with the same key count as one name: case, spaces, underscores, punctuation and plural set aside.
 * A name of nothing but punctuation is its own key.
 */
export const columnNameKey = remembered(computeKey);
