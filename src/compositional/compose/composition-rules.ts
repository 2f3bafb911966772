import { type Clause, type ClauseColumn, type ClauseComparison, type ClauseQuery, hasKind } from '../clauses/clause.js';
import { isFixedPlural } from './verb-forms.js';
import {
  APPENDIX_A,
  type CompositionDraft,
  type CompositionRule,
  keptClauses,
  ownRule,
  type RuleCase,
} from './composition-rule.js';
import { fittedText } from './element-text.js';
import { allValuesOf, comparisonsOf, isAggregated, nestedQueriesOf, tablesOf } from '../clauses/clause-parts.js';
import type { CompositionalElement } from './element.js';
import { ELEMENT_RULES } from './element-rules.js';
import { LOGIC_RULES } from './logic-rules.js';
import { ROW_RULES } from './row-rules.js';
import { WORDING_RULES } from './wording-rules.js';

const isCondition = ({ kind }: Clause): boolean => kind === 'condition';
const isNoCondition = ({ kind }: Clause): boolean => kind === 'order' || kind === 'limit' || kind === 'set';
const isOfOrder = ({ kind }: Clause): boolean => kind !== 'condition' && kind !== 'set';

/** Checks whether conditions are one, or several of which any is enough. */
function isAnyOf(clauses: readonly Clause[]): boolean {
  const [, ...others] = clauses.filter((clause) => clause.kind === 'condition');
  return others.every(({ connective }) => connective === 'or');
}

/** Words by which a noun in the singular is several rows. */
const OF_EACH = /(?<!\p{L})(?:each|every|all)(?!\p{L})/iu;

/** A noun in the singular that may be several: "each singer", "which airline". */
const GENERAL = /(?<!\p{L})(?:each|every|all|any|which|what)\s+(?:\p{L}+\s+){0,2}\p{L}+\s*$/iu;

function agrees({ connective, base, element }: RuleCase): boolean {
  if (base.noun === null || base.noun.isPlural) return true;
  const before = base.source.question.slice(0, base.start);
  // "The hero named Deathlok": a group in its place, or next to "or", is not one hero.
  if (connective !== 'and' && base.picksOne && !element.picksOne && !GENERAL.test(before)) return false;
  if (element.noun?.isPlural === true && !GENERAL.test(before)) return false;
  if (element.clauses.some((clause) => clause.kind === 'limit' && clause.count > 1)) return false;
  const isListed = hasKind(element.clauses, 'order') && !hasKind(element.clauses, 'limit');
  if (isListed && !OF_EACH.test(before)) return false;
  return element.noun?.isPlural !== true || !isFixedPlural(element.text, element.frame);
}

/** The composed question reads as one: appendix A's coherence, and what we found missing in it. */
const COHERENCE_RULES: readonly CompositionRule[] = [
  {
    id: 'same-noun',
    group: 'coherence',
    source: APPENDIX_A,
    says: 'both elements modify the same noun',
    holds: ({ base, element }) => base.noun !== null && base.noun.key === element.noun?.key,
  },
  {
    id: 'or-joins-conditions',
    group: 'coherence',
    source: APPENDIX_A,
    says: '"or" joins nothing but conditions',
    holds: ({ connective, base, element }) =>
      connective !== 'or' || ![...base.clauses, ...element.clauses].some(isNoCondition),
  },
  {
    id: 'same-frame',
    group: 'coherence',
    source: 'ours',
    says: 'the element has a form that fits the sentence: a predicate after a noun takes "that"',
    holds: (given) => fittedText(given) !== null,
  },
  {
    id: 'number-agrees',
    group: 'coherence',
    source: 'ours',
    says: 'a plural verb, an order, the first of several or what is said of several does not follow a noun in the singular',
    holds: agrees,
  },
  {
    id: 'order-last',
    group: 'coherence',
    source: 'ours',
    says: 'an element goes before an order or a superlative, where the base has no other element',
    holds: ({ kind, base }) => kind === 'SUB' || !hasKind(base.clauses, 'order') || base.clauses.every(isOfOrder),
  },
  {
    id: 'or-of-two',
    group: 'coherence',
    source: 'ours',
    says: 'behind "or" and before it there are one condition or several joined by "or": its reach is unclear among others',
    holds: ({ connective, base, kept, element }) =>
      connective !== 'or' || (isAnyOf(kept) && isAnyOf(element.clauses) && !base.rest.some(isCondition)),
  },
];

const MOST_CONDITIONS = 3; // appendix A, complexity 3
const MOST_SEGMENTS = 3; // appendix A: "less than 4" sub-sentences, for APP alone

function countNested(clauses: readonly Clause[]): number {
  const nested = clauses.flatMap(nestedQueriesOf);
  return nested.reduce((sum, query) => sum + 1 + countNested(query.clauses), 0);
}

function hasNestedConditions(clauses: readonly Clause[]): boolean {
  return clauses.flatMap(nestedQueriesOf).some((query) => hasKind(query.clauses, 'condition'));
}

function countConditions(clauses: readonly Clause[], onGroups: boolean): number {
  const conditions = clauses.filter((clause) => clause.kind === 'condition' && isAggregated(clause) === onGroups);
  return conditions.reduce((sum, clause) => sum + (clause.kind === 'condition' ? comparisonsOf(clause).length : 0), 0);
}

/** No composed example is more complex than Spider's. */
const COMPLEXITY_RULES: readonly CompositionRule[] = [
  {
    id: 'one-subquery',
    group: 'complexity',
    source: APPENDIX_A,
    says: 'at most one nested query or set operation',
    holds: ({ clauses }) => countNested(clauses) <= 1,
  },
  {
    id: 'one-having',
    group: 'complexity',
    source: APPENDIX_A,
    says: 'at most one condition on groups',
    holds: ({ clauses }) => countConditions(clauses, true) <= 1,
  },
  {
    id: 'three-conditions',
    group: 'complexity',
    source: APPENDIX_A,
    says: 'at most three conditions on rows',
    holds: ({ clauses }) => countConditions(clauses, false) <= MOST_CONDITIONS,
  },
  {
    id: 'one-order',
    group: 'complexity',
    source: APPENDIX_A,
    says: 'one ORDER BY: not both parts bring one',
    holds: ({ kept, element }) => !hasKind(kept, 'order') || !hasKind(element.clauses, 'order'),
  },
  {
    id: 'no-subquery-condition',
    group: 'complexity',
    source: APPENDIX_A,
    says: 'no new condition that could be read as one of a nested query: behind one that has conditions there is none but with its own pronoun',
    holds: ({ kind, base, element }) =>
      kind === 'SUB' ||
      element.frame === 'relative' ||
      !hasNestedConditions(base.clauses) ||
      !hasKind(element.clauses, 'condition'),
  },
  {
    id: 'three-segments',
    group: 'complexity',
    source: APPENDIX_A,
    says: 'fewer than four sub-sentences, where one is appended',
    holds: ({ kind, base, element }) =>
      kind === 'SUB' || base.source.segments.length + element.last - element.first + 1 <= MOST_SEGMENTS,
  },
];

/** Checks whether a nested query is of the first, the least or the most. */
function isExtreme({ clauses }: ClauseQuery): boolean {
  return (
    hasKind(clauses, 'limit') ||
    clauses.some(
      (clause) =>
        clause.kind === 'select' &&
        allValuesOf(clause).some((value) => value.kind === 'call' && (value.name === 'max' || value.name === 'min')),
    )
  );
}

/**
 * Checks whether a comparison is of a key that the noun's rows have to another table, with the most of that: "in the
 * stadium with the largest capacity", whatever concerts are asked for.
 */
function isOfReferred(left: ClauseColumn, query: ClauseQuery, { nounTables, nounRows }: CompositionalElement): boolean {
  const isReferred = (table: number): boolean => nounRows.includes(table) && !nounTables.includes(table);
  return nounTables.includes(left.table) && query.clauses.flatMap(tablesOf).every(isReferred);
}

/** Checks whether a comparison takes the first, the least or the most of the noun's rows by a nested query. */
function takesMost({ left, operator, negated, right }: ClauseComparison, element: CompositionalElement): boolean {
  if (negated || (operator !== '=' && operator !== 'in')) return false;
  return right.some(
    (value) =>
      value.kind === 'query' &&
      isExtreme(value.query) &&
      !(left?.kind === 'column' && isOfReferred(left, value.query, element)),
  );
}

const takesMostOfAll = (element: CompositionalElement): boolean =>
  element.clauses.some(
    (clause) => clause.kind === 'condition' && comparisonsOf(clause).some((one) => takesMost(one, element)),
  );

const takesFirst = ({ clauses }: CompositionalElement): boolean =>
  hasKind(clauses, 'order') && hasKind(clauses, 'limit');

/** "in Fresno and with the highest score": the highest of Fresno's, or of all? */
function leavesReachOpen({ kind, connective, base, kept, element }: RuleCase): boolean {
  if (connective === 'or') return false;
  // "the social event with the highest budget" is the first of the social ones.
  if (kind === 'SUB') return takesMostOfAll(element) && kept.some((clause) => clause.kind === 'condition');
  return [base, element].some((one) => takesFirst(one) || takesMostOfAll(one));
}

/** "created in 2011 and on 2010-07-19": which date the second is of, its own question said. */
function givesTwoTimes({ kind, connective, base, element }: RuleCase): boolean {
  if (kind === 'SUB' || connective === 'or') return false;
  return base.times.some((a) => element.times.some((b) => a !== b));
}

/** How far a part of a question reaches is clear in a question with another. */
const REACH_RULES: readonly CompositionRule[] = [
  ownRule(
    'superlative-reach',
    'no superlative is next to "and": it may be the first of all rows, or of those that the other part leaves; none that is of all rows goes where others are asked for',
    (given) => !leavesReachOpen(given),
  ),
  ownRule('one-time', '"and" does not join dates or periods of two columns', (given) => !givesTwoTimes(given)),
];

/** Every rule of composing, those first that refuse most and cost least. */
export const COMPOSITION_RULES: readonly CompositionRule[] = [
  ...COHERENCE_RULES,
  ...COMPLEXITY_RULES,
  ...ELEMENT_RULES,
  ...LOGIC_RULES,
  ...WORDING_RULES,
  ...REACH_RULES,
  ...ROW_RULES,
];

/** The paper's rules alone: what its counts are compared with. */
export const APPENDIX_A_RULES: readonly CompositionRule[] = COMPOSITION_RULES.filter(({ source }) => source !== 'ours');

/** The first rule that refuses a draft; null where all hold. */
export function refusedBy(draft: CompositionDraft, rules: readonly CompositionRule[]): CompositionRule | null {
  const kept = keptClauses(draft);
  const given: RuleCase = { ...draft, kept, clauses: [...kept, ...draft.element.clauses] };
  return rules.find((rule) => !rule.holds(given)) ?? null;
}
