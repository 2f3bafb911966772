import type { DependencyTree } from './dependency-tree.js';
import { carriesClause, hasContent, hasOwnWord, namesOnlyTables, saysCondition, wordsOf } from './phrase-content.js';
import { memoizeObject } from '../../schema/memoize.js';
import type { SplitView } from './split-rule.js';

/** Clauses that modify a noun or a verb. */
const CLAUSES: ReadonlySet<string> = new Set(['relcl', 'acl', 'advcl']);
/** Prepositions that tie a phrase to its noun or to a comparison (issue 22, from §2.2). */
const TYING: ReadonlySet<string> = new Set(['of', 'for', 'by', 'between', 'than', 'per', 'as', 'like']);
const NAMING_PARTICIPLE = /^(?:named|called|titled)$/u;
const COMPARING = /^(?:above|below|over|under|within)$/u;
const EACH = /^(?:each|every)$/u;
/** Verbs and the prepositions that they need. */
const TIED_VERBS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:start|end|participat|serv)(?:e|s|es|ed|ing)?$|^same$/u, /^(?:from|on|in|as)$/u],
  [/^(?:start|begin|end)(?:s|n?ing)?$/u, /^with$/u],
  [/^(?:prior|equal|assign|assigned|belong|belongs|belonging|belonged|headed|heading|going)$/u, /^to$/u],
  [/^locat(?:e|es|ed|ing)$/u, /^(?:in|at)$/u],
];
const AUXILIARY = /^(?:be|is|are|was|were|been|have|has|had|do|does|did)$/u;
const ASKING = /^(?:which|what|how|whose|who)$/u;

/** A word that takes the form of ordering: "ordered by age". */
export const SORTED = /^(?:ordered|sorted|ranked|arranged)$/u;

/** Checks whether a clause or phrase is long enough to be a sub-sentence. */
export function hasWords(tree: DependencyTree, index: number, count: number): boolean {
  return wordsOf(tree, tree.leftEdge(index), tree.rightEdge(index) + 1) >= count;
}

/** Tokens of a question that a test picks, in order. */
export function tokensWith({ tree }: SplitView, isWanted: (index: number) => boolean): readonly number[] {
  return [...tree.tokens.keys()].filter(isWanted);
}

/** "belongs to", "located in", "participated in": the verb says nothing without its preposition. */
function continuesVerb(tree: DependencyTree, index: number): boolean {
  return TIED_VERBS.some(
    ([verb, prepositions]) => verb.test(tree.word(index - 1)) && prepositions.test(tree.word(index)),
  );
}

/** "from 8 to 10", "grades 1 through 12": the end of a range whose begin is near. */
function endsRange(tree: DependencyTree, index: number): boolean {
  if (/^(?:to|through)$/u.test(tree.word(index)) && isAmount(tree, index - 1) && isAmount(tree, index + 1)) return true;
  return tree.word(index) === 'to' && [2, 3].some((back) => /^(?:from|range)$/u.test(tree.word(index - back)));
}

/** "a capacity above 300", "equal to 10": what is compared is said before the preposition. */
function tiesToComparison(tree: DependencyTree, index: number): boolean {
  const { head } = tree.at(index);
  if (/^(?:JJR|RBR)$/u.test(tree.at(head).tag) || /^(?:equal|prior|similar|according)$/u.test(tree.word(head)))
    return true;
  return comparesWith(tree, index) || continuesVerb(tree, index) || endsRange(tree, index);
}

/** "above 300", "over the average": not "under the most popular policy". */
function comparesWith(tree: DependencyTree, index: number): boolean {
  const next = tree.word(index + 1) === 'the' ? index + 2 : index + 1;
  return (
    COMPARING.test(tree.word(index)) &&
    (isAmount(tree, index + 1) || /^(?:average|mean|max|min)/u.test(tree.word(next)))
  );
}

function isAmount(tree: DependencyTree, index: number): boolean {
  return /^(?:CD|\$)$/u.test(tree.tokens[index]?.tag ?? '');
}

/** A preposition with a phrase of its own that ties to nothing before it. */
export function isFreePreposition({ tree }: SplitView, index: number): boolean {
  const { label, tag } = tree.at(index);
  if (label !== 'prep' || TYING.has(tree.word(index)) || tree.children(index).length === 0) return false;
  return /^(?:IN|TO|RP|RB|VBG)$/u.test(tag) && !tiesToComparison(tree, index);
}

/**
 * Where the sub-sentence, or the conjunct in it, begins that a token is part of before it may start one itself; null in
 * the main clause.
 */
export function partAround(view: SplitView, index: number): number | null {
  const { tree } = view;
  let conjunct = 0;
  for (const at of tree.ancestors(index)) {
    if (tree.at(at).label === 'conj') conjunct = Math.max(conjunct, tree.leftEdge(at));
    if (isAccompanied(tree, at)) return null;
    if (startsPart(view, at)) return Math.max(conjunct, tree.leftEdge(at));
    const [predicate] = tree.isRoot(at) ? predicateStart(view, at) : [];
    if (predicate !== undefined && predicate <= index) return Math.max(conjunct, predicate);
  }
  return null;
}

const decidedOf = memoizeObject<SplitView, Map<number, boolean>>(() => new Map());

/** Checks whether a preposition starts a sub-sentence; each is decided once, since those around it ask again. */
export function isModifierPreposition(view: SplitView, index: number): boolean {
  const known = decidedOf(view);
  let answer = known.get(index);
  if (answer === undefined) known.set(index, (answer = decidePreposition(view, index)));
  return answer;
}

function decidePreposition(view: SplitView, index: number): boolean {
  const { tree } = view;
  if (!isFreePreposition(view, index)) return false;
  if (tree.word(index) === 'without' || isAccompanied(tree, index)) return true;
  const part = partAround(view, index);
  if (isFinalYear(tree, index) && (part === null || index - part > 1)) return true;
  if (isJoined(tree, index) && carriesClause(view, index)) return true;
  if (part !== null && !(saysCondition(view, part, index) && hasContent(view, part, index))) return false;
  if (isCompared(view, tree.rightEdge(index) + 1)) return true;
  if (part !== null) return hasOwnWord(view, index) && (carriesClause(view, index) || isGrouped(view, index));
  return (
    !namesOnlyTables(view, index, (at) => isNested(view, at)) && (carriesClause(view, index) || isGrouped(view, index))
  );
}

/** "older than 20 and | with a dog". */
function isJoined(tree: DependencyTree, index: number): boolean {
  return /^(?:and|or)$/u.test(tree.word(index - 1)) && hasWords(tree, index, 3);
}

/** "in 2014" at the end of a question. */
function isFinalYear(tree: DependencyTree, index: number): boolean {
  const isYear = /^(?:1[89]|20)\d\d$/u.test(tree.word(index + 1));
  return tree.word(index) === 'in' && isYear && index + 3 >= tree.tokens.length;
}

/** "with capacity | above 300", "in the club | "Chess"", where the parser ties the value to something else. */
function isCompared({ tree, quoted }: SplitView, index: number): boolean {
  if (quoted[index + 1] === true && quoted[index] !== true) return true;
  return comparesWith(tree, index) || /^(?:JJR|RBR)$/u.test(tree.tokens[index]?.tag ?? '');
}

/** "along with the number of shops": what is asked for, too. */
export function isAccompanied(tree: DependencyTree, index: number): boolean {
  return /^(?:along|together)$/u.test(tree.word(index)) && tree.word(index + 1) === 'with';
}

/** "in each city". */
function isGrouped({ tree }: SplitView, index: number): boolean {
  return tree.children(index).some((object) => tree.children(object).some((at) => EACH.test(tree.word(at))));
}

function isNested(view: SplitView, at: number): boolean {
  return CLAUSES.has(view.tree.at(at).label) || isFreePreposition(view, at);
}

/** Checks whether a clause or phrase is a sub-sentence of its own. */
export function startsPart(view: SplitView, index: number): boolean {
  const { label } = view.tree.at(index);
  if (label === 'acl') return isParticipleClause(view, index);
  return CLAUSES.has(label) || isModifierPreposition(view, index);
}

/**
 * Checks whether a participle starts a sub-sentence: it says which rows are meant, after something else that its
 * modifier says.
 */
export function isParticipleClause(view: SplitView, index: number): boolean {
  const { tree } = view;
  if (tree.at(index).label !== 'acl' || !hasWords(tree, index, 2)) return false;
  if (SORTED.test(tree.word(index))) return true;
  const part = partAround(view, index);
  if (part !== null && !hasContent(view, part, tree.leftEdge(index))) return false;
  // "shared by cities | with more than 1500 people": what its noun says is what counts.
  if (namesOnlyTables(view, index, (at) => tree.at(at).head !== index && isNested(view, at))) return false;
  if (NAMING_PARTICIPLE.test(tree.word(index))) return part === null;
  if (carriesClause(view, index)) return true;
  return part === null && tree.subtree(index).some((at) => EACH.test(tree.word(at)));
}

/** "the year they joined": a relative clause about someone named before, without a relative pronoun. */
export function isReduced({ tree }: SplitView, index: number): boolean {
  const subject = tree.children(index).find((child) => /^nsubj/u.test(tree.at(child).label));
  return subject !== undefined && subject === tree.leftEdge(index) && tree.at(subject).tag === 'PRP';
}

/** Checks whether what follows the subject that a question asks for is a sub-sentence. */
export function startsPredicate(view: SplitView, index: number): boolean {
  return view.tree.isRoot(index) && predicateStart(view, index).length > 0;
}

/** Where the predicate of a question for its subject starts; "are there" says nothing and stays with it. */
export function predicateStart(view: SplitView, root: number): readonly number[] {
  const { tree } = view;
  const subject = tree.children(root).find((at) => at < root && /^[nc]subj/u.test(tree.at(at).label));
  if (subject === undefined || tree.leftEdge(subject) !== tree.leftEdge(root)) return [];
  if (!ASKING.test(tree.word(tree.leftEdge(root))) || tree.children(subject).length === 0) return [];
  const start = tree.rightEdge(subject) + 1;
  return /^(?:there|here)$/u.test(tree.word(start + 1)) || namesTableAlone(view, start) ? [] : [start];
}

/** "have advisors", "are enrolled in courses": a verb and the name of a table, to the end. */
function namesTableAlone({ tree, tables }: SplitView, start: number): boolean {
  let verbs = 0;
  for (let at = start; at < tree.tokens.length; at++) {
    const { tag } = tree.at(at);
    if (tables[at] === true || AUXILIARY.test(tree.word(at)) || /^(?:IN|TO|DT|[.])$/u.test(tag)) continue;
    if (!tag.startsWith('VB') || ++verbs > 1) return false;
  }
  return tables.slice(start).includes(true);
}

/** Where a question goes on after a phrase that asks: "In which year | did it open?". */
export function frontedQuestion({ tree }: SplitView, root: number): readonly number[] {
  const phrase = tree.children(root).find((at) => at === tree.leftEdge(root) && tree.at(at).label === 'prep');
  if (phrase === undefined || !tree.subtree(phrase).some((at) => /^(?:which|what)$/u.test(tree.word(at)))) return [];
  const start = tree.rightEdge(phrase) + 1;
  return start <= root && tree.word(start) !== ',' ? [start] : [];
}
