import { ENTITY_LABELS, type EntityLabel } from './entity-labels.js';
import { zip } from '../present.js';

/** A label and its probability, 0 to 1. */
export interface RankedEntity {
  readonly label: EntityLabel;
  readonly probability: number;
}

/**
 * All labels by the softmax of their logits, the likeliest first. A logit behind those of the labels stands for none of
 * them: what the probabilities lack to 1 is its share.
 */
export function rankEntities(logits: readonly number[]): readonly RankedEntity[] {
  const greatest = Math.max(...logits);
  const odds = logits.map((logit) => Math.exp(logit - greatest));
  const total = odds.reduce((sum, value) => sum + value, 0);
  return zip(ENTITY_LABELS, odds.slice(0, ENTITY_LABELS.length))
    .map(([label, odd]) => ({ label, probability: odd / total }))
    .sort((a, b) => b.probability - a.probability);
}
