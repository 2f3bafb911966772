import { countsDuplicates } from '../../sql/aggregates.js';
import { columnKey } from '../../schema/schema.js';
import { type Clause, type ClauseColumn, hasKind } from '../clauses/clause.js';
import {
  allValuesOf,
  clauseKey,
  columnsOf,
  isAggregated,
  nestedQueriesOf,
  tablesOf,
  usesIn,
} from '../clauses/clause-parts.js';
import { allowsCompound, needsCompound } from './compound-need.js';
import {
  areAtOdds,
  compareOneTwice,
  comparesWithExtreme,
  isAlwaysTrue,
  requiredTests,
  valueColumn,
} from './comparison-facts.js';
import { APPENDIX_A, type CompositionRule, ownRule, type RuleCase } from './composition-rule.js';
import type { CompositionalElement } from './element.js';

/** Checks whether a clause says which rows are meant. */
export const restricts = ({ kind }: Clause): boolean => kind === 'condition' || kind === 'set';

function repeats({ kept, element }: RuleCase): boolean {
  const known = new Set(kept.filter(restricts).map(clauseKey));
  return element.clauses.some((clause) => restricts(clause) && known.has(clauseKey(clause)));
}

/** Checks whether a clause denies that there are rows. */
export function isNegation(clause: Clause): boolean {
  if (clause.kind === 'set') return clause.operator === 'except';
  return clause.kind === 'condition' && clause.test.kind === 'comparison' && clause.test.negated;
}

/**
 * "students that do not have any student", "connected atoms that are not connected": nothing is left of what is asked
 * for.
 */
function negatesContent({ kept, element }: RuleCase): boolean {
  const compared = element.clauses.flatMap((clause) =>
    clause.kind === 'condition' && clause.test.kind === 'comparison' && clause.test.left?.kind === 'column'
      ? [clause.test.left.table]
      : [],
  );
  const asked = new Set([...kept.filter(({ kind }) => kind === 'select').flatMap(tablesOf), ...compared]);
  return element.clauses.filter(isNegation).some((clause) =>
    nestedQueriesOf(clause).some(({ clauses }) => {
      const tables = clauses.flatMap(tablesOf);
      return tables.length > 0 && tables.every((table) => asked.has(table)) && !clauses.some(restricts);
    }),
  );
}

function groupsOf(clauses: readonly Clause[]): string {
  return clauses
    .flatMap((clause) => (clause.kind === 'group' ? [clauseKey(clause)] : []))
    .sort()
    .join();
}

function groupsAlike({ kept, element }: RuleCase): boolean {
  const [before, own] = [groupsOf(kept), groupsOf(element.clauses)];
  return before === '' || own === '' || before === own;
}

/** Columns of which a list of clauses takes the first, the least or the most, in nested queries too. */
function chosenBy(clauses: readonly Clause[]): readonly (string | null)[] {
  const limited = clauses.some(({ kind }) => kind === 'limit');
  const ordered = clauses.flatMap((clause) =>
    clause.kind === 'order' && limited ? [valueColumn(clause.value) ?? clauseKey(clause)] : [],
  );
  const nested = clauses.flatMap((clause) => (clause.kind === 'condition' ? nestedQueriesOf(clause) : []));
  return [...ordered, ...nested.flatMap((query) => chosenBy(query.clauses))];
}

/**
 * A column that is ordered by with a limit, or compared with a nested query: "the oldest", "older than the average".
 */
function extremes({ clauses }: RuleCase): readonly (string | null)[] {
  return [
    ...chosenBy(clauses),
    ...requiredTests(clauses).flatMap(({ column, literal }) => (literal === null ? [column] : [])),
  ];
}

/** "scores above 90 and with the highest score": the first by a column whose range a condition limits. */
function choosesWithinRange({ clauses }: RuleCase): boolean {
  const chosen = new Set(chosenBy(clauses));
  return requiredTests(clauses).some(({ column, operator }) => chosen.has(column) && operator !== '!=');
}

/** "has the lowest view and the latest account": the first of all by two orders is hardly one row. */
const takesFirst = (clauses: readonly Clause[]): boolean => hasKind(clauses, 'limit') || comparesWithExtreme(clauses);

function contradicts(given: RuleCase): boolean {
  const [before, own] = [requiredTests(given.kept), requiredTests(given.element.clauses)];
  // Under OR a condition of several tests, BETWEEN, is not what one of them is.
  const isOdd = given.connective !== 'or' ? areAtOdds : before.length + own.length === 2 ? isAlwaysTrue : () => false;
  const isOfOneRow = given.connective === 'or' || !needsCompound(given);
  if (isOfOneRow && before.some((a) => own.some((b) => isOdd(a, b)))) return true;
  if (given.connective !== 'or' && isOfOneRow && compareOneTwice(given.kept, given.element.clauses)) return true;
  if (given.connective !== 'or' && takesFirst(given.kept) && takesFirst(given.element.clauses)) return true;
  const found = extremes(given);
  return new Set(found).size < found.length || choosesWithinRange(given);
}

const NAME_OF = /(?<!\p{L})names?\s+of\s+(?:(?:the|all|each|every)\s+)*\p{L}+\s*$/iu;

/** "the names of districts with accounts from district 5": all that is asked for is of a row that is given. */
function asksOfGiven(
  { nounTables }: CompositionalElement,
  kept: readonly Clause[],
  { pickedTables }: CompositionalElement,
): boolean {
  const asked = kept.flatMap((clause) => (clause.kind === 'select' ? tablesOf(clause) : []));
  return (
    asked.length > 0 &&
    nounTables.length > 0 &&
    asked.every((table) => pickedTables.includes(table) && !nounTables.includes(table))
  );
}

/** "the name of the employees named Mark Young": what is asked for is given (the paper's Table 1). */
function tellsItsAnswer({ connective, base, kept, element, clauses }: RuleCase): boolean {
  if (element.namesNoun && NAME_OF.test(base.source.question.slice(0, base.start))) return true;
  const selected = new Set(kept.flatMap((clause) => (clause.kind === 'select' ? [valueColumn(clause.value)] : [])));
  // "Names of students who have a cat or who are named Ann": one side of "or" tells it where nothing else is asked for.
  if (connective === 'or' && selected.size > 1) return false;
  if (connective !== 'or' && asksOfGiven(base, kept, element)) return true;
  const tests = connective === 'or' ? requiredTests(element.clauses) : requiredTests(clauses);
  return tests.some(({ column, operator, literal }) => operator === '=' && literal !== null && selected.has(column));
}

const brings = (clauses: readonly Clause[], known: ReadonlySet<string>): boolean =>
  [...usesIn(clauses)].some((use) => !known.has(use));

/** Checks whether a clause counts rows, which a further join would make more of; MIN, MAX and DISTINCT do not mind. */
export function countsRows(clause: Clause): boolean {
  return allValuesOf(clause).some((value) => value.kind === 'call' && countsDuplicates(value.name) && !value.distinct);
}

/** Neither part brings a table into what the other counts, unless the element's own question counts over it. */
function countsTheSameRows(given: RuleCase): boolean {
  const { kept, element } = given;
  if (needsCompound(given)) return true;
  const isCounted = kept.some(countsRows) && brings(element.clauses, usesIn(kept));
  const isLikewise = element.rest.some(countsRows) && !brings(kept, usesIn([...element.rest, ...element.clauses]));
  if (isCounted && !isLikewise) return false;
  const own = new Set([...usesIn(element.clauses), ...usesIn(element.rest)]);
  return !element.clauses.some(countsRows) || !brings(kept, own);
}

/**
 * A number over all rows has no groups to choose from, and no order: "how many airlines" with "more than 200 flights".
 */
function choosesAmongRows({ kept, element }: RuleCase): boolean {
  const selected = kept.filter(({ kind }) => kind === 'select');
  const isOneNumber = selected.length > 0 && selected.every(isAggregated) && !hasKind(kept, 'group');
  if (!isOneNumber) return true;
  return !element.clauses.some(
    (clause) => clause.kind === 'order' || (clause.kind !== 'select' && isAggregated(clause)),
  );
}

const selectsOf = (clauses: readonly Clause[]): string =>
  clauses.flatMap((clause) => (clause.kind === 'select' ? [clauseKey(clause)] : [])).join();

/** Checks whether clauses put in order by what others select alone. */
function ordersSelected(clauses: readonly Clause[], selecting: readonly Clause[]): boolean {
  const selected = new Set(
    selecting.flatMap((clause) => (clause.kind === 'select' ? [JSON.stringify(clause.value)] : [])),
  );
  return clauses.every((clause) => clause.kind !== 'order' || selected.has(JSON.stringify(clause.value)));
}

/** A term of a compound that says what it selects fits where as much is selected; an order goes by what is selected. */
function fitsCompound({ base, element, kept, clauses }: RuleCase): boolean {
  const sets = [...kept, ...element.clauses].filter((clause) => clause.kind === 'set');
  if (sets.length === 0) return true;
  if (kept.some((clause) => clause.kind === 'select' && isAggregated(clause))) return false;
  const own = element.clauses.some(({ kind }) => kind === 'set') ? element.rest : base.rest;
  const isOwn = sets.some(({ query }) => query.clauses.some(({ kind }) => kind === 'select'));
  if (isOwn && selectsOf(own) !== selectsOf(kept)) return false;
  if (sets.some(({ operator }) => operator.startsWith('union')) && kept.some(({ kind }) => kind === 'set'))
    return false;
  return ordersSelected(clauses, kept);
}

/**
 * "sorted by their frequency": how often what is asked for occurs; behind another question it would be of another
 * thing.
 */
function countsWhatIsAsked({ kept, element }: RuleCase): boolean {
  const isOfNoun = (clause: Clause): boolean => tablesOf(clause).some((table) => element.nounTables.includes(table));
  const groups = element.clauses.filter((clause) => clause.kind === 'group' && isOfNoun(clause));
  if (groups.length === 0 || usesIn(element.clauses).size > 1) return true;
  const valueKey = (clause: Clause): string =>
    allValuesOf(clause)
      .map((value) => JSON.stringify(value))
      .join();
  const selected = new Set(kept.flatMap((clause) => (clause.kind === 'select' ? [valueKey(clause)] : [])));
  return groups.every((group) => selected.has(valueKey(group)));
}

/**
 * "the texts of the documents that have two paragraphs": a group of rows has one value of what names the group alone.
 */
function asksOnePerGroup({ kept, element }: RuleCase): boolean {
  const groups = element.clauses.flatMap((clause) => (clause.kind === 'group' ? columnsOf(clause).map(columnKey) : []));
  if (groups.length === 0 || hasKind(kept, 'group')) return true;
  const isOne = (column: ClauseColumn): boolean =>
    element.groupTables.includes(column.table) || groups.includes(columnKey(column));
  return kept.every((clause) => clause.kind !== 'select' || isAggregated(clause) || columnsOf(clause).every(isOne));
}

/** "documents with two paragraphs" are groups of paragraphs: without them, paragraphs would be asked for. */
function keepsItsGroups({ kind, connective, base, element }: RuleCase): boolean {
  if (!base.asksGroups || (kind === 'APP' && connective === 'and')) return true;
  return groupsOf(base.clauses) === groupsOf(element.clauses);
}

/** "flights to Aberdeen and landing at APG": the value of a key picks one row, of which nothing more can be chosen. */
function choosesOnce({ connective, base, kept, element }: RuleCase): boolean {
  const isNumber = kept.some((clause) => clause.kind === 'select' && isAggregated(clause));
  if (isNumber && element.pickedTables.some((table) => base.nounTables.includes(table))) return false;
  if (connective !== 'and') return true;
  const isAbout = (clauses: readonly Clause[], picked: readonly number[]): boolean =>
    clauses.some((clause) => clause.kind === 'condition' && tablesOf(clause).some((table) => picked.includes(table)));
  const isFirst = (first: readonly Clause[], picked: readonly number[]): boolean =>
    takesFirst(first) && picked.some((table) => base.nounTables.includes(table));
  if (isFirst(base.clauses, element.pickedTables) || isFirst(element.clauses, base.pickedTables)) return false;
  return !isAbout(base.clauses, element.pickedTables) && !isAbout(element.clauses, base.pickedTables);
}

/** DISTINCT rows have no order by what they don't show: "the different countries, by age". */
function ordersWhatIsShown({ base, kept, element }: RuleCase): boolean {
  if (!base.source.query.distinct) return true;
  return ordersSelected(element.clauses, kept);
}

const appendixA = (id: string, says: string, holds: CompositionRule['holds']): CompositionRule => ({
  id,
  group: 'logic',
  source: APPENDIX_A,
  says,
  holds,
});

/** No composed example contradicts itself, and its query means what its question says. */
export const LOGIC_RULES: readonly CompositionRule[] = [
  appendixA('no-repeated-condition', 'no condition twice', (given) => !repeats(given)),
  appendixA('no-negated-content', 'what is asked for is not denied', (given) => !negatesContent(given)),
  appendixA('same-grouping', 'GROUP BY of both parts is the same, where both have one', groupsAlike),
  ownRule(
    'no-contradiction',
    'no two conditions on a column that exclude or repeat each other',
    (given) => !contradicts(given),
  ),

  ownRule('answer-not-given', 'no column asked for is given by a condition', (given) => !tellsItsAnswer(given)),
  ownRule('same-rows-counted', 'no part brings a table into what the other counts', countsTheSameRows),
  ownRule(
    'groups-to-choose',
    'no condition on groups, and no order, where a number over all rows is asked for',
    choosesAmongRows,
  ),
  ownRule('same-groups-asked', 'what an element counts by its own groups is what is asked for', countsWhatIsAsked),
  ownRule('one-per-group', 'what is asked for is one of each group that an element forms', asksOnePerGroup),
  ownRule('groups-kept', 'groups that are asked for stay groups', keepsItsGroups),

  ownRule(
    'one-row',
    'no further condition on a table of which the value of a key picks one row, and no count of that row',
    choosesOnce,
  ),
  ownRule(
    'compound',
    'the terms of a compound select the same plain columns, and its order is one of those',
    fitsCompound,
  ),
  ownRule('distinct-order', 'different rows are put in order by what is selected', ordersWhatIsShown),
  ownRule(
    'compound-possible',
    'conditions that need a UNION or INTERSECT, as they are on further tables, have one: plain columns in no order',
    (given) => !needsCompound(given) || allowsCompound(given),
  ),
];
