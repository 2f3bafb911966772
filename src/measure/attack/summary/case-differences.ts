import type { AnswerScorer } from '../../../victims/answer-scorer.js';
import { toScore } from '../asking.js';
import type { AttackCase } from '../attack-report.js';
import type { PerturbedRows } from '../perturbed-rows.js';
import type { ScoredExample, ScoredVariant } from './scored-example.js';
import { outcomeOf } from '../../judged-answer.js';

/** Checks whether an answer turned wrong by execution. */
function isBroken({ before, after }: ScoredVariant): boolean {
  return outcomeOf(before, 'execution') === 'correct' && outcomeOf(after, 'execution') === 'wrong';
}

/** The cases of a report, and of those that turned wrong by execution where the two results differ. */
export async function addDifferences(
  cases: readonly AttackCase[],
  examples: readonly ScoredExample[],
  { scorer, rows }: { readonly scorer: AnswerScorer; readonly rows: PerturbedRows },
  signal: AbortSignal,
): Promise<AttackCase[]> {
  const broken = examples.flatMap((scored, e) =>
    scored.variants.flatMap((variant, v) => {
      if (!isBroken(variant)) return [];
      const { example, group, turn } = scored;
      const { tables, after } = variant;
      return [{ e, v, answered: toScore({ example, group, turn, tables, answer: after.answer }, rows) }];
    }),
  );
  const differences = await scorer.differences(
    broken.map(({ answered }) => answered),
    signal,
  );
  const found = new Map(broken.map(({ e, v, answered }) => [`${e} ${v}`, differences.get(answered.id)]));
  return cases.map((one, e) => ({
    ...one,
    perturbed: one.perturbed.map((variant, v) => {
      const difference = found.get(`${e} ${v}`);
      return difference === undefined ? variant : { ...variant, rows: difference };
    }),
  }));
}
