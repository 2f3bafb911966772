import { z } from 'zod';
import { shapeFault } from '../../shape-fault.js';
import {
  type AnnotationItem,
  type AnnotationKind,
  type Answer,
  ANSWER_STATES,
  type AnswerState,
  type StoredAnswer,
} from '../annotation.js';
import { AnnotationRefusal } from './annotation-refusal.js';
import type { AnswerRules } from '../kinds/answer-rules.js';
import { NAME_RULES } from '../kinds/name-rules.js';
import { SPLIT_RULES } from '../kinds/split-rules.js';

/** The rules of each kind. */
export const RULES_OF_KINDS: Readonly<Record<AnnotationKind, AnswerRules>> = {
  RPL: NAME_RULES,
  ADD: NAME_RULES,
  SPLIT: SPLIT_RULES,
};

/** Longest comment, and most and longest names of an answer: what a person may write, no more than a page can show. */
const LONGEST_COMMENT = 5000;
const MOST_NAMES = 100;
const LONGEST_NAME = 200;

const names = z.array(z.string().max(LONGEST_NAME)).max(MOST_NAMES);

/** An answer as a page or a file sends it. */
export const answerSchema = z.strictObject({
  state: z.enum(ANSWER_STATES),
  accepted: names,
  written: names,
  comment: z.string().max(LONGEST_COMMENT),
  flagged: z.boolean(),
});

/**
 * An answer as it is stored: accepted names in the list's order, written ones trimmed, each once; marks in their order.
 * @throws AnnotationRefusal `bad-answer` for another shape, an accepted name that the list lacks, names written for
 * ADD, or what is no mark of a split question
 */
export function toStoredForm(answer: Answer, item: AnnotationItem): Answer {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) {
    const { field, fault } = shapeFault(parsed.error, answer);
    const what = field === '' ? 'the answer' : `"${field}"`;
    throw new AnnotationRefusal('bad-answer', `${what} ${fault}`, 'Send an answer of this form.', item.id);
  }
  return { ...parsed.data, ...RULES_OF_KINDS[item.kind].stored(parsed.data, item) };
}

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
