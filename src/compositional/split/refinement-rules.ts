import type { DependencyTree } from './dependency-tree.js';
import type { RefinementRule, SplitView } from './split-rule.js';
import { hasLikelyValue, saysCondition, wordsOf } from './phrase-content.js';

const CONTRASTING = /^(?:but|and)$/u;
const QUANTITY = /^(?:no|none|not|only|just|exactly|at|fewer|more|less|never|nothing)$/u;
const DENYING = /^(?:no|none|nothing)$/u;
const THOSE = /^(?:those|ones)$/u;
const CLAUSE = /^(?:who|whom|whose|which|that|where|when)$/u;

/** A contrast without a verb of its own, by the tokens of its conjunction, of its end, and of the clause that it is in. */
interface Contrast {
  readonly clause: number;
  readonly conjunction: number;
  readonly end: number;
}

/** Where the clause begins whose verb a contrast at a token shares. */
function clauseStart(tree: DependencyTree, conjunction: number): number {
  for (let at = conjunction - 1; at > 0; at--) {
    if (CLAUSE.test(tree.word(at)) || tree.at(at).label === 'relcl') return at;
    if (/^[.?!]$/u.test(tree.word(at))) return at + 1;
  }
  return 0;
}

function contrastAt(tree: DependencyTree, conjunction: number): Contrast | null {
  if (!CONTRASTING.test(tree.word(conjunction)) || !QUANTITY.test(tree.word(conjunction + 1))) return null;
  let end = conjunction + 1;
  while (end < tree.tokens.length && !/^[.?!,;]$/u.test(tree.word(end)) && !CLAUSE.test(tree.word(end))) {
    if (tree.isVerb(end) && !/^VB[NG]$/u.test(tree.at(end).tag)) return null;
    end++;
  }
  return { clause: clauseStart(tree, conjunction), conjunction, end };
}

function contrastsOf(tree: DependencyTree): readonly Contrast[] {
  return [...tree.tokens.keys()].flatMap((at) => contrastAt(tree, at) ?? []);
}

/** "no concert in 2014 but at least two in 2015": places where both sides of a contrast say the same kind of thing. */
function parallels(tree: DependencyTree, { clause, conjunction, end }: Contrast): readonly number[] {
  const prepositions = (from: number, to: number): number[] =>
    [...tree.tokens.keys()].filter(
      (at) => at > from && at < to && tree.at(at).tag === 'IN' && tree.word(at) !== 'than',
    );
  const words = (some: readonly number[]): Set<string> => new Set(some.map((at) => tree.word(at)));
  const [before, after] = [prepositions(clause, conjunction), prepositions(conjunction, end)];
  const isDenial = DENYING.test(tree.word(conjunction + 1));
  return [
    ...before.filter((at) => words(after).has(tree.word(at))),
    ...after.filter((at) => isDenial || words(before).has(tree.word(at))),
  ];
}

/** Starts of which none separates a side of a contrast from the phrase that the other side answers. */
function withWholeContrasts(starts: readonly number[], { tree }: SplitView): readonly number[] {
  const contrasts = contrastsOf(tree).filter((contrast) => parallels(tree, contrast).length > 0);
  if (contrasts.length === 0) return starts;
  const joined = new Set(contrasts.flatMap((contrast) => parallels(tree, contrast)));
  const opened = contrasts.map(({ conjunction }) => (tree.word(conjunction) === 'but' ? conjunction : conjunction + 1));
  return [...starts.filter((at) => !joined.has(at)), ...opened];
}

/** The end of "only those" behind a conjunction; null where a token begins none. */
function restrictionEnd(tree: DependencyTree, conjunction: number): number | null {
  if (!/^(?:but|and)$/u.test(tree.word(conjunction)) || !/^(?:only|just)$/u.test(tree.word(conjunction + 1)))
    return null;
  const those = tree.word(conjunction + 2) === 'the' ? conjunction + 3 : conjunction + 2;
  return THOSE.test(tree.word(those)) ? those + 1 : null;
}

/** Starts of "but only those", with its comma, together with what says which. */
function withWholeRestrictions(starts: readonly number[], { tree }: SplitView): readonly number[] {
  return [...tree.tokens.keys()].reduce((kept, at) => {
    const end = restrictionEnd(tree, at);
    if (end === null || end >= tree.tokens.length) return kept;
    const comma = tree.word(at - 1) === ',';
    const start = comma ? at - 1 : tree.word(at) === 'but' ? at : at + 1;
    return [...kept.filter((other) => other < start || other > end), start];
  }, starts);
}

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
function withoutEmptyParts(starts: readonly number[], view: SplitView): readonly number[] {
  let kept = starts;
  for (let next = withoutFirstEmpty(kept, view); next.length < kept.length; next = withoutFirstEmpty(kept, view))
    kept = next;
  return kept;
}

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
