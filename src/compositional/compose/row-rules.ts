import { columnKey } from '../../schema/schema.js';
import type { Clause } from '../clauses/clause.js';
import { columnsOf, isAggregated, nestedQueriesOf, tablesOf } from '../clauses/clause-parts.js';
import { type CompositionRule, ownRule, type RuleCase } from './composition-rule.js';
import { needsCompound } from './compound-need.js';
import { isNegation, restricts } from './logic-rules.js';

const groupsRows = (clauses: readonly Clause[]): boolean =>
  clauses.some((clause) => (clause.kind === 'condition' || clause.kind === 'order') && isAggregated(clause));

/**
 * Checks whether conditions leave rows of a group in or out as one: their columns are those of what each group is one
 * of.
 */
function keepsGroupsWhole(conditions: readonly Clause[], groups: readonly Clause[], ofOne: readonly number[]): boolean {
  const keys = new Set(
    groups
      .filter(({ kind }) => kind === 'group')
      .flatMap(columnsOf)
      .map(columnKey),
  );
  return conditions
    .filter((clause) => clause.kind === 'condition' && !isAggregated(clause))
    .flatMap(columnsOf)
    .every((column) => ofOne.includes(column.table) || keys.has(columnKey(column)));
}

/** "named X" before "with more than 3 of them": a condition of one part would change what the other counts. */
function countsAllRows({ kept, element, base, ...draft }: RuleCase): boolean {
  if (needsCompound({ ...draft, base, element })) return true;
  const [before, own] = [kept, element.clauses];
  if (groupsRows(own) && !keepsGroupsWhole(before, own, element.countedTables)) return false;
  return !groupsRows(before) || keepsGroupsWhole(own, before, base.countedTables);
}

/** Tables of which clauses say that there is no row, whatever it holds. */
function deniedTables(clauses: readonly Clause[]): readonly number[] {
  return clauses.filter(isNegation).flatMap((clause) =>
    nestedQueriesOf(clause).flatMap(({ clauses: inner }) => {
      const isAnyRow = !inner.some((one) => restricts(one) || (one.kind !== 'select' && isAggregated(one)));
      return isAnyRow ? inner.flatMap(tablesOf) : [];
    }),
  );
}

/** "more than a single performance and no performance": rows of a table that are asked for and denied. */
function deniesWhatIsJoined({ connective, base, kept, element }: RuleCase): boolean {
  if (connective === 'or') return false;
  const deniesOf = (clauses: readonly Clause[], others: readonly Clause[]): boolean => {
    const joined = new Set(
      others.filter((clause) => !isNegation(clause) && clause.kind !== 'select').flatMap(tablesOf),
    );
    return deniedTables(clauses).some((table) => joined.has(table) && !base.nounTables.includes(table));
  };
  return deniesOf(element.clauses, kept) || deniesOf(kept, element.clauses);
}

/** "languages of countries where people speak English": a row of what is asked for is not that of the condition. */
function meansOneRow({ kind, base, element }: RuleCase): boolean {
  if (base.nounTables.length === 0) return true;
  const asked = new Set((kind === 'SUB' ? base.rest : [...base.rest, ...base.clauses]).flatMap(tablesOf));
  const isOther = (table: number): boolean => asked.has(table) && !base.nounRows.includes(table);
  return !element.clauses.some(
    (clause) =>
      clause.kind === 'condition' && !isAggregated(clause) && columnsOf(clause).some(({ table }) => isOther(table)),
  );
}

/** Both parts of a composed query are about the rows that its question is about. */
export const ROW_RULES: readonly CompositionRule[] = [
  ownRule(
    'not-denied',
    'no rows of a table are asked for and denied: "more than one performance and no performance"',
    (given) => !deniesWhatIsJoined(given),
  ),
  ownRule(
    'counts-all-rows',
    'no part has conditions on the rows that the other counts: they would count less than it says',
    countsAllRows,
  ),
  ownRule(
    'one-row-meant',
    'no condition is on a table that the question asks for besides its noun: which of its rows is meant',
    meansOneRow,
  ),
];
