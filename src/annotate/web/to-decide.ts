import type { ReviewedItem } from '../api-shapes.js';

/** Checks whether an item waits for a reviewer: annotators differ or flagged it, and nobody has decided. */
export function isToDecide({ adjudicated, disagreement, flagged }: ReviewedItem): boolean {
  return !adjudicated && (disagreement > 0 || flagged);
}
