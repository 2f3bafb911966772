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
/** Verbs and the prepositions that they need. */
const TIED_VERBS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:start|end|participat|serv)(?:e|s|es|ed|ing)?$|^same$/u, /^(?:from|on|in|as)$/u],
  [/^(?:prior|equal|assign|assigned|belong|belongs|belonging|belonged)$/u, /^to$/u],
  [/^locat(?:e|es|ed|ing)$/u, /^(?:in|at)$/u],
];
const AUXILIARY = /^(?:be|is|are|was|were|been|have|has|had|having|do|does|did)$/u;
const ASKING = /^(?:which|what|how|whose|who)$/u;
const RELATIVE = /^(?:who|whom|whose|which|that|where)$/u;

function tokensWith({ tree }: SplitView, isWanted: (index: number) => boolean): readonly number[] {
  return [...tree.tokens.keys()].filter(isWanted);
}

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

/** Whether a clause or phrase is long enough to be a sub-sentence. */
function hasWords(tree: DependencyTree, index: number, count: number): boolean {
  return wordsOf(tree, tree.leftEdge(index), tree.rightEdge(index) + 1) >= count;
}

/** "belongs to", "located in", "participated in": the verb says nothing without its preposition. */
function continuesVerb(tree: DependencyTree, index: number): boolean {
  return TIED_VERBS.some(
    ([verb, prepositions]) => verb.test(tree.word(index - 1)) && prepositions.test(tree.word(index)),
  );
}

/** "from 8 to 10": the end of a range whose begin is near. */
function endsRange(tree: DependencyTree, index: number): boolean {
  return tree.word(index) === 'to' && [2, 3].some((back) => /^(?:from|range)$/u.test(tree.word(index - back)));
}

/** "a capacity above 300", "equal to 10": what is compared is said before the preposition. */
function tiesToComparison(tree: DependencyTree, index: number): boolean {
  const { head } = tree.at(index);
  if (/^(?:JJR|RBR)$/u.test(tree.at(head).tag) || /^(?:equal|prior|similar|according)$/u.test(tree.word(head)))
    return true;
  return COMPARING.test(tree.word(index)) || continuesVerb(tree, index) || endsRange(tree, index);
}

const decided = new WeakMap<SplitView, Map<number, boolean>>();

/** Whether a preposition starts a sub-sentence; each is decided once, since those around it ask again. */
function isModifierPreposition(view: SplitView, index: number): boolean {
  const known = decided.get(view) ?? new Map<number, boolean>();
  decided.set(view, known);
  let answer = known.get(index);
  if (answer === undefined) known.set(index, (answer = decidePreposition(view, index)));
  return answer;
}

function decidePreposition(view: SplitView, index: number): boolean {
  const { tree } = view;
  if (tree.at(index).label !== 'prep' || TYING.has(tree.word(index)) || view.isModifying(index)) return false;
  if (
    tiesToComparison(tree, index) ||
    tree.children(index).length === 0 ||
    !/^(?:IN|TO|RP|RB|VBG)$/u.test(tree.at(index).tag)
  )
    return false;
  return tree.word(index) === 'without' || carriesClause(view, index, (at) => startsPart(view, at));
}

/** Whether a clause or phrase is a sub-sentence of its own. */
function startsPart(view: SplitView, index: number): boolean {
  return CLAUSES.has(view.tree.at(index).label) || isModifierPreposition(view, index);
}

/** Whether a modifier says something itself before another within it: "taught by people | named Smith". */
function followsContent(view: SplitView, index: number): boolean {
  const { tree } = view;
  const around = [...tree.ancestors(index)].find((at) => CLAUSES.has(tree.at(at).label)) ?? index;
  let count = 0;
  for (let at = tree.leftEdge(around); at < tree.leftEdge(index); at++) if (isOpenWord(view, at)) count++;
  return count > 0;
}

/** A noun, verb, adjective or number that is no name of the schema and no auxiliary. */
function isOpenWord({ tree, phrases }: SplitView, at: number): boolean {
  return phrases[at] === -1 && /^(?:NN|VB|JJ|CD)/u.test(tree.at(at).tag) && !AUXILIARY.test(tree.word(at));
}

function isParticipleClause(view: SplitView, index: number): boolean {
  const { tree } = view;
  if (tree.at(index).label !== 'acl' || !hasWords(tree, index, 2)) return false;
  if (SORTED.test(tree.word(index))) return true;
  if (view.isModifying(index) && !followsContent(view, index)) return false;
  return NAMED.test(tree.word(index)) || carriesClause(view, index, () => false);
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
  const start = conjunctionOf(tree, index);
  const words = tree.subtree(index).filter((at) => !tree.isPunctuation(at) && tree.at(at).label !== 'det');
  if (start === edge || words.length < 2 || !/^(?:NN|CD|IN)/u.test(tree.at(index).tag)) return false;
  const chain = [listHead(tree, index), ...tree.ancestors(listHead(tree, index))];
  if (chain.some((at) => tree.word(at) === 'between')) return false;
  return chain.some((at) => startsPart(view, at) || startsPredicate(view, at));
}

function startsConjunct(view: SplitView, index: number): boolean {
  const { tree } = view;
  if (tree.at(index).label !== 'conj') return false;
  const head = listHead(tree, index);
  const isJoinedClause = tree.isVerb(index) && (tree.isVerb(head) || tree.hasSubject(index));
  if (isJoinedClause && (view.isModifying(index) || startsPredicate(view, head))) return true;
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
    description:
      'A relative pronoun at the left edge of any clause with a verb starts a sub-sentence: "songs | whose language is Bangla".',
    find: (view) =>
      tokensWith(view, (at) => at > 0 && RELATIVE.test(view.tree.word(at))).filter((at) => opensClause(view, at)),
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
    description:
      'A participle that is not below another modifier starts a sub-sentence where it says which rows are meant, or their order: "the wines | produced in 2008".',
    find: (view) => tokensWith(view, (at) => isParticipleClause(view, at)).map((at) => view.tree.leftEdge(at)),
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
    description:
      'A prepositional phrase of the main clause starts a sub-sentence where it says which rows are meant: "concerts | in 2014".',
    find: (view) => tokensWith(view, (at) => isModifierPreposition(view, at)).map((at) => view.tree.leftEdge(at)),
  },
  {
    id: 'conjunct',
    source: 'Spider-SS §2.2: conj',
    description:
      'A clause or modifier that is joined to another starts a sub-sentence, after its conjunction: "who sing and | who dance".',
    find: (view) => tokensWith(view, (at) => startsConjunct(view, at)).map((at) => view.tree.leftEdge(at)),
  },
  {
    id: 'predicate',
    source: 'Spider-SS §2.2: nsubj, nsubjpass',
    description:
      'After the subject that a question asks for, its predicate starts a sub-sentence where it says which rows are meant: "Which shops | have more than 3 products?".',
    find: (view) => tokensWith(view, (at) => view.tree.isRoot(at)).flatMap((root) => predicateStart(view, root)),
  },
  {
    id: 'resumption',
    source: 'this project, from §2.2: a sub-sentence is one clause',
    description:
      'Where a clause goes on after a modifier within it, three words or more are a sub-sentence: "the films | that Ang Lee directed | and how long each is".',
    find: resumptions,
  },
  {
    id: 'fronted-phrase',
    source: 'Spider-SS §2.2: nsubj, nsubjpass, csubj',
    description:
      'The main clause starts a sub-sentence after a phrase that precedes it: "For each city, | how many shops are there?".',
    find: (view) => fronted(view),
  },
];

/** Whether a relative pronoun begins a clause: what it belongs to has a verb on its right. */
function opensClause({ tree }: SplitView, index: number): boolean {
  const chain = [index, ...tree.ancestors(index)];
  const verb = chain.find((at) => tree.isVerb(at) && at > index);
  if (verb === undefined || tree.word(index - 1) === 'such') return false;
  if (tree.at(index).tag === 'DT' || tree.at(index).tag === 'IN')
    return tree.at(verb).label === 'relcl' && tree.leftEdge(verb) === index;
  // "In which city", "for which": the preposition comes along.
  return tree.leftEdge(verb) === index && !tree.isRoot(verb);
}

function startsOrder(tree: DependencyTree, index: number): boolean {
  const [word, next] = [tree.word(index), tree.word(index + 1)];
  const isAfterConjunction = /^(?:and|,|then)$/u.test(tree.word(index - 1));
  if (word === 'by' && ORDERING.test(next))
    return !SORTED.test(tree.word(index - 1)) && !SORT.test(tree.word(index - 1));
  if (SORTED.test(word))
    return (
      /^(?:by|in|from|according|alphabetically|descendingly|ascendingly|descending|ascending)$/u.test(next) &&
      !/^(?:is|are|be|was|were)$/u.test(tree.word(index - 1))
    );
  return SORT.test(word) && isAfterConjunction && index > 1;
}

function startsPredicate(view: SplitView, index: number): boolean {
  return view.tree.isRoot(index) && predicateStart(view, index).length > 0;
}

/** Where the predicate of a question for its subject starts, if it carries a clause of a query. */
function predicateStart(view: SplitView, root: number): readonly number[] {
  const { tree } = view;
  const subject = tree.children(root).find((at) => at < root && /^[nc]subj/u.test(tree.at(at).label));
  if (subject === undefined || tree.leftEdge(subject) !== tree.leftEdge(root)) return [];
  if (!ASKING.test(tree.word(tree.leftEdge(root))) || tree.children(subject).length === 0) return [];
  const isOwn = (at: number): boolean => at <= tree.rightEdge(subject) || startsPart(view, at);
  return carriesClause(view, root, isOwn) ? [tree.rightEdge(subject) + 1] : [];
}

/** Words that go on after a modifier before they are a sub-sentence. */
const RESUMED_WORDS = 3;

/** Where a clause goes on after a modifier within it. */
function resumptions(view: SplitView): readonly number[] {
  const { tree } = view;
  const { length } = tree.tokens;
  return tokensWith(view, (at) => isLongModifier(view, at)).flatMap((at) => {
    const end = tree.rightEdge(at) + 1;
    return end < length && wordsOf(tree, end, length) >= RESUMED_WORDS ? [end] : [];
  });
}

function isLongModifier(view: SplitView, index: number): boolean {
  const { label } = view.tree.at(index);
  if (label === 'relcl' || label === 'advcl') return hasWords(view.tree, index, 3) && !isReduced(view, index);
  return isParticipleClause(view, index) || isModifierPreposition(view, index);
}

/** Starts of main clauses that something with a comma precedes. */
function fronted({ tree }: SplitView): readonly number[] {
  return [...tree.tokens.keys()].flatMap((root) => {
    if (!tree.isRoot(root)) return [];
    const before = tree
      .children(root)
      .filter((at) => at < root && /^(?:prep|advcl|npadvmod)$/u.test(tree.at(at).label));
    const last = before.at(-1);
    if (last === undefined) return [];
    const next = tree.rightEdge(last) + 1;
    return tree.word(next) === ',' ? [next + 1] : [];
  });
}
