import type { AnnotationItem, ItemContext } from '../annotation.js';
import { AnnotationRefusal } from './annotation-refusal.js';
import { QUALIFICATION_ITEMS } from './qualification-items.js';

/** An item whose answer is known. */
export interface QualificationItem {
  readonly item: AnnotationItem;
  readonly context: ItemContext;
  /** Names that must be taken; the others of the list must not. */
  readonly known: readonly string[];
  /** The reason, shown with the result. */
  readonly why: string;
}

/** What an answer to a known item lacks and has too much, and why. */
export interface QualificationFeedback {
  readonly id: string;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
  readonly why: string;
}

export interface QualificationResult {
  /** Share of the items answered exactly as known, 0 to 1. */
  readonly score: number;
  readonly passed: boolean;
  readonly feedback: readonly QualificationFeedback[];
}

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
  const feedback = QUALIFICATION_ITEMS.map((each) => feedbackOn(each, answers[each.item.id]!));
  const right = feedback.filter(({ missed, wrong }) => missed.length + wrong.length === 0).length;
  const score = right / QUALIFICATION_ITEMS.length;
  return { score, passed: score >= passMark, feedback };
}
