import { z } from 'zod';
import { compareText } from '../present.js';
import { formatCount } from '../counts.js';
import { groupBy } from '../run/group-by.js';

/** The items left out for one reason; ids in order. */
export const leftOutGroup = z
  .object({ reason: z.string(), count: z.int(), ids: z.array(z.string()).readonly() })
  .readonly();
export type LeftOutGroup = z.infer<typeof leftOutGroup>;

/** Groups the items left out by their reason; the most frequent first. */
export function groupByReason(
  items: readonly { readonly id: string; readonly reason: string }[],
): readonly LeftOutGroup[] {
  return [...groupBy(items, ({ reason }) => reason)]
    .map(([reason, own]) => ({ reason, count: own.length, ids: own.map(({ id }) => id).sort(compareText) }))
    .sort((a, b) => b.count - a.count || compareText(a.reason, b.reason));
}

/** Items of one reason that warnings name one by one. */
const MOST_NAMED = 20;

/** Sentences about what was left out: each item by itself or, where many have one reason, all of them together. */
export function describeLeftOut(items: readonly { readonly id: string; readonly reason: string }[]): readonly string[] {
  const many = groupByReason(items).filter(({ count }) => count > MOST_NAMED);
  const grouped = new Set(many.map(({ reason }) => reason));
  return [
    ...items.filter(({ reason }) => !grouped.has(reason)).map(({ id, reason }) => `${id} was left out: ${reason}`),
    ...many.map(
      ({ reason, count, ids }) => `${formatCount(count)} were left out, ${ids.slice(0, 3).join(', ')} …: ${reason}`,
    ),
  ];
}

/** Sentences that a terminal shows. */
const MOST_SENTENCES = 10;

/** The first sentences about what was left out, for a terminal; a last one says where the others are. */
export function firstLeftOut(
  items: readonly { readonly id: string; readonly reason: string }[],
  rest: string,
): readonly string[] {
  const sentences = describeLeftOut(items);
  const more = sentences.length - MOST_SENTENCES;
  return more <= 0 ? sentences : [...sentences.slice(0, MOST_SENTENCES), `and ${formatCount(more)} more: see ${rest}`];
}

/** The same of what a report holds by reason. */
export function firstOfGroups(groups: readonly LeftOutGroup[], rest: string): readonly string[] {
  return firstLeftOut(
    groups.flatMap(({ reason, ids }) => ids.map((id) => ({ id, reason }))),
    rest,
  );
}
