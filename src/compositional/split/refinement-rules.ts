import { withWholeContrasts, withWholeRestrictions } from './contrasts.js';
import type { DependencyTree } from './dependency-tree.js';
import { wordsOf } from './phrase-content.js';
import { withoutEmptyParts } from './empty-parts.js';
import type { RefinementRule, SplitView } from './split-rule.js';

/** Conjunctions, and pronouns that stand for a noun before them. */
const SORT = /^(?:order|ordered|sort|sorted|rank|ranked|arrange|arranged)$/u;
const DIRECTION = /^(?:order|ascending|descending|alphabetical|lexicographical|oldest|youngest)$/u;
/** Words that ask, without what is asked for. */
const ASKING = /^(?:what|which|who|is|are|was|were)$/u;
const COMPARED = /^(?:JJR|RBR)$/u;
/** Prepositions before a range. */
const RANGE = /^(?:from|between|within|beyond)$/u;
const EMPTY = /^(?:and|or|but|nor|them|it)$/u;

/**
 * Checks whether two neighboring tokens belong together: one schema phrase, one quoted value with its marks, one
 * comparison.
 */
function isJoined({ tree, phrases, quoted }: SplitView, index: number): boolean {
  const phrase = phrases[index] ?? -1;
  if (phrase !== -1 && phrase === phrases[index - 1]) return true;
  if (tree.word(index) === 'than' && COMPARED.test(tree.tokens[index - 1]?.tag ?? '')) return true;
  return quoted[index] === true || (tree.word(index) === 'equal' && tree.word(index - 1) === 'or');
}

/** A start at the range of a noun ("with height | from 170 to 190") is where its phrase starts. */
function withColumn(start: number, { tree }: SplitView): number {
  if (!RANGE.test(tree.word(start))) return start;
  let at = start - 1;
  while (at > 0 && /^(?:NN|JJ|DT|-LRB-|-RRB-)/u.test(tree.at(at).tag)) at--;
  return /^(?:with|having)$/u.test(tree.word(at)) && at < start - 1 ? at : start;
}

/**
 * A start right behind a noun, at a value that is the noun's ("with last name | "Heilo" play"), is behind the value.
 */
function behindValue(start: number, { tree, quoted }: SplitView): number {
  if (quoted[start] === true || quoted[start + 1] !== true || !/^NN/u.test(tree.tokens[start - 1]?.tag ?? ''))
    return start;
  let end = start + 1;
  while (quoted[end] === true) end++;
  return end;
}

/** Checks whether a token is within parentheses, the closing one included. */
function isParenthesized(tree: DependencyTree, index: number): boolean {
  let at = index - 1;
  while (at >= 0 && !/^[()]$/u.test(tree.word(at))) at--;
  return tree.word(at) === '(';
}

/** Words of a sub-sentence that say something of their own. */
function weight(tree: DependencyTree, first: number, end: number): number {
  let count = 0;
  for (let at = first; at < end; at++) if (!EMPTY.test(tree.word(at))) count += wordsOf(tree, at, at + 1);
  return count;
}

/** "What is | the number …": nothing is asked for yet. */
function asksAlone(tree: DependencyTree, first: number, end: number): boolean {
  for (let at = first; at < end; at++) if (!ASKING.test(tree.word(at))) return false;
  return true;
}

function takeBackShort(starts: readonly number[], { tree }: SplitView): readonly number[] {
  const kept: number[] = [];
  const all = [...starts, tree.tokens.length];
  let first = 0;
  for (const [i, start] of starts.entries()) {
    const end = all[i + 1] ?? tree.tokens.length;
    const isSingle = weight(tree, start, end) < 2;
    if (asksAlone(tree, first, start)) continue;
    // After a conjunction, a single word is the beginning of what follows.
    const opensNext = isSingle && end < tree.tokens.length && /^(?:and|or)$/u.test(tree.word(start - 1));
    if (weight(tree, first, start) < 2 || (isSingle && !opensNext)) continue;
    kept.push(start);
    first = start;
  }
  return kept;
}

/** Before "but", and before a comma with its conjunction. */
function beforeConjunction(start: number, { tree }: SplitView): number {
  if (start < 3) return start;
  if (tree.word(start - 1) === 'but') return start - 1;
  return /^(?:and|or)$/u.test(tree.word(start - 1)) && tree.word(start - 2) === ',' ? start - 2 : start;
}

/** Marks that end or close something belong to the sub-sentence before; a comma opens what goes on after a modifier. */
function afterMarks(start: number, { tree, quoted }: SplitView): number {
  let at = start;
  while (at < tree.tokens.length && /^[.;:?!)\]}]+$/u.test(tree.word(at)) && quoted[at] !== true) at++;
  return at;
}

/** Starts without that of an order's direction behind the order: "sorted by age | in descending order". */
function withoutDirections(starts: readonly number[], { tree }: SplitView): readonly number[] {
  const isDirection = (start: number): boolean =>
    /^(?:in|from)$/u.test(tree.word(start)) && [1, 2, 3].some((next) => DIRECTION.test(tree.word(start + next)));
  return starts.filter((start, i) => {
    if (!isDirection(start)) return true;
    for (let at = starts[i - 1] ?? 1; at < start; at++) if (SORT.test(tree.word(at))) return false;
    return true;
  });
}

/** Rules that take back breaks or move them, in the order in which they are applied. */
export const REFINEMENT_RULES: readonly RefinementRule[] = [
  {
    id: 'but-comes-along',
    source: 'Spider-SS’s published splitter',
    description:
      '"and" and "or" stay with the sub-sentence before them, as they depend on it; "but", and a comma with its conjunction, belong to what they introduce.',
    refine: (starts, view) => starts.map((start) => beforeConjunction(start, view)),
  },
  {
    id: 'final-marks',
    source: 'Spider-SS §2.2',
    description: 'Marks stay with the sub-sentence before them, final ones with the last.',
    refine: (starts, view) =>
      starts.map((start) => afterMarks(start, view)).filter((start) => start < view.tree.tokens.length),
  },
  {
    id: 'value-with-name',
    source: 'this project, from §2.2: a value is no clause without its column',
    description:
      'A quoted value and a range stay with the noun before them: "with last name "Heilo" | play in the song", "with height from 170 to 190".',
    refine: (starts, view) =>
      starts
        .map((start) => withColumn(behindValue(start, view), view))
        .filter((start) => start < view.tree.tokens.length),
  },
  {
    id: 'schema-phrase',
    source: 'Spider-SS §2.2',
    description:
      'The name of a table or column, a quoted value, "or equal to", a comparison with its "than" and what is in parentheses stay whole.',
    refine: (starts, view) => starts.filter((start) => !isJoined(view, start) && !isParenthesized(view.tree, start)),
  },
  {
    id: 'direction-with-order',
    source: 'Spider-SS’s published splitter',
    description:
      'The direction of an order belongs to the sub-sentence that orders: "sorted by age in descending order".',
    refine: withoutDirections,
  },
  {
    id: 'no-empty-part',
    source: 'Spider-SS §2.2: a sub-sentence corresponds to a clause; its published splitter',
    description:
      'A sub-sentence without any condition joins the one after it, whose beginning it is: "who live | in Rome", "in countries | that are not in Europe"; or the one before, where that names no table.',
    refine: withoutEmptyParts,
  },
  {
    id: 'whole-contrast',
    source: 'this project, from §2.2: a sub-sentence is one clause',
    description:
      'A contrast that shares the verb before it keeps what it contrasts, and so does the other side: "that hosted no concert in 2014 | but at least two in 2015".',
    refine: withWholeContrasts,
  },
  {
    id: 'whole-restriction',
    source: 'this project, from §2.2: a sub-sentence is one clause',
    description:
      '"But only those" opens a sub-sentence with what says which: "the singers | , but only those from France".',
    refine: withWholeRestrictions,
  },
  {
    id: 'no-single-word',
    source: 'Spider-SS §2.2',
    description: 'No sub-sentence has one word; the break before it is taken back.',
    refine: takeBackShort,
  },
];
