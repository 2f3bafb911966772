import type { DependencyTree } from './dependency-tree.js';
import { wordsOf } from './phrase-content.js';
import type { RefinementRule, SplitView } from './split-rule.js';

/** Conjunctions, auxiliaries and pronouns that stand for a noun before them. */
const EMPTY = /^(?:and|or|but|nor|them|it|have|has|had|is|are|was|were|do|does|did)$/u;
const RELATIVE = /^(?:who|whom|which|that|where)$/u;

/** Whether two neighboring tokens belong together: one schema phrase, or one quoted value with its marks. */
function isJoined({ phrases, quoted }: SplitView, index: number): boolean {
  const phrase = phrases[index] ?? -1;
  if (phrase !== -1 && phrase === phrases[index - 1]) return true;
  return quoted[index] === true;
}

/** Words of a sub-sentence that say something of their own. */
function weight(tree: DependencyTree, first: number, end: number): number {
  let count = 0;
  const isEmpty = (at: number): boolean => EMPTY.test(tree.word(at)) || (first > 0 && RELATIVE.test(tree.word(at)));
  for (let at = first; at < end; at++) if (!isEmpty(at)) count += wordsOf(tree, at, at + 1);
  return count;
}

function takeBackShort(starts: readonly number[], { tree }: SplitView): readonly number[] {
  const kept: number[] = [];
  const all = [...starts, tree.tokens.length];
  let first = 0;
  for (const [i, start] of starts.entries()) {
    const end = all[i + 1] ?? tree.tokens.length;
    if (weight(tree, first, start) < 2 || weight(tree, start, end) < 2) continue;
    kept.push(start);
    first = start;
  }
  return kept;
}

function beforeBut(start: number, { tree }: SplitView): number {
  return start > 1 && tree.word(start - 1) === 'but' ? start - 1 : start;
}

/** Marks that end or close something belong to the sub-sentence before; a comma opens what goes on after a modifier. */
function afterMarks(start: number, { tree, quoted }: SplitView): number {
  let at = start;
  while (at < tree.tokens.length && /^[.;:?!)\]}]+$/u.test(tree.word(at)) && quoted[at] !== true) at++;
  return at;
}

/** Rules that take back breaks or move them, in the order in which they are applied. */
export const REFINEMENT_RULES: readonly RefinementRule[] = [
  {
    id: 'but-comes-along',
    source: 'Spider-SS’s published splitter',
    description:
      '"and" and "or" stay with the sub-sentence before them, as they depend on it; "but" belongs to what it introduces.',
    refine: (starts, view) => starts.map((start) => beforeBut(start, view)),
  },
  {
    id: 'final-marks',
    source: 'Spider-SS §2.2',
    description: 'Marks stay with the sub-sentence before them, final ones with the last.',
    refine: (starts, view) =>
      starts.map((start) => afterMarks(start, view)).filter((start) => start < view.tree.tokens.length),
  },
  {
    id: 'schema-phrase',
    source: 'Spider-SS §2.2',
    description: 'The name of a table or column and a quoted value stay whole.',
    refine: (starts, view) => starts.filter((start) => !isJoined(view, start)),
  },
  {
    id: 'no-single-word',
    source: 'Spider-SS §2.2',
    description: 'No sub-sentence has one word; the break before it is taken back.',
    refine: takeBackShort,
  },
];
