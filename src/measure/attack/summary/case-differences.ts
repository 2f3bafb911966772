import type { ResultDifference } from '../../../report/result-difference.js';
import type { AnswerScorer } from '../../../victims/answer-scorer.js';
import { toScore } from '../asking.js';
import type { PerturbedRows } from '../perturbed-rows.js';
import type { ScoredExample, ScoredVariant } from './scored-example.js';
import { changeOf } from '../../reported-answer.js';
import { outcomeOf } from '../../judged-answer.js';

/** Of the variants that turned wrong by execution: where the two results differ. */
export async function differencesOf(
  examples: readonly ScoredExample[],
  { scorer, rows }: { readonly scorer: AnswerScorer; readonly rows: PerturbedRows },
  signal: AbortSignal,
): Promise<ReadonlyMap<ScoredVariant, ResultDifference>> {
  const broken = examples.flatMap((scored) =>
    scored.variants.flatMap((variant) => {
      const { before, after, tables } = variant;
      if (changeOf(outcomeOf(before, 'execution'), outcomeOf(after, 'execution')) !== 'broken') return [];
      return [{ variant, answered: toScore({ ...scored, tables, answer: after.answer }, rows) }];
    }),
  );
  const differences = await scorer.differences(
    broken.map(({ answered }) => answered),
    signal,
  );
  return new Map(
    broken.flatMap(({ variant, answered }) => {
      const difference = differences.get(answered.id);
      return difference === undefined ? [] : [[variant, difference] as const];
    }),
  );
}
