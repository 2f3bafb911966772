import type { AnnotationItem, Answer, StoredAnswer } from '../annotation.js';
import type { SplitPart } from '../api-shapes.js';

/** The contents of an answer: names, or marks. */
export type Taken = Pick<Answer, 'accepted' | 'written'>;

/** Several annotators' ratings of the same units: a mark per unit of each answer, in the answers' order. */
export interface RatedPart {
  /** Null for a list of names, which is rated as a whole. */
  readonly part: SplitPart | null;
  readonly taken: readonly (readonly boolean[])[];
}

/** The rules, by kind of item, for storing, comparing and combining answers. */
export interface AnswerRules {
  /**
   * Returns the contents of an answer as stored: in one order, each once.
   * @throws AnnotationRefusal `bad-answer` for what the item has no place for
   */
  stored(taken: Taken, item: AnnotationItem): Taken;
  /** Returns the result of two or more submitted answers without a reviewer, or null if there is none. */
  majority(done: readonly StoredAnswer[], item: AnnotationItem): Taken | null;
  /** Returns the ratable parts of submitted answers, or none if there is nothing to rate. */
  rated(done: readonly StoredAnswer[], item: AnnotationItem): readonly RatedPart[];
}
