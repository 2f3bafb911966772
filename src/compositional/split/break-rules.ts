import { startsConjunct } from './conjunct-starts.js';
import { comparisonStart, endsWithGroups, orderCommand, startsOrder } from './order-starts.js';
import {
  hasWords,
  isModifierPreposition,
  isParticipleClause,
  isReduced,
  partAround,
  frontedQuestion,
  predicateStart,
  tokensWith,
} from './part-starts.js';
import { wordsOf } from './phrase-content.js';
import type { BreakRule, SplitView } from './split-rule.js';

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
