import type { Span } from '../../../sql/tokenizer.js';

/** Quoted values: an apostrophe within a word, or after one, opens none. */
const QUOTED = /"[^"]*"|“[^”]*”|‘[^’]*’|`[^`]*`|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu;

/** Where a question quotes values: nothing is changed there. */
export function quotedSpans(text: string): readonly Span[] {
  return [...text.matchAll(QUOTED)].map(({ index, 0: quoted }) => ({ start: index, end: index + quoted.length }));
}

/** A question with its quoted values blanked out, letter for letter: what patterns may look at. */
export function withoutQuotes(text: string): string {
  return text.replace(QUOTED, (quoted) => '_'.repeat(quoted.length));
}

/** A question mark, or a full stop after a word that is no abbreviation, with a further sentence behind it. */
const BOUNDARY = /\?\s+\S|(?<=\p{Ll}{3})\.\s+\p{Lu}/u;

export function hasSeveralSentences(text: string): boolean {
  return BOUNDARY.test(withoutQuotes(text));
}

/** Ends a sentence with another mark; one that had none goes without. */
export function withMark(text: string, mark: '.' | '?'): string {
  return text.replace(/(\s*)[.?](\s*)$/, (_, before: string, after: string) => `${before}${mark}${after}`);
}

/** A sentence's first letter as it was in `like`: large or small. */
export function asStart(text: string, like: string): string {
  return /^\P{L}*\p{Lu}/u.test(like) ? text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : text;
}

/** A first word for the middle of a sentence: "What is" → "what is", "HOw many" → "how many"; the rest stays. */
export function withSmallFirstWord(text: string): string {
  return text.replace(/^\p{L}+/u, (word) => word.toLowerCase());
}
