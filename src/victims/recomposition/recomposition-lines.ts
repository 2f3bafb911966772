import type { JudgedQuestion, JudgedRecomposition } from './ask-recompositions.js';

/** A line of `recompositions.jsonl`: the verdicts on a composition; its answers are in `answers.jsonl`. */
export interface RecompositionLine {
  readonly id: string;
  readonly kind: string;
  readonly hardness: string | null;
  /** Question ids of the base and of the element's question. */
  readonly parents: readonly string[];
  /** Outcomes of base, element and composition. */
  readonly exact: readonly string[];
  readonly execution: readonly (string | null)[];
}

/** Says of one composition what was found. */
export function recompositionLine({ case: { composition }, child, parents }: JudgedRecomposition): RecompositionLine {
  const all: readonly JudgedQuestion[] = [...parents, child];
  return {
    id: composition.id,
    kind: composition.kind,
    hardness: composition.hardness,
    parents: parents.map(({ asked }) => asked.id),
    exact: all.map(({ score }) => score.exact.outcome),
    execution: all.map(({ score }) => score.execution?.outcome ?? null),
  };
}
