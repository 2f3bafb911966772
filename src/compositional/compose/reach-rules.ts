import { allValuesOf, comparisonsOf } from '../clauses/clause-parts.js';
import { type ClauseColumn, type ClauseComparison, type ClauseQuery, hasKind } from '../clauses/clause.js';
import { tablesOf } from './clause-facts.js';
import { type CompositionRule, ownRule, type RuleCase } from './composition-rule.js';
import type { CompositionalElement } from './element.js';

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
export const REACH_RULES: readonly CompositionRule[] = [
  ownRule(
    'superlative-reach',
    'no superlative is next to "and": it may be the first of all rows, or of those that the other part leaves; none that is of all rows goes where others are asked for',
    (given) => !leavesReachOpen(given),
  ),
  ownRule('one-time', '"and" does not join dates or periods of two columns', (given) => !givesTwoTimes(given)),
];
