import type { DependencyTree } from './dependency-tree.js';
import {
  frontedQuestion,
  hasWords,
  isAccompanied,
  isModifierPreposition,
  isParticipleClause,
  isReduced,
  partAround,
  predicateStart,
  SORTED,
  startsPart,
  startsPredicate,
  tokensWith,
} from './part-starts.js';
import { wordsOf } from './phrase-content.js';
import type { BreakRule, SplitView } from './split-rule.js';

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
function startsConjunct(view: SplitView, index: number): boolean {
  const { tree } = view;
  if (tree.at(index).label !== 'conj') return false;
  const head = listHead(tree, index);
  const isJoinedClause = tree.isVerb(index) && (tree.isVerb(head) || tree.hasSubject(index));
  if (isJoinedClause && (view.isModifying(index) || startsPredicate(view, head))) return true;
  const isModifier = isModifierPreposition(view, head) && !isAccompanied(tree, head);
  return isModifier || isLongConjunct(view, index);
}

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
function startsOrder(tree: DependencyTree, index: number): boolean {
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
function orderCommand({ tree }: SplitView, index: number): readonly number[] {
  if (!SORT.test(tree.word(index)) || !/^(?:and|,|then|also)$/u.test(tree.word(index - 1))) return [];
  let start = index;
  while (start > 1 && /^(?:and|,|then|also)$/u.test(tree.word(start - 1))) start--;
  return start > 1 ? [start] : [];
}

/**
 * Checks whether a phrase for each group ends the sentence, or what modifies follows: "the number of ships | for each
 * captain".
 */
function endsWithGroups({ tree }: SplitView, index: number): boolean {
  if (index < 2 || tree.word(index) !== 'for' || !EACH.test(tree.word(index + 1))) return false;
  let end = index + 1;
  while (end < tree.tokens.length && !tree.isPunctuation(end) && !/^(?:and|or)$/u.test(tree.word(end))) end++;
  const words = end - index - 1;
  if (words < 2 || words > MOST_GROUP_WORDS) return false;
  return /^[.?!]?$/u.test(tree.word(end)) || (!tree.isPunctuation(end) && MODIFYING.test(tree.word(end + 1)));
}

/** Where the phrase with a comparison begins: at the verb or preposition before it. */
function comparisonStart({ tree }: SplitView, index: number): readonly number[] {
  if (!/^(?:JJR|RBR)$/u.test(tree.at(index).tag)) return [];
  if (![1, 2].some((next) => tree.word(index + next) === 'than')) return [];
  let start = index;
  while (start > 0 && !/^(?:VB|IN|TO)/u.test(tree.at(start).tag) && !/^(?:that|which|who)$/u.test(tree.word(start)))
    start--;
  // "… and the number of views is higher than 1000": a clause of its own begins with its subject.
  if (tree.at(start).label === 'conj' && tree.hasSubject(start)) return [tree.leftEdge(start)];
  return start > 1 ? [start] : [];
}

const RELATIVE = /^(?:who|whom|whose|which|that|where)$/u;

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
    find: (view) => tokensWith(view, (at) => view.tree.at(at).label === 'relcl').map((at) => view.tree.leftEdge(at)),
  },
  {
    id: 'relative-pronoun',
    source: 'this project, where the parser takes a relative clause for another',
    description:
      'A relative pronoun at the left edge of any clause with a verb starts a sub-sentence: "songs | whose language is Bangla".',
    find: (view) => tokensWith(view, (at) => at > 0 && RELATIVE.test(view.tree.word(at)) && opensClause(view, at)),
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
      'A participle starts a sub-sentence where it says which rows are meant, or their order: "the wines | produced in 2008". Below another modifier, that has to say something before it.',
    find: (view) => tokensWith(view, (at) => isParticipleClause(view, at)).map((at) => view.tree.leftEdge(at)),
  },
  {
    id: 'ordered-by',
    source: 'Spider-SS §2.2 and figure 4: "ordered by"',
    description: '"ordered by" and "sorted in" start a sub-sentence, regardless of what they depend on.',
    find: (view) => tokensWith(view, (at) => startsOrder(view.tree, at)),
  },
  {
    id: 'order-command',
    source: 'Spider-SS’s published splitter',
    description:
      'A command to sort after what is asked for starts a sub-sentence with its comma and conjunction: "the names | , and sort them by age".',
    find: (view) => tokensWith(view, () => true).flatMap((at) => orderCommand(view, at)),
  },
  {
    id: 'for-each',
    source: 'Spider-SS’s published splitter',
    description:
      'A short phrase for groups at the end of a sentence is a sub-sentence: "the number of ships | for each captain".',
    find: (view) => tokensWith(view, (at) => endsWithGroups(view, at)),
  },
  {
    id: 'comparison',
    source: 'Spider-SS’s published splitter',
    description:
      'A comparison with "than" in the main clause starts a sub-sentence at the verb or preposition before it: "the names | of captains older than 40".',
    find: (view) => tokensWith(view, (at) => partAround(view, at) === null).flatMap((at) => comparisonStart(view, at)),
  },
  {
    id: 'preposition',
    source: 'Spider-SS §2.2: prep, without those that tie (of, for, by, between, than, per)',
    description:
      'A prepositional phrase starts a sub-sentence where it says which rows are meant, or groups: "concerts | in 2014". Below a modifier, that has to say a condition before it.',
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
      'After the subject that a question asks for, its predicate starts a sub-sentence: "Which shops | have more than 3 products?". "Are there", and a verb with the name of a table alone, stay with the subject.',
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
      'The main clause starts a sub-sentence after a phrase that precedes it: "For each city, | how many shops are open?", "For each city | , list the shops.", "In which year | did it open?".',
    find: (view) => [
      ...fronted(view),
      ...tokensWith(view, (at) => view.tree.isRoot(at)).flatMap((at) => frontedQuestion(view, at)),
    ],
  },
];

/** Checks whether a relative pronoun begins a clause: what it belongs to has a verb on its right. */
function opensClause({ tree }: SplitView, index: number): boolean {
  const chain = [index, ...tree.ancestors(index)];
  const verb = chain.find((at) => tree.isVerb(at) && at > index);
  if (tree.word(index) === 'whose') return true;
  if (verb === undefined || tree.word(index - 1) === 'such') return false;
  if (tree.at(index).tag === 'DT' || tree.at(index).tag === 'IN')
    return tree.at(verb).label === 'relcl' && tree.leftEdge(verb) === index;
  // "In which city", "for which": the preposition comes along.
  return tree.leftEdge(verb) === index && !tree.isRoot(verb);
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
  if (label === 'advcl' && /^as$/u.test(view.tree.word(view.tree.leftEdge(index)))) return false;
  if (label === 'relcl' || label === 'advcl') return hasWords(view.tree, index, 3) && !isReduced(view, index);
  return isParticipleClause(view, index) || isModifierPreposition(view, index);
}

/**
 * Starts of main clauses that something with a comma precedes; the comma comes along but to a question for a subject.
 */
function fronted(view: SplitView): readonly number[] {
  const { tree } = view;
  return tokensWith(view, (at) => tree.isRoot(at)).flatMap((root) => {
    const isBefore = (at: number): boolean => at < root && /^(?:prep|advcl|npadvmod)$/u.test(tree.at(at).label);
    const last = tree.children(root).filter(isBefore).at(-1);
    if (last === undefined) return [];
    const comma = tree.rightEdge(last) + 1;
    if (tree.word(comma) !== ',') return [];
    const isSubject = (at: number): boolean => at > comma && at < root && /^[nc]subj/u.test(tree.at(at).label);
    const asksForSubject = tree.children(root).some(isSubject) && tree.word(root + 1) !== 'there';
    return [asksForSubject ? comma + 1 : comma];
  });
}
