import type { QuestionLinks } from './link-file.js';
import { countSets, scoreSets, type SetScores } from './set-scores.js';

/** A change of what counts as a link is another version. */
const LINKING_MODE = 'linking@1';

export interface LinkingSummary {
  readonly mode: typeof LINKING_MODE;
  readonly questions: number;
  /** Over (column, question token) pairs: Col_P, Col_R, Col_F of ADVETA's appendix C.4. */
  readonly columns: SetScores;
  /** Over (table, question token) pairs: Tab_P, Tab_R, Tab_F. */
  readonly tables: SetScores;
}

/**
 * How well a model links question tokens to columns and tables, as ADVETA's appendix C.4 measures it after Liu et al.
 * 2021: precision, recall and F1 over the tuples of all questions. Both lists are of the same questions in order.
 */
export function summarizeLinking(gold: readonly QuestionLinks[], predicted: readonly QuestionLinks[]): LinkingSummary {
  const scores = (kind: 'columns' | 'tables'): SetScores =>
    scoreSets(gold.map((links, i) => countSets(links[kind], predicted[i]?.[kind] ?? new Set())));
  return { mode: LINKING_MODE, questions: gold.length, columns: scores('columns'), tables: scores('tables') };
}
