import { memoizeObject } from '../../schema/memoize.js';
import { type Clause, type ClauseComparison, type ClauseValue, hasKind } from '../clauses/clause.js';
import { allValuesOf, comparisonsOf, isAggregate } from '../clauses/clause-parts.js';
import { type Cue, hasCue } from '../align/cues.js';
import type { CompositionRule } from './composition-rule.js';
import type { CompositionalElement } from './element.js';

const CLAUSE_CUES = {
  compared: ['more', 'less', 'most', 'least', 'average'],
  extreme: ['most', 'least', 'more', 'less'],
  first: ['most', 'least', 'order', 'more', 'less'],
  denied: ['not', 'except'],
} as const satisfies Readonly<Record<string, readonly Cue[]>>;

/** Checks whether a value is one number of a nested query: its minimum, its average, or its first row. */
function isNestedNumber(value: ClauseValue): boolean {
  if (value.kind !== 'query') return false;
  const { clauses } = value.query;
  return hasKind(clauses, 'limit') || clauses.some((clause) => allValuesOf(clause).some(isAggregate));
}

/** Returns the cues that words must give for a comparison. */
function comparisonCues({ operator, negated, right }: ClauseComparison): readonly (readonly Cue[])[] {
  const isNested = right.some(isNestedNumber);
  const compared = isNested ? [operator === '=' ? CLAUSE_CUES.extreme : CLAUSE_CUES.compared] : [];
  return negated || operator === '!=' ? [...compared, CLAUSE_CUES.denied] : compared;
}

/** Returns the cues that words must give for a clause: one of each list. */
function neededCues(clause: Clause): readonly (readonly Cue[])[] {
  switch (clause.kind) {
    case 'condition':
      return comparisonsOf(clause).flatMap(comparisonCues);
    case 'limit':
      return [CLAUSE_CUES.first];
    case 'set':
      return clause.operator === 'except' ? [CLAUSE_CUES.denied] : [];
    default:
      return [];
  }
}

const isSaid = ({ text, clauses }: CompositionalElement): boolean =>
  clauses.flatMap(neededCues).every((cues) => cues.some((cue) => hasCue(text, cue)));

/** "older than any engineer": than one of them, or than all? Spider's gold queries have both. */
const ANY_COMPARED =
  /(?<!\p{L})(?:than|before|after|above|below|over|under|exceeds?)\s+(?:(?:that|those|the|of|\p{L}+)\s+){0,3}any(?!\p{L})/iu;

/** "and the employees who destroyed them": something else that is asked for. */
const ASKS_MORE = /\sand\s+(?:the|their|its)\s+\p{L}+\s+(?:who|that|which|whose)(?!\p{L})/iu;

/** "with the lowest GPA belong to": the end of another verb. */
const OPEN_VERB =
  /\s(?:belongs?|correspond|corresponds|go|goes|live|lives|work|works|come|comes)(?:\s+(?:to|in|at|for|from))?$/iu;

/** "that have a higher reputation, Ann or Ben": a choice between what no other question names. */
const CHOICE = /(?<!\p{L})(?:more|less|better|\p{L}{2,}er)(?!\p{L})[^,]*,\s+[^,]+\sor\s/iu;

interface ElementRule extends Pick<CompositionRule, 'id' | 'group' | 'says'> {
  readonly keeps: (element: CompositionalElement) => boolean;
}

const ELEMENTS: readonly ElementRule[] = [
  {
    id: 'clauses-said',
    group: 'meaning',
    says: 'an element says that its clauses compare with a nested query, deny, or take the first',
    keeps: isSaid,
  },
  {
    id: 'any-unclear',
    group: 'meaning',
    says: 'no element compares with "any", which may be one or all',
    keeps: ({ text }) => !ANY_COMPARED.test(text),
  },
  {
    id: 'selected-outside',
    group: 'meaning',
    says: 'what is selected is asked for outside of the element',
    keeps: ({ asksWithin }) => !asksWithin,
  },
  {
    id: 'one-question',
    group: 'meaning',
    says: 'an element asks for nothing more ("and the employees who …") and for no choice ("higher, Ann or Ben"), nor does it end with the verb of its question',
    keeps: ({ text, frame }) =>
      !ASKS_MORE.test(text) && !CHOICE.test(text) && (frame === 'relative' || !OPEN_VERB.test(text)),
  },
];

/** Rules that must hold for either element by itself. */
export const ELEMENT_RULES: readonly CompositionRule[] = ELEMENTS.map(({ keeps, ...rule }) => {
  const known = memoizeObject((element: CompositionalElement) => keeps(element));
  return { ...rule, source: 'ours', holds: ({ base, element }) => known(base) && known(element) };
});
