import type { CandidateDecision } from '../../../formats/artifacts/candidates.js';
import { shuffled } from '../../../seeded-rng.js';
import type { Rng } from '../../../stage.js';
import { difficultyOf } from './candidate-difficulty.js';
import type { PerturbationKind } from './candidate-pool.js';

/** Which of a column's candidates are drawn first: any, those of the harder half, or either with equal chance. */
export const SAMPLE_CHOICES = ['random', 'hard', 'balanced'] as const;
export type SampleChoice = (typeof SAMPLE_CHOICES)[number];

/**
 * Candidates of one column in the order in which they are tried. The harder half comes first where it is asked for: new
 * names far from the old one (RPL), further columns near to the one that they are next to (ADD).
 */
export function drawOrder(
  candidates: readonly CandidateDecision[],
  kind: PerturbationKind,
  sample: SampleChoice,
  rng: Rng,
): readonly CandidateDecision[] {
  const order = shuffled(candidates, rng);
  const isHard = sample === 'hard' || (sample === 'balanced' && rng.int(2) === 0);
  if (!isHard) return order;
  // Of three names the middle one is in no half: it is neither hard nor easy.
  const half = Math.max(1, Math.floor(order.length / 2));
  const harder = new Set(order.toSorted((a, b) => difficultyOf(b, kind) - difficultyOf(a, kind)).slice(0, half));
  return [...order.filter((one) => harder.has(one)), ...order.filter((one) => !harder.has(one))];
}
