import type { DependencyTree } from './dependency-tree.js';
import { carriesClause, wordsOf } from './phrase-content.js';
import type { BreakRule, SplitView } from './split-rule.js';

/** Clauses that modify a noun or a verb. */
const CLAUSES: ReadonlySet<string> = new Set(['relcl', 'acl', 'advcl']);
/** Prepositions that tie a phrase to its noun or to a comparison (issue 22, from §2.2). */
const TYING: ReadonlySet<string> = new Set(['of', 'for', 'by', 'between', 'than', 'per', 'as', 'like']);
const SORTED = /^(?:ordered|sorted|ranked|arranged)$/u;
const NAMED = /^(?:named|called|titled)$/u;
const SORT = /^(?:order|sort|rank|arrange)$/u;
const ORDERING = /^(?:ascending|descending|alphabetical|increasing|decreasing)$/u;
const COMPARING = /^(?:above|below|over|under|within)$/u;
const ASKING = /^(?:which|what|how|whose|who)$/u;
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

/** "a capacity above 300", "equal to 10": what is compared is said before the preposition. */
function tiesToComparison(tree: DependencyTree, index: number): boolean {
  const { head } = tree.at(index);
  if (/^(?:JJR|RBR)$/u.test(tree.at(head).tag) || /^(?:equal|prior|similar|according)$/u.test(tree.word(head))) return true;
  return COMPARING.test(tree.word(index));
}

function isModifierPreposition(view: SplitView, index: number): boolean {
  const { tree } = view;
  if (tree.at(index).label !== 'prep' || TYING.has(tree.word(index)) || view.isModifying(index)) return false;
  if (tiesToComparison(tree, index) || tree.children(index).length === 0 || !/^(?:IN|TO|RP|RB|VBG)$/u.test(tree.at(index).tag)) return false;
  return tree.word(index) === 'without' || carriesClause(view, index, (at) => startsPart(view, at));
}

/** Whether a clause or phrase is a sub-sentence of its own. */
function startsPart(view: SplitView, index: number): boolean {
  return CLAUSES.has(view.tree.at(index).label) || isModifierPreposition(view, index);
}

function isParticipleClause(view: SplitView, index: number): boolean {
  const { tree } = view;
  if (tree.at(index).label !== 'acl' || !hasWords(tree, index, 2)) return false;
  if (SORTED.test(tree.word(index))) return true;
  return !view.isModifying(index) && (NAMED.test(tree.word(index)) || carriesClause(view, index, () => false));
}

/** "the year they joined": a relative clause about someone named before, without a relative pronoun. */
function isReduced({ tree }: SplitView, index: number): boolean {
  const subject = tree.children(index).find((child) => /^nsubj/u.test(tree.at(child).label));
  return subject !== undefined && subject === tree.leftEdge(index) && tree.at(subject).tag === 'PRP';
}

/** Nouns that are joined below a modifier, each with words of its own: "with name X | and more than 3 floors". */
function isLongConjunct(view: SplitView, index: number): boolean {
  const { tree } = view;
  const edge = tree.leftEdge(index);
  const start = conjunctStart(tree, index);
  const words = tree.subtree(index).filter((at) => !tree.isPunctuation(at) && tree.at(at).label !== 'det');
  if (start === edge || words.length < 2 || !/^(?:NN|CD|IN)/u.test(tree.at(index).tag)) return false;
  const chain = [listHead(tree, index), ...tree.ancestors(listHead(tree, index))];
  if (chain.some((at) => tree.word(at) === 'between')) return false;
  return chain.some((at) => CLAUSES.has(tree.at(at).label) || isModifierPreposition(view, at));
}

function startsConjunct(view: SplitView, index: number): boolean {
  const { tree } = view;
  if (tree.at(index).label !== 'conj') return false;
  const head = listHead(tree, index);
  if (tree.isVerb(index) && (tree.isVerb(head) || tree.hasSubject(index))) return true;
  return (tree.at(index).label === 'conj' && isModifierPreposition(view, head)) || isLongConjunct(view, index);
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
      tokensWith(view, (at) => view.tree.at(at).label === 'relcl' && !isReduced(view, at)).map((at) =>
        view.tree.leftEdge(at),
      ),
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
    description: 'A participle that is not below another modifier starts a sub-sentence where it says which rows are meant, or their order: "the wines | produced in 2008".',
    find: (view) =>
      tokensWith(view, (at) => isParticipleClause(view, at)).map((at) => view.tree.leftEdge(at)),
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
    id: 'predicate',
    source: 'Spider-SS §2.2: nsubj, nsubjpass',
    description: 'After the subject that a question asks for, its predicate starts a sub-sentence where it says which rows are meant: "Which shops | have more than 3 products?".',
    find: (view) => tokensWith(view, (at) => view.tree.isRoot(at)).flatMap((root) => predicateStart(view, root)),
  },
  {
    id: 'fronted-phrase',
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
  if (word === 'by' && ORDERING.test(next)) return !SORTED.test(tree.word(index - 1)) && !SORT.test(tree.word(index - 1));
  if (SORTED.test(word)) return /^(?:by|in|from|according|alphabetically|descendingly|ascendingly|descending|ascending)$/u.test(next) && !/^(?:is|are|be|was|were)$/u.test(tree.word(index - 1));
  return SORT.test(word) && isAfterConjunction && index > 1;
}

/** Where the predicate of a question for its subject starts, if it carries a clause of a query. */
function predicateStart(view: SplitView, root: number): readonly number[] {
  const { tree } = view;
  const subject = tree.children(root).find((at) => at < root && /^nsubj/u.test(tree.at(at).label));
  if (subject === undefined || tree.leftEdge(subject) !== tree.leftEdge(root)) return [];
  if (!ASKING.test(tree.word(tree.leftEdge(root)))) return [];
  const isOwn = (at: number): boolean => at <= tree.rightEdge(subject) || startsPart(view, at);
  return carriesClause(view, root, isOwn) ? [tree.rightEdge(subject) + 1] : [];
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
