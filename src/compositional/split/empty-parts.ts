import { hasLikelyValue, saysCondition, wordsOf } from './phrase-content.js';
import type { SplitView } from './split-rule.js';

const OPENING = /^(?:who|whom|whose|which|that|where|when|can|be|is|are|was|were|have|has|had)$/u;
const JOINING = /^(?:and|or|,|but)$/u;
/** Phrases that are asked for, or groups: they join nothing after them. */
const ASKED = /^(?:for|along|together)$/u;
const ORDERING = /^(?:order|ordered|sort|sorted|ranked|arranged|each|every)$/u;
/** Of this many words, an empty part is no more than the beginning of the next. */
const FEW_WORDS = 3;

/** A sub-sentence by its first token and the one after its last. */
interface Part {
  readonly start: number;
  readonly end: number;
}

function isEmpty(view: SplitView, { start, end }: Part): boolean {
  if (saysCondition(view, start, end)) return false;
  for (let at = start; at < end; at++) if (ORDERING.test(view.tree.word(at))) return false;
  return true;
}

/** Checks whether an empty part is the beginning of the next: "who live | in Rome". */
function beginsNext(view: SplitView, part: Part, next: Part): boolean {
  const { tree } = view;
  const start = JOINING.test(tree.word(part.start)) ? part.start + 1 : part.start;
  const first = tree.word(start);
  const opens = OPENING.test(first) || tree.isVerb(start) || JOINING.test(tree.word(part.start - 1));
  if (!opens || ASKED.test(first)) return false;
  const follows = tree.word(next.start);
  for (let at = next.start; at < next.start + FEW_WORDS; at++) if (ORDERING.test(tree.word(at))) return false;
  if (JOINING.test(follows) || ASKED.test(follows)) return false;
  const isLast = next.end === tree.tokens.length;
  return (
    tree.at(next.start).tag === 'IN' ||
    wordsOf(tree, part.start, part.end) <= FEW_WORDS ||
    (isLast && isEmpty(view, next))
  );
}

/**
 * Checks whether an empty part ends with the column whose value the next says: "in countries | that are not in Europe".
 */
function namesColumnOfNext(view: SplitView, part: Part, next: Part): boolean {
  const last = part.end - 1;
  const isColumn = (view.phrases[last] ?? -1) !== -1 && view.tables[last] !== true;
  return isColumn && saysCondition(view, next.start, next.end);
}

function namesTable({ tables }: SplitView, { start, end }: Part): boolean {
  for (let at = start; at < end; at++) if (tables[at] === true) return true;
  return false;
}

/**
 * Checks whether an empty part does no more than name the table of what is asked before: "the titles | in the library |
 * …".
 */
function completesPrevious(view: SplitView, before: Part, part: Part): boolean {
  if (ASKED.test(view.tree.word(part.start)) || hasLikelyValue(view, part.start, part.end)) return false;
  return !namesTable(view, before) && namesTable(view, part);
}

function withoutFirstEmpty(starts: readonly number[], view: SplitView): readonly number[] {
  const { tree } = view;
  const all = [0, ...starts, tree.tokens.length];
  for (let i = 1; i + 2 < all.length; i++) {
    const [before, start, end, after] = all.slice(i - 1, i + 3);
    if (before === undefined || start === undefined || end === undefined || after === undefined) continue;
    const [part, next] = [
      { start, end },
      { start: end, end: after },
    ];
    if (/^[,.?!]$/u.test(tree.word(end - 1)) || end - start < 2 || !isEmpty(view, part)) continue;
    const isJoined = /^(?:and|but|or)$/u.test(tree.word(end - 1));
    if (!isJoined && (beginsNext(view, part, next) || namesColumnOfNext(view, part, next)))
      return starts.filter((at) => at !== end);
    if (completesPrevious(view, { start: before, end: start }, part)) return starts.filter((at) => at !== start);
  }
  return starts;
}

/** Starts without those that cut off a part that says no condition from the one that it belongs to. */
export function withoutEmptyParts(starts: readonly number[], view: SplitView): readonly number[] {
  let kept = starts;
  for (let next = withoutFirstEmpty(kept, view); next.length < kept.length; next = withoutFirstEmpty(kept, view))
    kept = next;
  return kept;
}
