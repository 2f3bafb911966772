import { outcomeOf } from '../judged-answer.js';
import type { JudgedRecomposition } from './judge-recompositions.js';

/** A line of `recompositions.jsonl`: the verdicts on a composition; its answers are in `answers.jsonl`. */
export interface RecompositionLine {
  readonly id: string;
  readonly kind: string;
  readonly hardness: string | null;
  /** Question ids of the base and of the element's question. */
  readonly parents: readonly string[];
  /** Outcomes of base, element and composition. */
  readonly exact: readonly (string | null)[];
  readonly execution: readonly (string | null)[];
}

/** Says of one composition what was found. */
export function recompositionLine({
  case: { composition, parents },
  before,
  after,
}: JudgedRecomposition): RecompositionLine {
  const all = [...before, after];
  return {
    id: composition.id,
    kind: composition.kind,
    hardness: composition.hardness,
    parents: parents.map(({ id }) => id),
    exact: all.map((judged) => outcomeOf(judged, 'exact')),
    execution: all.map((judged) => outcomeOf(judged, 'execution')),
  };
}
