import { type SetCount, sumCounts } from '../linking/schema-linking.js';
import type {
  SpiderColumnUnit,
  SpiderCondition,
  SpiderConditions,
  SpiderSql,
  SpiderValue,
  SpiderValueUnit,
} from '../../sql/spider-sql.js';
import { type ComponentCounts, countCommon, countKeys, isMatched } from './components.js';
import type { SpiderNames } from './spider-names.js';
import { conditionsOf, connectorsOf, isCondition, isSubquery, keywordsOf } from './spider-parts.js';

/** The result of comparing two structures. */
export interface StructureComparison {
  readonly exact: boolean;
  readonly components: ComponentCounts;
}

type MapColumn = (unit: SpiderColumnUnit) => SpiderColumnUnit;
const asIs: MapColumn = (unit) => unit;
type Halves = Pick<SpiderSql, 'intersect' | 'union' | 'except'>;

function mapHalves(sql: SpiderSql, map: (half: SpiderSql) => SpiderSql): Halves {
  const half = (one: SpiderSql | null): SpiderSql | null => (one === null ? null : map(one));
  return { intersect: half(sql.intersect), union: half(sql.union), except: half(sql.except) };
}

/** A query without the values of its conditions, columns among them. Subqueries stay, without theirs; those in FROM keep them. */
function withoutValues(sql: SpiderSql, map: MapColumn): SpiderSql {
  const value = (one: SpiderValue | null): SpiderSql | null => (isSubquery(one) ? withoutValues(one, asIs) : null);
  const unit = ([operator, left, right]: SpiderValueUnit): SpiderValueUnit => [
    operator,
    map(left),
    right === null ? null : map(right),
  ];
  const conditions = (list: SpiderConditions): SpiderConditions =>
    list.map((part, i) => {
      if (i % 2 === 1 || !isCondition(part)) return part;
      const [negated, operator, left, first, second] = part;
      return [negated, operator, unit(left), value(first), value(second)];
    });
  const [direction, terms = []] = sql.orderBy;
  return {
    from: { ...sql.from, conds: conditions(sql.from.conds) },
    select: [sql.select[0], sql.select[1].map(([aggregate, one]) => [aggregate, unit(one)] as const)],
    where: conditions(sql.where),
    groupBy: sql.groupBy.map(map),
    having: conditions(sql.having),
    orderBy: direction === undefined ? [] : [direction, terms.map(unit)],
    limit: sql.limit,
    ...mapHalves(sql, (half) => withoutValues(half, map)),
  };
}

/**
 * A query as the published script compares it: the foreign keys of the tables of its own, outermost FROM count as one
 * column, DISTINCT of columns but for those of subqueries as nothing.
 */
function prepared(sql: SpiderSql, names: SpiderNames): SpiderSql {
  const tables = new Set(sql.from.table_units.map(([kind, table]) => (kind === 'table_unit' ? table : -1)));
  return withoutValues(sql, ([aggregate, column]) => {
    const linked = tables.has(names.tableOf[column] ?? -1) ? names.linked.get(column) : undefined;
    return [aggregate, linked ?? column, false];
  });
}

const keysOf = (parts: readonly unknown[]): string[] => parts.map((part) => JSON.stringify(part));
const sameKey = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** A clause that counts as one whole where it is there. */
function countWhole(predicted: boolean, gold: boolean, same: boolean): SetCount {
  return { gold: Number(gold), predicted: Number(predicted), matched: Number(predicted && gold && same) };
}

function countGroup(predicted: SpiderSql, gold: SpiderSql): SetCount {
  const columns = (sql: SpiderSql): number[] => sql.groupBy.map(([, column]) => column);
  const same = sameKey(columns(predicted), columns(gold)) && sameKey(predicted.having, gold.having);
  return countWhole(predicted.groupBy.length > 0, gold.groupBy.length > 0, same);
}

function countOrder(predicted: SpiderSql, gold: SpiderSql): SetCount {
  const same = sameKey(predicted.orderBy, gold.orderBy) && (predicted.limit === null) === (gold.limit === null);
  return countWhole(predicted.orderBy.length > 0, gold.orderBy.length > 0, same);
}

function countConnectors(predicted: SpiderSql, gold: SpiderSql): SetCount {
  const [ours, theirs] = [new Set(connectorsOf(predicted.where)), new Set(connectorsOf(gold.where))];
  const same = ours.size === theirs.size && [...ours].every((word) => theirs.has(word));
  return same ? { gold: 1, predicted: 1, matched: 1 } : { gold: theirs.size, predicted: ours.size, matched: 0 };
}

function countHalves(predicted: SpiderSql, gold: SpiderSql, names: SpiderNames): SetCount {
  const counts = (['intersect', 'except', 'union'] as const).map((word) => {
    const [ours, theirs] = [predicted[word], gold[word]];
    const same = ours !== null && theirs !== null && comparePrepared(ours, theirs, names).exact;
    return countWhole(ours !== null, theirs !== null, same);
  });
  return sumCounts(counts);
}

function countComponents(predicted: SpiderSql, gold: SpiderSql, names: SpiderNames): ComponentCounts {
  const [where, goldWhere] = [conditionsOf(predicted.where), conditionsOf(gold.where)];
  const bare = (sql: SpiderSql): string[] => sql.groupBy.map(([, column]) => names.bareNames[column] ?? '');
  const units = (sql: SpiderSql): string[] => keysOf(sql.select[1].map(([, unit]) => unit));
  const operands = (list: readonly SpiderCondition[]): string[] => keysOf(list.map(([, , unit]) => unit));
  return {
    select: countKeys(keysOf(predicted.select[1]), keysOf(gold.select[1])),
    'select(no AGG)': countKeys(units(predicted), units(gold)),
    where: countKeys(keysOf(where), keysOf(goldWhere)),
    'where(no OP)': countKeys(operands(where), operands(goldWhere)),
    'group(no Having)': countKeys(bare(predicted), bare(gold)),
    group: countGroup(predicted, gold),
    order: countOrder(predicted, gold),
    'and/or': countConnectors(predicted, gold),
    IUEN: countHalves(predicted, gold, names),
    keywords: countKeys(keywordsOf(predicted), keywordsOf(gold)),
  };
}

function comparePrepared(predicted: SpiderSql, gold: SpiderSql, names: SpiderNames): StructureComparison {
  const components = countComponents(predicted, gold, names);
  const [tables, goldTables] = [keysOf(predicted.from.table_units), keysOf(gold.from.table_units)];
  const sameTables =
    goldTables.length === 0 ||
    (tables.length === goldTables.length && countCommon(tables, goldTables) === tables.length);
  return { exact: Object.values(components).every(isMatched) && sameTables, components };
}

/** The published script's stand-in for a prediction that it can't parse. */
export const NO_QUERY: SpiderSql = {
  from: { table_units: [], conds: [] },
  select: [false, []],
  where: [],
  groupBy: [],
  having: [],
  orderBy: [],
  limit: null,
  intersect: null,
  union: null,
  except: null,
};

/**
 * Compares two structures as Spider's published `evaluation.py` does without values: each component as a bag, and the
 * tables. Its quirks are kept: values are dropped, columns on the right of a comparison too; DISTINCT counts in
 * subqueries of conditions and of FROM only; join conditions and the number of LIMIT do not count; AND and OR count as
 * a set of words; columns that foreign keys link are one where their table is in the outermost FROM.
 */
export function compareLikeSpider(gold: SpiderSql, predicted: SpiderSql, names: SpiderNames): StructureComparison {
  return comparePrepared(prepared(predicted, names), prepared(gold, names), names);
}
