import type { DependencyTree } from './dependency-tree.js';
import { SORTED } from './part-starts.js';
import type { SplitView } from './split-rule.js';

const SORT = /^(?:order|sort|rank|arrange)$/u;
const ORDERING = /^(?:ascending|descending|alphabetical|increasing|decreasing)$/u;
const MODIFYING = /^(?:who|whose|which|that|with|in|from|on)$/u;
const EACH = /^each$/u;
/** Longer phrases behind "for each" say more than a group: a sub-sentence of theirs was found by other rules. */
const MOST_GROUP_WORDS = 3;

/** "in order of", "in the order of". */
function phraseAt(tree: DependencyTree, index: number): string {
  const words = [0, 1, 2, 3].map((next) => tree.word(index + next));
  return (words[1] === 'the' ? words : words.slice(0, 3)).join(' ');
}

/** Checks whether the sentence says before a token that there is an order. */
function ordersBefore(tree: DependencyTree, index: number): boolean {
  for (let at = index - 1; at >= 0 && !/^[.?!]$/u.test(tree.word(at)); at--) {
    if (SORTED.test(tree.word(at)) || SORT.test(tree.word(at))) return true;
  }
  return false;
}

/** Checks whether an order begins at a token: "ordered by", "by descending". */
export function startsOrder(tree: DependencyTree, index: number): boolean {
  const [word, next] = [tree.word(index), tree.word(index + 1)];
  if (word === 'in' && /^in (?:the )?order (?:of|by)$/u.test(phraseAt(tree, index))) return true;
  if (word === 'in' && ORDERING.test(next) && [2, 3].some((more) => tree.word(index + more) === 'order')) return true;
  if (word === 'by' && ORDERING.test(next)) return !ordersBefore(tree, index);
  if (!SORTED.test(word)) return false;
  return (
    /^(?:by|in|from|according|alphabetically|descendingly|ascendingly|descending|ascending)$/u.test(next) &&
    !/^(?:is|are|be|was|were)$/u.test(tree.word(index - 1))
  );
}

/** Where a second order to the reader begins, with its comma and conjunction: "the names | , and sort them by age". */
export function orderCommand({ tree }: SplitView, index: number): readonly number[] {
  if (!SORT.test(tree.word(index)) || !/^(?:and|,|then|also)$/u.test(tree.word(index - 1))) return [];
  let start = index;
  while (start > 1 && /^(?:and|,|then|also)$/u.test(tree.word(start - 1))) start--;
  return start > 1 ? [start] : [];
}

/**
 * Checks whether a phrase for each group ends the sentence, or what modifies follows: "the number of ships | for each
 * captain".
 */
export function endsWithGroups({ tree }: SplitView, index: number): boolean {
  if (index < 2 || tree.word(index) !== 'for' || !EACH.test(tree.word(index + 1))) return false;
  let end = index + 1;
  while (end < tree.tokens.length && !tree.isPunctuation(end) && !/^(?:and|or)$/u.test(tree.word(end))) end++;
  const words = end - index - 1;
  if (words < 2 || words > MOST_GROUP_WORDS) return false;
  return /^[.?!]?$/u.test(tree.word(end)) || (!tree.isPunctuation(end) && MODIFYING.test(tree.word(end + 1)));
}

/** Where the phrase with a comparison begins: at the verb or preposition before it. */
export function comparisonStart({ tree }: SplitView, index: number): readonly number[] {
  if (!/^(?:JJR|RBR)$/u.test(tree.at(index).tag)) return [];
  if (![1, 2].some((next) => tree.word(index + next) === 'than')) return [];
  let start = index;
  while (start > 0 && !/^(?:VB|IN|TO)/u.test(tree.at(start).tag) && !/^(?:that|which|who)$/u.test(tree.word(start)))
    start--;
  // "… and the number of views is higher than 1000": a clause of its own begins with its subject.
  if (tree.at(start).label === 'conj' && tree.hasSubject(start)) return [tree.leftEdge(start)];
  return start > 1 ? [start] : [];
}
