import { createHash } from 'node:crypto';
import type { DependencyToken } from '../../src/compositional/parser/parse.js';

/** A record of Spider-SS: one label for each token, and the hash of the tokens in small letters. */
export interface SplitRecord {
  readonly question_md5: string;
  readonly question_type: readonly number[];
}

/** How the file may have written a question's words apart. */
const PATTERNS: readonly RegExp[] = [/\w+|'s|[^\w\s]/gu, /\w+(?:'s)?|[^\w\s]/gu, /'?[\w.\-/]+|[^\w\s]/gu, /\S+/gu];

interface Word {
  readonly text: string;
  readonly start: number;
}

function hashOf(words: readonly Word[]): string {
  return createHash('md5')
    .update(words.map(({ text }) => text.toLowerCase()).join(' '))
    .digest('hex');
}

/** Places of given words in a question, in order; null where one is not there. */
function locate(words: readonly string[], question: string): readonly Word[] | null {
  const found: Word[] = [];
  let from = 0;
  for (const text of words) {
    const start = question.indexOf(text, from);
    if (start === -1) return null;
    found.push({ text, start });
    from = start + text.length;
  }
  return found;
}

/** Whether people's words are those of the hash, or as many. */
export type Certainty = 'hash' | 'count';

/** Where people start a sub-sentence, in UTF-16 units, the first apart; null where the question's words are not theirs. */
export function peopleBreaks(
  question: string,
  given: readonly string[],
  tokens: readonly DependencyToken[],
  { question_md5, question_type }: SplitRecord,
): { readonly breaks: readonly number[]; readonly certainty: Certainty } | null {
  const patterns = PATTERNS.map((pattern) =>
    [...question.matchAll(pattern)].map(({ 0: text, index }) => ({ text, start: index })),
  );
  const forms: readonly (readonly Word[])[] = [tokens, locate(given, question) ?? [], ...patterns];
  const exact = forms.find((words) => hashOf(words) === question_md5);
  const words = exact ?? forms.find(({ length }) => length === question_type.length);
  if (words?.length !== question_type.length) return null;
  const breaks = words.flatMap(({ start }, i) => (i > 0 && question_type[i] !== question_type[i - 1] ? [start] : []));
  return { breaks, certainty: exact === undefined ? 'count' : 'hash' };
}
