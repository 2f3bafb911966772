import { columnKey } from '../../schema/schema.js';
import { type Clause, hasKind } from '../clauses/clause.js';
import {
  allValuesOf,
  clauseKey,
  columnsOf,
  comparisonsOf,
  isAggregated,
  starsOf,
  useKey,
  usesIn,
  valuesWithin,
} from '../clauses/clause-parts.js';
import { type CompositionRule, ownRule, type RuleCase } from './composition-rule.js';

const ALL_OF = /(?<!\p{L})(?:all|every|each)\s+(?![^]*(?<!\p{L})about(?!\p{L}))/iu;

/** Checks whether clauses choose one row, by an order or by the one of a nested query. */
function takesOne(clauses: readonly Clause[]): boolean {
  return clauses.some(
    (clause) =>
      (clause.kind === 'limit' && clause.count === 1) ||
      (clause.kind === 'condition' &&
        comparisonsOf(clause).some(
          ({ operator, right }) =>
            operator === '=' && right.some((value) => value.kind === 'query' && takesOne(value.query.clauses)),
        )),
  );
}

/** "all students with the highest GPA", of which there is one. */
function takesOneOfAll({ base, element }: RuleCase): boolean {
  return (
    takesOne(element.clauses) && base.noun?.isPlural !== false && ALL_OF.test(base.source.question.slice(0, base.start))
  );
}

/** "the countries with the lowest population", of which the element's own question had one. */
function takesOneOfSeveral({ base, element }: RuleCase): boolean {
  return base.noun?.isPlural === true && element.noun?.isPlural !== true && takesOne(element.clauses);
}

/** Tables of which an aggregate of a clause takes an average, or that the rows it divides by are of. */
function averagedTables(clause: Clause): readonly number[] {
  const averaged = allValuesOf(clause).flatMap((value) => {
    if (value.kind === 'call' && value.name === 'avg') return value.args;
    return value.kind === 'arithmetic' && value.operator === '/' && isAggregated(clause) ? [value.right] : [];
  });
  return averaged.flatMap(valuesWithin).flatMap((value) => (value.kind === 'column' ? [value.table] : []));
}

/** "the average number of badges of the user named Emmett": of one row there is no average. */
function averagesOne({ connective, kept, element }: RuleCase): boolean {
  const { nounTables, pickedTables, namesNoun, clauses } = element;
  if (connective === 'or') return false;
  const picked = namesNoun || takesOne(clauses) ? [...nounTables, ...pickedTables] : pickedTables;
  return kept.some((clause) => {
    const tables = clause.kind === 'select' ? averagedTables(clause) : [];
    return tables.length > 0 && tables.every((table) => picked.includes(table));
  });
}

const inherits = (clauses: readonly Clause[]): boolean => !hasKind(clauses, 'select');
const isShared = (clause: Clause): boolean =>
  clause.kind === 'set' &&
  clause.operator !== 'union' &&
  clause.operator !== 'union all' &&
  inherits(clause.query.clauses);

/** INTERSECT and EXCEPT compare what is selected: colors that two schools share are not one school's. */
function comparesRows({ kept, element }: RuleCase): boolean {
  if (!element.clauses.some(isShared)) return true;
  const selected = new Set(kept.flatMap((clause) => (clause.kind === 'select' ? [clauseKey(clause)] : [])));
  return [...element.selectedKeys].every((key) => selected.has(key));
}

/** "documents named X and in the most popular type": which of all types that is, the other conditions don't say. */
function choosesGroupOfAll({ base, element, clauses, kept }: RuleCase): boolean {
  const groups = clauses.filter(({ kind }) => kind === 'group');
  const chooses = clauses.some((clause) => clause.kind === 'order' && isAggregated(clause));
  if (groups.length === 0 || !chooses || !hasKind(clauses, 'condition')) return true;
  const isOfNoun = [...base.groupTables, ...element.groupTables].some((table) => base.nounTables.includes(table));
  const selected = new Set(
    kept.flatMap((clause) => (clause.kind === 'select' ? columnsOf(clause) : [])).map(columnKey),
  );
  return isOfNoun || groups.some((clause) => columnsOf(clause).some((column) => selected.has(columnKey(column))));
}

/** "how many exhibitions", counted in their records: without the condition on these, exhibitions would be counted. */
function countsTheNoun({ kind, base, kept, element }: RuleCase): boolean {
  if (kind === 'APP' || base.nounTables.length === 0) return true;
  const [left, replaced] = [usesIn(element.clauses), usesIn(base.clauses)];
  return !kept.some((clause) =>
    starsOf(clause).some(({ table }) => {
      if (table === null || base.nounTables.includes(table)) return false;
      const use = useKey({ table, copy: 0 });
      return replaced.has(use) && !left.has(use);
    }),
  );
}

/** "for each artist and that had a high price": what only groups is no condition that another could follow, or be one. */
const appendsToCondition = ({ kind, base, element }: RuleCase): boolean =>
  kind === 'SUB' || [base, element].every(({ clauses }) => clauses.some((clause) => clause.kind !== 'group'));

/**
 * Each value, number, name, superlative, comparison and denial of the text has its clause, and the other way around.
 */
function saysItsClauses({ kind, base, element }: RuleCase): boolean {
  return element.concord.element && (kind === 'SUB' ? base.concord.rest : base.concord.whole);
}

/** Rules that the rest of a question suits the element. */
export const WORDING_RULES: readonly CompositionRule[] = [
  ownRule(
    'words-as-clauses',
    'each value, number, name, superlative, comparison and denial of the text has its clause, and the other way around',
    saysItsClauses,
  ),
  ownRule(
    'selected-said',
    'what is selected is of a table that its question names, and told by other words than those of an element that goes: not "goals" of "by Parma as an away team"',
    ({ kind, base }) => !base.asksNamesake && (kind === 'APP' || !base.asksHalf),
  ),
  ownRule('one-not-all', 'the first by an order is not asked of "all" or "each"', (given) => !takesOneOfAll(given)),
  ownRule(
    'one-not-several',
    'one row by an order is not asked of several where the element’s own question is of one: "the countries with the lowest population"',
    (given) => !takesOneOfSeveral(given),
  ),
  ownRule(
    'average-of-several',
    'no average and no rate is of one row that an element picks',
    (given) => !averagesOne(given),
  ),
  ownRule(
    'rows-compared',
    'INTERSECT and EXCEPT compare by what the element’s own question selects: its names and keys, where it has some',
    comparesRows,
  ),
  ownRule(
    'group-of-all',
    'no other condition is next to the group that has most rows, unless it is what is asked for',
    choosesGroupOfAll,
  ),
  ownRule(
    'condition-before',
    'nothing is appended to what only groups ("for each artist"), nor that to anything',
    appendsToCondition,
  ),
  ownRule(
    'noun-counted',
    'where an element goes, what is counted are the noun’s rows, not those it was about',
    countsTheNoun,
  ),
];
