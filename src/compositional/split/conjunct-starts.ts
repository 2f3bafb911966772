import type { DependencyTree } from './dependency-tree.js';
import { isAccompanied, isModifierPreposition, startsPart, startsPredicate } from './part-starts.js';
import { wordsOf } from './phrase-content.js';
import type { SplitView } from './split-rule.js';

/** The conjunction next to a conjunct, or the conjunct's first token where there is none. */
function conjunctionOf(tree: DependencyTree, index: number): number {
  const edge = tree.leftEdge(index);
  const { head } = tree.at(index);
  const conjunctions = tree.children(head).filter((child) => child < edge && tree.at(child).label === 'cc');
  const last = conjunctions.at(-1);
  const isNear = last !== undefined && wordsOf(tree, last + 1, edge) === 0;
  return isNear ? last : edge;
}

/** The conjunct at the head of a list: "Rome" for "Paris" in "in Rome or Paris". */
function listHead(tree: DependencyTree, index: number): number {
  let at = index;
  while (tree.at(at).label === 'conj') at = tree.at(at).head;
  return at;
}

/** Words of a conjunct that say something: no articles, no names of tables; a quoted value counts as one. */
function ownWords({ tree, tables, quoted }: SplitView, index: number): number {
  const isOwn = (at: number): boolean =>
    !tree.isPunctuation(at) && tables[at] !== true && /^(?:NN|VB|JJ|CD|RB|IN)/u.test(tree.at(at).tag);
  const own = tree.subtree(index).filter(isOwn);
  const values = own.filter((at) => quoted[at] === true).length;
  return own.length - Math.max(0, values - 1);
}

/** Nouns that are joined below a modifier, each with words of its own: "with name X | and more than 3 floors". */
function isLongConjunct(view: SplitView, index: number): boolean {
  const { tree } = view;
  if (conjunctionOf(tree, index) === tree.leftEdge(index) || ownWords(view, index) < 2) return false;
  const chain = [listHead(tree, index), ...tree.ancestors(listHead(tree, index))];
  if (chain.some((at) => tree.word(at) === 'between' || isAccompanied(tree, at))) return false;
  return chain.some((at) => startsPart(view, at) || startsPredicate(view, at));
}

/**
 * Checks whether a conjunct is a sub-sentence of its own: a clause, a modifier, or a phrase of two words below a
 * modifier.
 */
export function startsConjunct(view: SplitView, index: number): boolean {
  const { tree } = view;
  if (tree.at(index).label !== 'conj') return false;
  const head = listHead(tree, index);
  const isJoinedClause = tree.isVerb(index) && (tree.isVerb(head) || tree.hasSubject(index));
  if (isJoinedClause && (view.isModifying(index) || startsPredicate(view, head))) return true;
  const isModifier = isModifierPreposition(view, head) && !isAccompanied(tree, head);
  return isModifier || isLongConjunct(view, index);
}
