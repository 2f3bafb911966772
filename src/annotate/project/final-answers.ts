import type { AnnotationItem, AnswerState, StoredAnswer } from '../annotation.js';
import { RULES_OF_KINDS } from '../kinds/rules-of-kinds.js';

/** An item's final answer: `adjudicated` by a reviewer, a `single` annotator's, or names that a `majority` took. */
export interface FinalAnswer {
  readonly item: AnnotationItem;
  readonly accepted: readonly string[];
  readonly written: readonly string[];
  readonly state: AnswerState;
  readonly basis: 'adjudicated' | 'single' | 'majority';
}

/**
 * Returns the final answer to an item: the adjudication if it is submitted, else the only annotator's answer, else the
 * names that more than half of the annotators took, or the split that more than half made. Drafts don't count; those
 * who skipped have no say unless all did. Null if nothing is submitted, or everyone splits a question differently.
 */
export function finalAnswerOf(
  item: AnnotationItem,
  answers: readonly StoredAnswer[],
  adjudication: StoredAnswer | null,
): FinalAnswer | null {
  if (adjudication !== null && adjudication.state !== 'draft') {
    const { accepted, written, state } = adjudication;
    const names = state === 'done' ? { accepted, written } : { accepted: [], written: [] };
    return { item, ...names, state, basis: 'adjudicated' };
  }
  const done = answers.filter(({ state }) => state === 'done');
  const [first, second] = done;
  if (first === undefined) {
    const skipped = answers.filter(({ state }) => state === 'skipped').length;
    const basis = skipped === 1 ? 'single' : 'majority';
    return skipped === 0 ? null : { item, accepted: [], written: [], state: 'skipped', basis };
  }
  if (second !== undefined) {
    const taken = RULES_OF_KINDS[item.kind].majority(done, item);
    return taken === null ? null : { item, ...taken, state: 'done', basis: 'majority' };
  }
  return { item, accepted: first.accepted, written: first.written, state: 'done', basis: 'single' };
}
