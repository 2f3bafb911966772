import type { ColumnType } from '../schema/schema.js';

const NUMBER = /^[-+−]?\s?[$€£¥]?\s?\d[\d,. ]*\s?(?:%|[kmb]n?)?$/iu;
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';
const TIME = new RegExp(
  [
    '^\\d{4}-\\d{1,2}-\\d{1,2}(?:[T ].*)?$',
    '^\\d{1,2}[/.]\\d{1,2}[/.]\\d{2,4}$',
    '^\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?\\s?(?:am|pm)?$',
    `^${MONTH} \\d{1,2}(?:\\s?,? ?\\d{4})?$`,
    `^\\d{1,2} ${MONTH}(?:,? ?\\d{4})?$`,
    `^${MONTH} \\d{4}$`,
  ].join('|'),
  'iu',
);
const BOOLEAN = /^(?:true|false|yes|no|y|n)$/iu;

/**
 * Spider's type of a column, from its sample values: all of them must agree, else `text`. Years count as numbers, as
 * in 90 of the 106 year columns of Spider's own schemas; a column without values is `time` when its name says date.
 */
export function guessColumnType(name: string, values: readonly string[]): ColumnType {
  const filled = values.map((value) => value.trim()).filter((value) => value !== '');
  if (filled.length === 0) return /\b(?:date|datetime|timestamp)\b/u.test(name) ? 'time' : 'text';
  const agree = (pattern: RegExp): boolean => filled.every((value) => pattern.test(value));
  if (agree(BOOLEAN)) return 'boolean';
  if (agree(NUMBER)) return 'number';
  return agree(TIME) ? 'time' : 'text';
}
