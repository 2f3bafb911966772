import type { DependencyTree } from './dependency-tree.js';
import type { SplitView } from './split-rule.js';

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
export function withWholeContrasts(starts: readonly number[], { tree }: SplitView): readonly number[] {
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
export function withWholeRestrictions(starts: readonly number[], { tree }: SplitView): readonly number[] {
  return [...tree.tokens.keys()].reduce((kept, at) => {
    const end = restrictionEnd(tree, at);
    if (end === null || end >= tree.tokens.length) return kept;
    const comma = tree.word(at - 1) === ',';
    const start = comma ? at - 1 : tree.word(at) === 'but' ? at : at + 1;
    return [...kept.filter((other) => other < start || other > end), start];
  }, starts);
}
