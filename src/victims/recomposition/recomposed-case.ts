import type { ComposedExample } from '../../formats/artifacts/compositions.js';

/** A question as a victim is asked it, with its gold: a composition, or a parent of one. */
export interface RecomposedQuestion {
  /** The question's id in the run that asks. */
  readonly id: string;
  readonly dbId: string;
  readonly question: string;
  readonly query: string;
}

/** A composition with the two questions that it was made of. */
export interface RecomposedCase {
  readonly composition: ComposedExample;
  readonly child: RecomposedQuestion;
  readonly parents: readonly [base: RecomposedQuestion, element: RecomposedQuestion];
}
