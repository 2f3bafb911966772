import type { Rng } from '../stage.js';
import type { Hardness } from './exact/hardness.js';
import type { EvaluationPair, Verdict } from './metric.js';

/** Pairs with what a metric said of them, in the same order. */
export interface Judged<V extends Verdict> {
  readonly pairs: readonly EvaluationPair[];
  readonly verdicts: readonly V[];
  /** Of the gold; null where that can't be told. */
  readonly hardness: readonly (Hardness | null)[];
  /** Of the bootstrap. */
  readonly rng: Rng;
}
