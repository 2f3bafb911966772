import type { EntailmentScorer, StageContext } from '../stage.js';

/** How far two statements entail each other: the lower of both directions, min(e1, e2) (ADVETA §4.4). */
export async function mutualEntailment(
  scorer: EntailmentScorer,
  a: string,
  b: string,
  context: StageContext,
): Promise<number> {
  const pairs = [
    { premise: a, hypothesis: b },
    { premise: b, hypothesis: a },
  ];
  const scores = await scorer.score(pairs, context);
  return Math.min(...scores.map(({ entailment }) => entailment));
}
