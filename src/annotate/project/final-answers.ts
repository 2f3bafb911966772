import type { AnnotationItem, AnswerState, StoredAnswer } from '../annotation.js';
import { RULES_OF_KINDS } from '../kinds/rules-of-kinds.js';

/** What an item comes to: `adjudicated` by a reviewer, a `single` annotator's, or names that a `majority` took. */
export interface FinalAnswer {
  readonly item: AnnotationItem;
  readonly accepted: readonly string[];
  readonly written: readonly string[];
  readonly state: AnswerState;
  readonly basis: 'adjudicated' | 'single' | 'majority';
}

/**
 * What the answers to an item come to: the adjudication where it is handed in, else the only annotator's answer, else
 * the names that more than half of the annotators took, or the split that more than half made. Drafts don't count; who
 * skipped has no say unless all did. Null where nothing is handed in, or a question is split in other ways by each.
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
