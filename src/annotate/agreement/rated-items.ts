import type { AnnotationItem, AnnotationKind, StoredAnswer } from '../annotation.js';
import type { SplitPart } from '../api-shapes.js';
import { itemAt } from '../../present.js';
import { RULES_OF_KINDS } from '../kinds/rules-of-kinds.js';

/** One annotator's marks for an item: one per listed candidate, or per unit of a split question, in their order. */
export interface ItemRating {
  readonly annotator: string;
  readonly taken: readonly boolean[];
}

/** An item that at least two annotators have done. */
export interface RatedItem {
  readonly kind: AnnotationKind;
  readonly ratings: readonly ItemRating[];
  /** Of a split question, which of the marks are of what. */
  readonly parts?: readonly { readonly part: SplitPart; readonly from: number; readonly to: number }[];
}

/** The ratings of an item; null where fewer than two are done. Drafts and skipped ones say nothing of it. */
export function rateItem(item: AnnotationItem, answers: readonly StoredAnswer[]): RatedItem | null {
  const done = answers.filter(({ state }) => state === 'done');
  const rated = done.length < 2 ? [] : RULES_OF_KINDS[item.kind].rated(done, item);
  if (rated.length === 0) return null;
  const ratings = done.map(({ annotator }, i) => ({
    annotator,
    taken: rated.flatMap(({ taken }) => itemAt(taken, i)),
  }));
  let from = 0;
  const parts = rated.flatMap(({ part, taken }) => {
    const range = { from, to: (from += itemAt(taken, 0).length) };
    return part === null ? [] : [{ part, ...range }];
  });
  return { kind: item.kind, ratings, ...(parts.length === 0 ? {} : { parts }) };
}

/** The items with what is rated of one part alone; those without it are left out. */
export function partOf(items: readonly RatedItem[], part: SplitPart): readonly RatedItem[] {
  return items.flatMap(({ kind, ratings, parts = [] }) => {
    const range = parts.find((one) => one.part === part);
    if (range === undefined) return [];
    const { from, to } = range;
    return [{ kind, ratings: ratings.map(({ annotator, taken }) => ({ annotator, taken: taken.slice(from, to) })) }];
  });
}
