import type { AnnotationItem, Answer, StoredAnswer } from '../annotation.js';
import type { SplitPart } from '../api-shapes.js';

/** What an answer takes: names, or marks. */
export type Taken = Pick<Answer, 'accepted' | 'written'>;

/** What several annotators said of the same units: a mark per unit of each answer, in the answers' order. */
export interface RatedPart {
  /** Null for a list of names, which is rated as a whole. */
  readonly part: SplitPart | null;
  readonly taken: readonly (readonly boolean[])[];
}

/** What depends on the kind of an item in how its answers are stored, compared and put together. */
export interface AnswerRules {
  /**
   * What an answer takes as it is stored, in one order, each once.
   * @throws AnnotationRefusal `bad-answer` for what the item has no place for
   */
  stored(taken: Taken, item: AnnotationItem): Taken;
  /** What answers that are handed in, two or more, come to without a reviewer; null where that is nothing. */
  majority(done: readonly StoredAnswer[], item: AnnotationItem): Taken | null;
  /** What is rated of answers that are handed in; nothing where there is nothing to rate. */
  rated(done: readonly StoredAnswer[], item: AnnotationItem): readonly RatedPart[];
}
