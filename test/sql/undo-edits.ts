import type { SqlEdit } from '../../src/sql/edits.js';

/** The text before edits: the inverse of `applyEdits` with the same edits. */
export function undoEdits(rewritten: string, edits: readonly SqlEdit[]): string {
  let result = '';
  let [at, shift] = [0, 0];
  for (const { start, before, after } of edits) {
    result += rewritten.slice(at, start + shift) + before;
    at = start + shift + after.length;
    shift += after.length - before.length;
  }
  return result + rewritten.slice(at);
}
