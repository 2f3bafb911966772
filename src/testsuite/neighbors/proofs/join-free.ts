import { zip } from '../../../present.js';
import { isAggregate } from '../../../sql/aggregates.js';
import { columnAt, columnKey } from '../../../schema/schema.js';
import { sameTarget } from '../../../sql/name-context.js';
import { baseOf, type ColumnTarget, type ScopeSource } from '../../../sql/scope.js';
import type { Gold } from '../change.js';
import { isNamedOutside, type JoinSite } from '../join-sites.js';
import { conjunctsOf, onCondition } from '../../../sql/ast-walk.js';
import { columnOf, conditionsOf, hasOuterJoin, isNeverNull, presentColumns } from './conditions.js';
import { countsNoDuplicates } from './duplicate-free.js';
import { tellsValue } from './joined-columns.js';
import type { Expression } from '../../../sql/ast.js';
import type { CoreSite } from '../query-sites.js';
import { countTest } from './integer-test.js';
import { foldName } from '../../../sql/dialect.js';

/** The only column of a table that a query names; null where there are several, or none. */
function onlyColumn({ query }: Gold, source: ScopeSource): ColumnTarget | null {
  const targets = query.names.flatMap(({ found }) => {
    const target = found?.target;
    return target !== undefined && 'source' in target && target.source === source ? [target] : [];
  });
  const [first] = targets;
  const isOne = targets.every(
    (each) => each.kind === 'column' && first?.kind === 'column' && each.column === first.column,
  );
  return isOne && first?.kind === 'column' ? first : null;
}

/** Checks whether a column refers to another by a foreign key of one column, and the name and type are the same. */
function isTwin({ facts, database }: Gold, child: ColumnTarget, parent: ColumnTarget): boolean {
  if (child.source.relation.table === null || parent.source.relation.table === null) return false;
  const [from, to] = [baseOf(child.column), baseOf(parent.column)];
  if (from === null || to === null) return false;
  const [name, other] = [from, to].map((ref) => foldName(columnAt(database, ref).originalName));
  const [before, after] = [from, to].map((ref) => facts.affinities.get(columnKey(ref)));
  const isSame = name === other && before !== undefined && before === after && before !== 'BLOB';
  return (
    isSame &&
    facts.references.some((reference) => {
      const [first, second] = [reference.from[0], reference.to[0]];
      if (reference.from.length !== 1 || first === undefined || second === undefined) return false;
      return columnKey(first) === columnKey(from) && columnKey(second) === columnKey(to);
    })
  );
}

/**
 * Why a table may be read twice in the place of the table that its foreign key refers to, or null: of the parent only
 * the key is read, which the child has, too.
 */
export function childStandsIn(gold: Gold, core: CoreSite, source: ScopeSource, table: number): string | null {
  const { from } = core.node;
  const own = onlyColumn(gold, source);
  if (own === null || from === null || hasOuterJoin(from) || !countsNoDuplicates(gold, core)) return null;
  const isJoined = conditionsOf(core).some((node) => {
    if (node.kind !== 'binary' || (node.operator !== '=' && node.operator !== '==')) return false;
    const sides = [columnOf(gold, core, node.left), columnOf(gold, core, node.right)];
    const child = sides.find((side) => side?.source.relation.table === table && side.source !== source);
    return child != null && sides.some((side) => side?.source === source) && isTwin(gold, child, own);
  });
  return isJoined ? 'of the parent only the key is read, which its child has' : null;
}

/** Checks whether rows that a LEFT JOIN fills up with NULL are dropped by a condition further on. */
function dropsFilledUp(gold: Gold, site: JoinSite): boolean {
  if (site.later.some(({ type }) => type === 'right' || type === 'full')) return false;
  const inner = site.later.filter(({ type }) => type !== 'left');
  const conditions = [...inner.map(onCondition), site.core.node.where].flatMap(conjunctsOf);
  return conditions.some((condition) => {
    return presentColumns(gold, site.core, condition).some(({ source }) => source === site.right);
  });
}

/** The columns of a foreign key and of the parent's key that a join's condition compares, and nothing else. */
interface KeyJoin {
  readonly children: readonly ColumnTarget[];
  readonly parents: readonly ColumnTarget[];
}

/** A join's condition as pairs of columns, of other tables and of the source; null where it says more. */
function pairsOf(gold: Gold, { core, node }: JoinSite, source: ScopeSource): [ColumnTarget, ColumnTarget][] | null {
  const conditions = conjunctsOf(onCondition(node));
  const pairs = conditions.map((condition): [ColumnTarget, ColumnTarget] | null => {
    if (condition.kind !== 'binary' || (condition.operator !== '=' && condition.operator !== '==')) return null;
    const [a, b] = [columnOf(gold, core, condition.left), columnOf(gold, core, condition.right)];
    if (a === null || b === null || (a.source === source) === (b.source === source)) return null;
    return a.source === source ? [b, a] : [a, b];
  });
  return pairs.length === 0 || pairs.includes(null) ? null : (pairs as [ColumnTarget, ColumnTarget][]);
}

const refKey = ({ column }: ColumnTarget): string => {
  const ref = baseOf(column);
  return ref === null ? '' : columnKey(ref);
};

/**
 * Checks whether a join's condition is a foreign key to a table: its pairs are those of the key, all from one other
 * table.
 */
function isReference({ facts }: Gold, { children, parents }: KeyJoin): boolean {
  if (new Set(children.map(({ source }) => source)).size !== 1) return false;
  if ([...children, ...parents].some(({ source }) => source.relation.table === null)) return false;
  return facts.references.some(({ from, to }) => {
    if (from.length !== children.length) return false;
    const pairs = zip(children, parents);
    return zip(from, to).every(([ref, other]) => {
      const pair = pairs.find(([child]) => refKey(child) === columnKey(ref));
      return pair !== undefined && refKey(pair[1]) === columnKey(other);
    });
  });
}

/** Checks whether the rows of a table that meet all pairs are one at most. */
function isUnique({ facts }: Gold, source: ScopeSource, columns: readonly ColumnTarget[]): boolean {
  if (source.relation.table === null) return false;
  const known = new Set(columns.map(refKey));
  return facts.keys.some(
    (key) => key[0]?.table === source.relation.table && key.every((ref) => known.has(columnKey(ref))),
  );
}

/** Checks whether the joins to the left of one fill up nothing, so that a column without NULL has none there. */
function isInnerBefore({ node }: JoinSite): boolean {
  for (let at = node.left; at.kind === 'join' || at.kind === 'group';) {
    if (at.kind === 'group' || ['left', 'right', 'full'].includes(at.type)) return false;
    at = at.left;
  }
  return true;
}

/** Checks whether each row of the one side finds a row of `source`, the other side: its foreign key is never NULL. */
function alwaysFinds(gold: Gold, site: JoinSite, source: ScopeSource): boolean {
  const pairs = pairsOf(gold, site, source);
  if (pairs === null || !isInnerBefore(site)) return false;
  const key = { children: pairs.map(([child]) => child), parents: pairs.map(([, parent]) => parent) };
  return isReference(gold, key) && key.children.every((child) => gold.facts.notNull.has(refKey(child)));
}

/** Checks whether each row of the one side finds one row of `source` at most. */
function findsOne(gold: Gold, site: JoinSite, source: ScopeSource): boolean {
  const pairs = pairsOf(gold, site, source);
  if (pairs === null) return false;
  const parents = pairs.map(([, parent]) => parent);
  return isUnique(gold, source, parents) && pairs.every(([child, parent]) => tellsValue(gold, child, parent));
}

/**
 * Checks whether all that is selected are aggregates of a joined table's columns over all rows: they pass over NULL.
 */
function readsPresentOnly(gold: Gold, { core, right }: JoinSite): boolean {
  const { columns, groupBy, having } = core.node;
  if (groupBy.length > 0 || having !== null || core.select.node.orderBy.length > 0) return false;
  return columns.every((column) => {
    if (column.kind !== 'result' || !isAggregate(column.expression)) return false;
    const { args, filter, orderBy } = column.expression;
    const [arg] = args;
    if (arg === undefined || args.length > 1 || filter !== null || orderBy.length > 0) return false;
    return columnOf(gold, core, arg)?.source === right;
  });
}

/** Checks whether a join only asks whether there is a row on its right, and each row on its left finds one. */
function asksNothing(gold: Gold, site: JoinSite): boolean {
  const { core, node, right, later } = site;
  const span = node.constraint?.span;
  if (span === undefined || node.type !== 'inner' || later.length > 0 || !countsNoDuplicates(gold, core)) return false;
  return !isNamedOutside(gold, site, right, span) && alwaysFinds(gold, site, right);
}

const FINDS = 'each row finds another either way, and it counts no duplicates';

/** Why a join is the same without its condition, or null. */
export function conditionIsFree(gold: Gold, site: JoinSite): string | null {
  return asksNothing(gold, site) ? FINDS : null;
}

/** Why a join is the same with another column in its condition, or null. */
export function otherConditionIsFree(
  gold: Gold,
  site: JoinSite,
  before: ColumnTarget,
  after: ColumnTarget,
): string | null {
  const pairs = pairsOf(gold, site, site.right);
  const [pair] = pairs ?? [];
  if (pair === undefined || pairs?.length !== 1 || !asksNothing(gold, site)) return null;
  const [child, parent] = pair.map((target) => (sameTarget(target, before) ? after : target)) as [
    ColumnTarget,
    ColumnTarget,
  ];
  const isFull = gold.facts.notNull.has(refKey(child)) && child.source.relation.table !== null;
  const isAcross = child.source !== site.right && parent.source === site.right;
  const isKey = isAcross && isReference(gold, { children: [child], parents: [parent] });
  const finds = sameTarget(child, parent) || isKey;
  return isFull && finds ? FINDS : null;
}

/** Why a join is the same as inner and as left join, or null. */
export function leftIsInner(gold: Gold, site: JoinSite): string | null {
  if (dropsFilledUp(gold, site)) return 'a later condition drops rows without a partner';
  if (readsPresentOnly(gold, site)) return 'aggregates pass over the NULL of rows without a partner';
  if (alwaysFinds(gold, site, site.right)) return 'a foreign key that is never NULL always finds its row';
  return groupsDropFilledUp(gold, site) ?? setDropsFilledUp(gold, site);
}

/** Why a query is the same without a joined table that nothing else names, or null. */
export function joinIsFree(gold: Gold, site: JoinSite, source: ScopeSource): string | null {
  const { columns } = site.core.node;
  if (columns.some(({ kind }) => kind === 'star') || !findsOne(gold, site, source)) return null;
  if (site.node.type === 'left' && source === site.right) return 'a left join by a key keeps each row once';
  const isInner = site.node.type === 'inner' || site.node.type === 'cross';
  const always = isInner && alwaysFinds(gold, site, source);
  return always ? 'a foreign key that is never NULL always finds one row' : null;
}

/** Checks whether a join's condition names the tables up to it only, as that of a LEFT JOIN has to. */
export function namesEarlier({ core, node, right }: JoinSite, gold: Gold): boolean {
  const { span } = node.constraint ?? node;
  const { sources } = core.bound;
  const last = sources.indexOf(right);
  return gold.query.names.every(({ token, found }) => {
    if (token.span.start < span.start || token.span.end > span.end) return true;
    const target = found?.target;
    return target === undefined || !('source' in target) || sources.indexOf(target.source) <= last;
  });
}

/** Checks whether columns hold a key of a table without NULL. */
function holdKey({ facts }: Gold, columns: readonly ColumnTarget[], source: ScopeSource): boolean {
  if (source.relation.table === null) return false;
  const refs = columns.flatMap((target) => (target.source === source ? (baseOf(target.column) ?? []) : []));
  const known = new Set(refs.map(columnKey).filter((key) => facts.notNull.has(key)));
  const keys = facts.keys.filter(([ref]) => ref?.table === source.relation.table);
  return keys.some((key) => key.every((ref) => known.has(columnKey(ref))));
}

/**
 * Checks whether a condition drops a group of one row that a LEFT JOIN filled up: it counts 1, or what is NULL there.
 */
function dropsLone(gold: Gold, { core, right }: JoinSite, condition: Expression): boolean {
  const test = countTest(condition);
  if (test === null) return false;
  const [arg] = test.call.args;
  const target = arg === undefined ? null : columnOf(gold, core, arg);
  const counts = test.call.star ? [1] : target?.source === right ? [0] : [0, 1];
  return !counts.some(test.passes);
}

/** Why rows without a partner are in no group that HAVING lets through, or null: each is a group of its own. */
function groupsDropFilledUp(gold: Gold, site: JoinSite): string | null {
  const { core, left, later } = site;
  const { groupBy, having } = core.node;
  if (left === null || later.length > 0) return null;
  const terms = groupBy.flatMap((term) => columnOf(gold, core, term) ?? []);
  const drops = holdKey(gold, terms, left) && conjunctsOf(having).some((part) => dropsLone(gold, site, part));
  return drops ? 'a row without a partner is a group that HAVING drops' : null;
}

/** The columns that a SELECT selects as they are; null where it selects, or does, more. */
function plainOutputs({ node, bound }: CoreSite): ColumnTarget[] | null {
  if (node.groupBy.length > 0 || node.having !== null) return null;
  const targets = bound.outputs.map(({ found }) => {
    return found?.target.kind === 'column' && found.merged.length === 0 ? found.target : null;
  });
  return targets.includes(null) ? null : (targets as ColumnTarget[]);
}

/**
 * Why rows without a partner are not in a set operation's result, or null: they are NULL where the other side never is.
 */
function setDropsFilledUp(gold: Gold, { core, right, later }: JoinSite): string | null {
  const { node, cores } = core.select;
  const operator = node.terms[1]?.operator;
  if (node.terms.length !== 2 || cores.length !== 2 || later.some(({ type }) => type === 'right' || type === 'full')) {
    return null;
  }
  const drops = operator === 'INTERSECT' || (operator === 'EXCEPT' && cores[1] === core);
  const other = cores[0] === core ? cores[1] : cores[0];
  if (!drops || other === undefined) return null;
  const [own, others] = [plainOutputs(core), plainOutputs(other)];
  const isTold = own?.some((target, i) => {
    const across = others?.[i];
    return target.source === right && across !== undefined && isNeverNull(gold, other, across);
  });
  return isTold === true ? 'the other side of the set operation has no NULL there' : null;
}
