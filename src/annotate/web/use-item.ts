import type { Answer } from '../annotation.js';
import type { ItemInContext, ItemPosition, ItemToReview, OpenedItem, ReviewedItem } from '../api-shapes.js';
import { itemKey, reviewKey } from './desk.js';
import { hrefOf } from './route.js';
import { type EditedAnswer, useAnswer } from './use-answer.js';
import { type Steps, type StepWords, useSteps } from './use-steps.js';

/** The parts of an item being worked on that `ItemFrame` shows. */
export interface WorkedItem extends ItemInContext {
  /** Where the item is in its list: "3 of 20". */
  readonly place: string;
  readonly edited: EditedAnswer;
  readonly steps: Steps;
  readonly hasPrevious: boolean;
  /** The word on the button that hands in. */
  readonly accept: string;
}

/** The particulars of an item's kind. */
interface Kind {
  /** The noun that steps use for the item. */
  readonly called: string;
  /** The answer before anything is saved. */
  readonly start?: Answer;
  readonly words?: StepWords;
}

/** An item of a chunk, worked on by its annotator. */
export function useWork(
  { item, context, answer: loaded }: OpenedItem,
  position: ItemPosition,
  chunk: number,
  { called: column, start, words }: Kind,
): WorkedItem {
  const placeOf = (id: string): string => hrefOf({ screen: 'work', chunk, id });
  const edited = useAnswer(itemKey(item.id), placeOf(item.id), loaded, start);
  const { next, previous, index, of } = position;
  const steps = useSteps(edited, {
    column,
    verb: 'Handed in',
    words,
    next: next === null ? hrefOf({ screen: 'chunk', chunk }) : placeOf(next),
    previous: previous === null ? null : placeOf(previous),
  });
  const place = `${index + 1} of ${of}`;
  return { item, context, place, edited, steps, hasPrevious: previous !== null, accept: 'Hand in' };
}

/** An item that a reviewer decides, with its row in the list of reviews, where it is there. */
export function useReview(
  { item, context, adjudication }: ItemToReview,
  rows: readonly ReviewedItem[],
  { called: column, words }: Kind,
): { readonly work: WorkedItem; readonly row: ReviewedItem | undefined } {
  const placeOf = (row: ReviewedItem | undefined): string =>
    hrefOf(row === undefined ? { screen: 'review' } : { screen: 'adjudicate', id: row.itemId });
  const at = rows.findIndex(({ itemId }) => itemId === item.id);
  const row = rows[at];
  const edited = useAnswer(reviewKey(item.id), hrefOf({ screen: 'adjudicate', id: item.id }), adjudication);
  const steps = useSteps(edited, {
    column,
    verb: 'Decided',
    words,
    next: placeOf(rows[at + 1]),
    previous: at > 0 ? placeOf(rows[at - 1]) : null,
  });
  const place = row === undefined ? '' : `${at + 1} of ${rows.length}`;
  return { work: { item, context, place, edited, steps, hasPrevious: at > 0, accept: 'Decide' }, row };
}
