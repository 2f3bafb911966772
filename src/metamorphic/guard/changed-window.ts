import { elementAt } from '../../present.js';

const TOKEN = /"[^"]*"|[\p{L}\p{N}_'’-]+|\S/gu;

/**
 * Words kept on either side of what changed; the most with which the judge still distinguishes wrong mutants
 * (docs/mutate.md).
 */
const CONTEXT = 5;

const isMark = (token: string | undefined): boolean => token === '.' || token === '?';

/** Words, quoted texts and signs of a wording. */
export function wordingTokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/** How many tokens from the start are the same, but for letter case. */
function sharedStart(a: readonly string[], b: readonly string[], most: number): number {
  let count = 0;
  while (count < most && elementAt(a, count).toLowerCase() === elementAt(b, count).toLowerCase()) count++;
  return count;
}

/**
 * The part of two wordings in which they differ, with a few words around it: our judge knows short statements better than
 * whole questions, and most questions share their parts. Both as they are where only letter case and the final mark differ.
 */
export function changedWindow(before: string, after: string): readonly [string, string] {
  const [a, b] = [wordingTokens(before), wordingTokens(after)];
  const most = Math.min(a.length, b.length);
  const start = sharedStart(a, b, most);
  const [endA, endB] = [[...a].reverse(), [...b].reverse()];
  // A question mark that became a full stop is no change of what is asked.
  const mark = isMark(endA[0]) && isMark(endB[0]) ? 1 : 0;
  const end = mark + sharedStart(endA.slice(mark), endB.slice(mark), most - start - mark);
  if (start + end >= Math.max(a.length, b.length)) return [before, after];
  const cut = (tokens: readonly string[]): string =>
    tokens.slice(Math.max(0, start - CONTEXT), Math.max(start, tokens.length - end) + CONTEXT).join(' ');
  return [cut(a), cut(b)];
}
