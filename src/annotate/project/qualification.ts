import type { QualificationFeedback, QualificationResult } from '../api-shapes.js';
import { AnnotationRefusal } from './annotation-refusal.js';
import { QUALIFICATION_ITEMS, type QualificationItem } from './qualification-items.js';

function feedbackOn({ item, known, why }: QualificationItem, taken: readonly string[]): QualificationFeedback {
  return {
    id: item.id,
    missed: known.filter((name) => !taken.includes(name)),
    wrong: taken.filter((name) => !known.includes(name)),
    why,
  };
}

/**
 * Compares a round of answers, names taken by item id, with what is known.
 * @throws AnnotationRefusal `bad-answer` where an item has no answer
 */
export function scoreQualification(
  answers: Readonly<Record<string, readonly string[]>>,
  passMark: number,
): QualificationResult {
  const open = QUALIFICATION_ITEMS.find(({ item }) => !Object.hasOwn(answers, item.id));
  if (open !== undefined)
    throw new AnnotationRefusal('bad-answer', 'an item has no answer', 'Answer every item of the round.', open.item.id);
  const feedback = QUALIFICATION_ITEMS.map((each) => feedbackOn(each, answers[each.item.id] ?? []));
  const right = feedback.filter(({ missed, wrong }) => missed.length + wrong.length === 0).length;
  const score = right / QUALIFICATION_ITEMS.length;
  return { score, passed: score >= passMark, feedback };
}
