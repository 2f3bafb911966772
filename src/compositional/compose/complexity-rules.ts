import { type Clause, hasKind } from '../clauses/clause.js';
import { comparisonsOf, isAggregated } from '../clauses/clause-parts.js';
import { nestedQueriesOf } from './clause-facts.js';
import { APPENDIX_A, type CompositionRule } from './composition-rule.js';

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
export const COMPLEXITY_RULES: readonly CompositionRule[] = [
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
