import { ENTITY_LABELS, type EntityLabel } from './entity-labels.js';
import { zip } from '../present.js';
import { softmax } from '../vectors.js';

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
  return zip(ENTITY_LABELS, softmax(logits).slice(0, ENTITY_LABELS.length))
    .map(([label, probability]) => ({ label, probability }))
    .sort((a, b) => b.probability - a.probability);
}
