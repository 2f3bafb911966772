import type { ColumnType } from '../../schema/schema.js';

/** BIRD's words for the types of added columns. */
const WORDS: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  number: 'real',
  time: 'date',
  boolean: 'integer',
  others: 'text',
};

/** BIRD's word for a column type. */
export function birdTypeName(type: ColumnType): string {
  return WORDS[type];
}
