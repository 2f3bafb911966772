import type { Span } from '../../sql/tokenizer.js';
import type { SqlEdit } from '../../sql/edits.js';
import type { Gold } from './change.js';

interface Item {
  readonly span: Span;
}

/** An edit that takes one of several items between commas out of its list, with one comma. */
export function cutItem(gold: Gold, items: readonly Item[], item: Item): SqlEdit {
  const next = items[items.indexOf(item) + 1];
  if (next !== undefined) return gold.text.cut({ start: item.span.start, end: next.span.start });
  return gold.text.cut(gold.text.withWords(1, item.span));
}
