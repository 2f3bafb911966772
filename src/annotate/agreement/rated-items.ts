import { spacedName } from '../../schema/name-identity.js';
import type { AnnotationItem, AnnotationKind, StoredAnswer } from '../annotation.js';

/** What one annotator took of an item's list: a mark per listed candidate, in its order. */
export interface ItemRating {
  readonly annotator: string;
  readonly taken: readonly boolean[];
}

/** An item that at least two annotators have done. */
export interface RatedItem {
  readonly kind: AnnotationKind;
  readonly ratings: readonly ItemRating[];
}

/**
 * The ratings of an item; null where fewer than two are done. Drafts and skipped ones say nothing of the list. Who wrote
 * a name that is listed has taken it, as in what an item comes to.
 */
export function rateItem(item: AnnotationItem, answers: readonly StoredAnswer[]): RatedItem | null {
  const done = answers.filter(({ state }) => state === 'done');
  if (done.length < 2 || item.candidates.length === 0) return null;
  const ratings = done.map(({ annotator, accepted, written }) => {
    const [names, own] = [new Set(accepted), new Set(written.map(spacedName))];
    return { annotator, taken: item.candidates.map(({ name }) => names.has(name) || own.has(spacedName(name))) };
  });
  return { kind: item.kind, ratings };
}
