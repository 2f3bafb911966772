import { z } from 'zod';
import { shapeFault } from '../../shape-fault.js';
import { type AnnotationItem, type Answer, ANSWER_STATES } from '../annotation.js';
import { RULES_OF_KINDS } from '../kinds/rules-of-kinds.js';
import { AnnotationRefusal } from './annotation-refusal.js';

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

/** Checks whether two answers say the same. */
export function sameAnswer(a: Answer, b: Answer): boolean {
  const key = ({ state, accepted, written, comment, flagged }: Answer): string =>
    JSON.stringify([state, accepted, written, comment, flagged]);
  return key(a) === key(b);
}
