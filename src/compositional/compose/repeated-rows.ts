import { columnKey, type Database } from '../../schema/schema.js';
import { columnsOf, isAggregated, starsOf, type TableUse, useKey } from '../clauses/clause-parts.js';
import { type Clause, type ClauseColumn, type ClauseQuery, hasKind } from '../clauses/clause.js';
import { type JoinPlan, planOf } from '../clauses/join-plan.js';
import { keptClauses } from './composition-rule.js';
import type { Composition } from './composition.js';
import { equatedColumns } from './element.js';
import { countsRows } from './logic-rules.js';
import { haveSameRows, type JoinContext } from './settle-joins.js';

/** The rule of rows that a join repeats by its id, for people. */
export const ROWS_ONCE_RULE = {
  id: 'rows-once',
  says: 'an element joins no table that repeats what is asked for: names and keys are asked for with DISTINCT then, and nothing else, no number and no order is composed',
} as const;

const NAMES = /(?:^|[^\p{L}]|fore|sur)(?:name|title)s?$/iu;

function nameOf({ table, column }: ClauseColumn, { tables }: Database): string {
  return tables[table]?.columns[column]?.name ?? '';
}

/** The columns of a table's primary key, by their keys. */
function primaryOf(table: number, { primaryKeys }: Database): readonly string[] {
  return primaryKeys.filter((key) => key.table === table).map(columnKey);
}

/** Checks whether a column's value names one row of its table: the whole primary key, or a name. */
function identifies(column: ClauseColumn, database: Database): boolean {
  const primary = primaryOf(column.table, database);
  return (primary.length === 1 && primary[0] === columnKey(column)) || NAMES.test(nameOf(column, database));
}

/** Checks whether a table has nothing but its key and the keys of the tables that it links. */
function isLink(table: number, { tables, foreignKeys, ...database }: Database): boolean {
  const foreign = foreignKeys.filter(({ from }) => from.table === table).map(({ from }) => columnKey(from));
  const known = new Set([...foreign, ...primaryOf(table, { tables, foreignKeys, ...database })]);
  const columns = tables[table]?.columns ?? [];
  return foreign.length > 1 && columns.every((_, column) => known.has(columnKey({ table, column })));
}

/** The joins of a query with what its conditions give. */
interface PlannedQuery {
  readonly plan: JoinPlan;
  readonly equated: readonly ClauseColumn[];
  readonly database: Database;
}

/** Keys of the columns of a use of which a row before it gives the value, or a condition. */
function givenOf(
  use: TableUse,
  before: ReadonlySet<string>,
  { plan, equated, database }: PlannedQuery,
): ReadonlySet<string> {
  const isOwn = (end: TableUse): boolean => useKey(end) === useKey(use);
  const pinned = new Set(equated.filter((column) => identifies(column, database)).map(useKey));
  const joined = plan.edges.flatMap(({ from, to }) => {
    const [own, other] = isOwn(from) ? [from, to] : [to, from];
    return isOwn(own) && (before.has(useKey(other)) || pinned.has(useKey(other))) ? [own] : [];
  });
  return new Set([...joined, ...equated.filter(isOwn)].map(columnKey));
}

/** Checks whether a row has one row of a further table at most: by its key, or as a link to a row that is given. */
function isOne(use: TableUse, before: ReadonlySet<string>, planned: PlannedQuery): boolean {
  const { database } = planned;
  const given = givenOf(use, before, planned);
  const primary = primaryOf(use.table, database);
  if (primary.length > 0 && primary.every((key) => given.has(key))) return true;
  if (database.foreignKeys.some(({ to }) => to.table === use.table && given.has(columnKey(to)))) return true;
  const foreign = database.foreignKeys.filter(({ from }) => from.table === use.table);
  return isLink(use.table, database) && foreign.every(({ from }) => given.has(columnKey(from)));
}

/** The uses of tables of which each row that is asked for has several, found along the joins. */
function repeatingUses(asked: readonly TableUse[], planned: PlannedQuery): readonly TableUse[] {
  const { plan } = planned;
  const seen = new Set(asked.map(useKey));
  const found: TableUse[] = [];
  for (;;) {
    const next = plan.uses.find(
      (use) =>
        !seen.has(useKey(use)) &&
        plan.edges.some(
          ({ from, to }) =>
            (useKey(from) === useKey(use) && seen.has(useKey(to))) ||
            (useKey(to) === useKey(use) && seen.has(useKey(from))),
        ),
    );
    if (next === undefined) return found;
    if (!isOne(next, seen, planned)) found.push(next);
    seen.add(useKey(next));
  }
}

const selectsOf = (clauses: readonly Clause[]): readonly Clause[] => clauses.filter(({ kind }) => kind === 'select');

/** The uses of tables that are asked for, or whose rows are counted. */
function askedUses(clauses: readonly Clause[], kept: JoinPlan | null): readonly TableUse[] {
  return selectsOf(clauses).flatMap((clause) => [
    ...columnsOf(clause),
    ...starsOf(clause).flatMap(({ table }) => (table === null ? (kept?.uses ?? []) : [{ table, copy: 0 }])),
  ]);
}

/** Checks whether a table that the element brings repeats what is asked for, and is still joined. */
function repeats(draft: Composition, settled: Composition, { database, keys }: JoinContext): boolean {
  const { clauses } = draft.aligned.query;
  const [plan, left, kept] = [clauses, settled.aligned.query.clauses, keptClauses(draft)].map((list) =>
    planOf(list, keys),
  );
  if (plan == null || left == null) return false;
  const known = new Set((kept?.uses ?? []).map(useKey));
  const joined = new Set(left.uses.map(useKey));
  const isEither = clauses.some((clause) => clause.kind === 'condition' && clause.connective === 'or');
  const planned = { plan, equated: isEither ? [] : equatedColumns(clauses), database };
  return repeatingUses(askedUses(clauses, kept ?? null), planned).some(
    (use) => !known.has(useKey(use)) && joined.has(useKey(use)),
  );
}

/** Checks whether a query gives rows of what is asked for that a join could repeat: not the first alone, no groups. */
function canRepeat({ distinct, clauses }: ClauseQuery): boolean {
  if (distinct || hasKind(clauses, 'set') || hasKind(clauses, 'group')) return false;
  const selects = selectsOf(clauses);
  if (selects.some(isAggregated)) return selects.some(countsRows);
  return !clauses.some((clause) => clause.kind === 'limit' && clause.count === 1);
}

/**
 * The rows of what is asked for with their keys, in no order: by these, rows that a join repeats show.
 * @param asked the uses of tables that were asked for before joins were settled
 */
function rowsAsked({ clauses }: ClauseQuery, asked: readonly TableUse[], { database, keys }: JoinContext): ClauseQuery {
  const joined = planOf(clauses, keys)?.uses ?? [];
  const left = joined.filter((use) => asked.some((one) => useKey(one) === useKey(use)));
  const primary = left.flatMap(({ table, copy }) =>
    database.primaryKeys
      .filter((key) => key.table === table)
      .map(({ column }): Clause => ({ kind: 'select', value: { kind: 'column', table, column, copy } })),
  );
  const others = clauses.filter(({ kind }) => kind !== 'select' && kind !== 'order' && kind !== 'limit');
  const related = joined.map(({ table, copy }): Clause => ({ kind: 'related', table, copy })); // an order's table, too
  return { distinct: false, clauses: [...selectsOf(clauses), ...primary, ...related, ...others] };
}

/**
 * A composition whose joins are settled, with DISTINCT where a table that its element brings repeats names or keys that
 * are asked for ("singers that have songs"). Null where it repeats something else: of the mana costs of two cards,
 * DISTINCT would leave one, and a number would count a row twice.
 */
export async function withRowsOnce(
  draft: Composition,
  settled: Composition,
  context: JoinContext,
): Promise<Composition | null> {
  const { query } = settled.aligned;
  if (!canRepeat(query) || !repeats(draft, settled, context)) return settled;
  const selects = selectsOf(draft.aligned.query.clauses);
  if (selects.some(isAggregated)) return null;
  const rows = rowsAsked(query, selects.flatMap(columnsOf), context);
  if ((await haveSameRows([rows, { ...rows, distinct: true }], context)) === true) return settled;
  const isNamed = selects.flatMap(columnsOf).some((column) => identifies(column, context.database));
  if (!isNamed || hasKind(query.clauses, 'order') || hasKind(query.clauses, 'limit')) return null;
  return { ...settled, aligned: { ...settled.aligned, query: { ...query, distinct: true } } };
}
