import { itemAt } from '../../../present.js';
import type { Span } from '../../../sql/tokenizer.js';

/** A text as a part of a regular expression. */
export const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Words for numbers from zero on. */
const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Where a text is in a question as whole words, in any letter case. */
export function spansOf(question: string, text: string): readonly Span[] {
  const spaced = text.split(/\s+/).map(escapeRegExp).join('\\s+');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_.])${spaced}(?![\\p{L}\\p{N}_]|[.,]\\p{N})`, 'giu');
  return [...question.matchAll(pattern)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
}

/** A number of a question: where it is, as digits or as a word. */
export interface NumberPhrase extends Span {
  readonly isWord: boolean;
}

/** Where a question has a number, once; null where it is not there, or several times. */
export function numberPhrase(question: string, value: number): NumberPhrase | null {
  const word = NUMBER_WORDS[value];
  const digits = spansOf(question, String(value)).map((span) => ({ ...span, isWord: false }));
  const words = word === undefined ? [] : spansOf(question, word).map((span) => ({ ...span, isWord: true }));
  const [only, ...others] = [...digits, ...words];
  return only === undefined || others.length > 0 ? null : only;
}

/** A number in the manner of another one's phrase. */
export function numberText(value: number, { isWord }: NumberPhrase): string {
  return (isWord ? NUMBER_WORDS[value] : undefined) ?? String(value);
}

/** A question with another text at a place, which keeps a large first letter. */
export function withPhrase(question: string, { start, end }: Span, text: string): string {
  const isLarge = /^\p{Lu}/u.test(question.slice(start, end)) && /^\p{Ll}/u.test(text);
  const written = isLarge ? itemAt(text, 0).toUpperCase() + text.slice(1) : text;
  return question.slice(0, start) + written + question.slice(end);
}

/** A phrase of a table that a question has. */
export interface FoundPhrase extends Span {
  /** Its text in the table, and the opposite. */
  readonly text: string;
  readonly opposite: string;
  /** True if it is of the first or the second column of the table. */
  readonly side: 0 | 1;
}

/**
 * The only phrase of a table of opposites that a question has, the longest where they overlap; null of none or several.
 */
export function onlyPhrase(question: string, pairs: readonly (readonly [string, string])[]): FoundPhrase | null {
  const found = pairs.flatMap(([first, second]): readonly FoundPhrase[] => [
    ...spansOf(question, first).map((span) => ({ ...span, text: first, opposite: second, side: 0 as const })),
    ...spansOf(question, second).map((span) => ({ ...span, text: second, opposite: first, side: 1 as const })),
  ]);
  const longest = found.filter((one) => {
    return !found.some((other) => {
      const isAround = other.start <= one.start && other.end >= one.end;
      return isAround && other.end - other.start > one.end - one.start;
    });
  });
  const [only, ...others] = longest;
  // A phrase may be in several lines of a table: the first line counts.
  const isOne = others.every(({ start, end }) => start === only?.start && end === only.end);
  return only === undefined || !isOne ? null : only;
}
