import type { DependencyTree } from './dependency-tree.js';
import { carriesClause, wordsOf } from './phrase-content.js';
import type { BreakRule, SplitView } from './split-rule.js';

/** Clauses that modify a noun or a verb. */
const CLAUSES: ReadonlySet<string> = new Set(['relcl', 'acl', 'advcl']);
/** Prepositions that tie a phrase to its noun or to a comparison (issue 22, from §2.2). */
const TYING: ReadonlySet<string> = new Set(['of', 'for', 'by', 'between', 'than', 'per', 'as', 'about', 'like', 'to']);
const SORTED = /^(?:ordered|sorted|ranked|arranged)$/u;
const SORT = /^(?:order|sort|rank|arrange)$/u;
const RELATIVE = /^(?:who|whom|whose|which|that|where)$/u;

function tokensWith({ tree }: SplitView, isWanted: (index: number) => boolean): readonly number[] {
  return [...tree.tokens.keys()].filter(isWanted);
}

/** The first token of what a conjunct brings: its conjunction, where that precedes it. */
function conjunctStart(tree: DependencyTree, index: number): number {
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

/** Whether a clause or phrase is long enough to be a sub-sentence. */
function hasWords(tree: DependencyTree, index: number, count: number): boolean {
  return wordsOf(tree, tree.leftEdge(index), tree.rightEdge(index) + 1) >= count;
}

function isModifierPreposition(view: SplitView, index: number): boolean {
  const { tree } = view;
  if (tree.at(index).label !== 'prep' || TYING.has(tree.word(index)) || view.isModifying(index)) return false;
  if (tree.children(index).length === 0 || !/^(?:IN|TO|RP|RB|VBG)$/u.test(tree.at(index).tag)) return false;
  const isOwn = (at: number): boolean => CLAUSES.has(tree.at(at).label) || (tree.at(at).label === 'prep' && isModifierPreposition(view, at));
  return tree.word(index) === 'without' || carriesClause(view, index, isOwn);
}

function startsConjunct(view: SplitView, index: number): boolean {
  const { tree } = view;
  if (tree.at(index).label !== 'conj') return false;
  const head = listHead(tree, index);
  if (tree.isVerb(index) && (tree.isVerb(head) || tree.hasSubject(index))) return true;
  if (tree.at(index).label === 'conj' && isModifierPreposition(view, head)) return true;
  return false;
}

/** Rules that find where sub-sentences start, in the order in which they are listed. */
export const BREAK_RULES: readonly BreakRule[] = [
  {
    id: 'sentence',
    source: 'this project',
    description: 'A sentence of its own starts a sub-sentence.',
    find: (view) => tokensWith(view, (at) => view.tree.isRoot(at)).map((at) => view.tree.leftEdge(at)),
  },
  {
    id: 'relative-clause',
    source: 'Spider-SS §2.2: relcl',
    description: 'A relative clause starts a sub-sentence: "the singers | who are older than 20".',
    find: (view) =>
      tokensWith(view, (at) => view.tree.at(at).label === 'relcl').map((at) => view.tree.leftEdge(at)),
  },
  {
    id: 'relative-pronoun',
    source: 'this project, where the parser takes a relative clause for another',
    description: 'A relative pronoun at the left edge of any clause with a verb starts a sub-sentence: "songs | whose language is Bangla".',
    find: (view) => tokensWith(view, (at) => at > 0 && RELATIVE.test(view.tree.word(at))).filter((at) => opensClause(view, at)),
  },
  {
    id: 'adverbial-clause',
    source: 'Spider-SS §2.2: advcl',
    description: 'An adverbial clause of three words or more starts a sub-sentence: "the names, | sorted by age".',
    find: (view) =>
      tokensWith(view, (at) => view.tree.at(at).label === 'advcl' && hasWords(view.tree, at, 3)).map((at) =>
        view.tree.leftEdge(at),
      ),
  },
  {
    id: 'adjectival-clause',
    source: 'Spider-SS §2.2: acl',
    description: 'A participle with what belongs to it starts a sub-sentence: "the wines | produced in 2008".',
    find: (view) =>
      tokensWith(view, (at) => view.tree.at(at).label === 'acl' && hasWords(view.tree, at, 2)).map((at) =>
        view.tree.leftEdge(at),
      ),
  },
  {
    id: 'ordered-by',
    source: 'Spider-SS §2.2 and figure 4: "ordered by"',
    description: '"ordered by" and "sorted in" start a sub-sentence whatever they depend on.',
    find: (view) => tokensWith(view, (at) => startsOrder(view.tree, at)),
  },
  {
    id: 'preposition',
    source: 'Spider-SS §2.2: prep, without those that tie (of, for, by, between, than, per)',
    description: 'A prepositional phrase of the main clause starts a sub-sentence where it says which rows are meant: "concerts | in 2014".',
    find: (view) => tokensWith(view, (at) => isModifierPreposition(view, at)).map((at) => view.tree.leftEdge(at)),
  },
  {
    id: 'conjunct',
    source: 'Spider-SS §2.2: conj',
    description: 'A clause or modifier that is joined to another starts a sub-sentence, at its conjunction: "who sing | and who dance".',
    find: (view) => tokensWith(view, (at) => startsConjunct(view, at)).map((at) => conjunctStart(view.tree, at)),
  },
  {
    id: 'subject',
    source: 'Spider-SS §2.2: nsubj, nsubjpass, csubj',
    description: 'The main clause starts a sub-sentence after a phrase that precedes it: "For each city, | how many shops are there?".',
    find: (view) => fronted(view),
  },
];

/** Whether a relative pronoun begins a clause: what it belongs to has a verb on its right. */
function opensClause({ tree }: SplitView, index: number): boolean {
  const chain = [index, ...tree.ancestors(index)];
  const verb = chain.find((at) => tree.isVerb(at) && at > index);
  if (verb === undefined || tree.word(index - 1) === 'such') return false;
  if (tree.at(index).tag === 'DT' || tree.at(index).tag === 'IN') return tree.at(verb).label === 'relcl' && tree.leftEdge(verb) === index;
  // "In which city", "for which": the preposition comes along.
  return tree.leftEdge(verb) === index && !tree.isRoot(verb);
}

function startsOrder(tree: DependencyTree, index: number): boolean {
  const [word, next] = [tree.word(index), tree.word(index + 1)];
  const isAfterConjunction = /^(?:and|,|then)$/u.test(tree.word(index - 1));
  if (SORTED.test(word)) return /^(?:by|in|from|according|alphabetically|descendingly|ascendingly|descending|ascending)$/u.test(next) && !/^(?:is|are|be|was|were)$/u.test(tree.word(index - 1));
  return SORT.test(word) && isAfterConjunction && index > 1;
}

/** Starts of main clauses that something with a comma precedes. */
function fronted({ tree }: SplitView): readonly number[] {
  return [...tree.tokens.keys()].flatMap((root) => {
    if (!tree.isRoot(root)) return [];
    const before = tree.children(root).filter((at) => at < root && /^(?:prep|advcl|npadvmod)$/u.test(tree.at(at).label));
    const last = before.at(-1);
    if (last === undefined) return [];
    const next = tree.rightEdge(last) + 1;
    return tree.word(next) === ',' ? [next + 1] : [];
  });
}
