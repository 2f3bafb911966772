import { groupBy } from '../../../run/group-by.js';
import { createRng, shuffled } from '../../../seeded-rng.js';
import { itemAt } from '../../../present.js';
import { countedRelation } from '../../relations/counted-relation.js';
import type { MutantRecord } from '../../../formats/artifacts/mutants.js';

/** Error rate of a victim by relation, 0 to 1, as consistency reports count them (`countedRelation`). */
export type ErrorRates = ReadonlyMap<string, number>;

export type SamplingPlan = {
  /** Mutants to choose: the paper's n, as many as the training set has examples. */
  readonly budget: number;
  readonly seed: number;
} & (
  | { readonly strategy: 'random' | 'stratified' }
  /**
   * `rates` of a model on mutants of examples that it did not train on; a relation without one counts as never failed.
   */
  | { readonly strategy: 'adaptive'; readonly rates: ErrorRates }
);

/** The parts of a mutant that sampling uses. */
export type Sampled = Pick<MutantRecord, 'id' | 'relations'>;

/** Rates as shares that sum to 1 (MT-TEQL §4: r̂); all 0 where no rate is above 0. */
export function normalizedRates(relations: readonly string[], rates: ErrorRates): readonly number[] {
  const given = relations.map((relation) => rates.get(relation) ?? 0);
  const sum = given.reduce((total, rate) => total + rate, 0);
  return given.map((rate) => (sum === 0 ? 0 : rate / sum));
}

/**
 * How many of `sizes` are drawn by relation, before the rest of the budget is filled: min(m_i, share_i · n), in whole
 * mutants.
 */
export function quotasOf(sizes: readonly number[], shares: readonly number[], budget: number): readonly number[] {
  // A share of 1/3 of 9 may come out below 3 by a rounding error.
  return sizes.map((size, i) => Math.min(size, Math.floor(Number((itemAt(shares, i) * budget).toFixed(9)))));
}

/** The share of the budget that each relation is given first. */
function sharesOf(relations: readonly string[], plan: SamplingPlan): readonly number[] {
  switch (plan.strategy) {
    case 'random':
      return relations.map(() => 0);
    case 'stratified':
      return relations.map(() => 1 / relations.length);
    case 'adaptive':
      return normalizedRates(relations, plan.rates);
  }
}

/**
 * Chooses mutants for training (MT-TEQL §4). Random: any `budget` of them. Stratified: min(m_i, n/k) of each of the k
 * relations that there are, composed mutants as one. Adaptive: min(m_i, r̂_i · n), r̂ being the normalized error rates.
 * Both then fill up the budget from what is left, at random. All where there are no more than the budget; in the order
 * they came.
 */
export function sampleMutants<T extends Sampled>(mutants: readonly T[], plan: SamplingPlan): readonly T[] {
  const strata = [...groupBy(mutants, countedRelation)];
  const relations = strata.map(([relation]) => relation);
  const quotas = quotasOf(
    strata.map(([, own]) => own.length),
    sharesOf(relations, plan),
    plan.budget,
  );
  const draw = (from: readonly T[], count: number, purpose: string): readonly T[] =>
    shuffled(from, createRng(plan.seed, `sampling ${purpose}`)).slice(0, Math.max(0, count));
  const chosen = new Set(strata.flatMap(([relation, own], i) => draw(own, itemAt(quotas, i), relation)));
  const left = mutants.filter((mutant) => !chosen.has(mutant));
  for (const mutant of draw(left, plan.budget - chosen.size, '')) chosen.add(mutant);
  return mutants.filter((mutant) => chosen.has(mutant));
}
