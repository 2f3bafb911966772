import { whereReadable } from './sql-fault.js';
import { isAggregate } from './aggregates.js';
import type { Expression, FunctionCall, Select, SelectCore, Source } from './ast.js';
import { childrenOf, nodesOf, type TreeNode } from './ast-walk.js';
import { parseSelect } from './parser.js';

/** The features of a query, for figures by feature: of its outermost query and those nested in it. */
export const QUERY_FEATURES = [
  'JOIN',
  'no WHERE',
  'one WHERE condition',
  'several WHERE conditions',
  'GROUP BY',
  'HAVING',
  'ORDER BY',
  'LIMIT',
  'nested',
  'set operation',
  'aggregate',
  'DISTINCT',
] as const;
export type QueryFeature = (typeof QUERY_FEATURES)[number];

function countConditions(condition: Expression | null): number {
  if (condition === null) return 0;
  const parts = childrenOf(condition);
  const isJoint = condition.kind === 'binary' && (condition.operator === 'AND' || condition.operator === 'OR');
  const isInner = isJoint || (condition.kind === 'list' && parts.length === 1);
  return isInner ? parts.reduce((sum, part) => sum + countConditions(part), 0) : 1;
}

function conditionFeature(cores: readonly SelectCore[]): QueryFeature {
  const conditions = cores.reduce((sum, { where }) => sum + countConditions(where), 0);
  if (conditions === 0) return 'no WHERE';
  return conditions === 1 ? 'one WHERE condition' : 'several WHERE conditions';
}

const isDistinct = (node: TreeNode): boolean => node.kind === 'function' && (node as FunctionCall).distinct;

function featuresIn(select: Select): readonly QueryFeature[] {
  const nodes = nodesOf(select);
  const ofKind = <T>(kind: string): T[] => nodes.filter((node) => node.kind === kind) as unknown as T[];
  const [cores, selects] = [ofKind<SelectCore>('core'), ofKind<Select>('select')];
  const present: readonly (readonly [QueryFeature, boolean])[] = [
    ['JOIN', ofKind<Source>('join').length > 0],
    [conditionFeature(cores), true],
    ['GROUP BY', cores.some(({ groupBy }) => groupBy.length > 0)],
    ['HAVING', cores.some(({ having }) => having !== null)],
    ['ORDER BY', selects.some(({ orderBy }) => orderBy.length > 0)],
    ['LIMIT', selects.some(({ limit }) => limit !== null)],
    ['nested', selects.length > 1],
    ['set operation', selects.some(({ terms }) => terms.length > 1)],
    ['aggregate', nodes.some((node) => isAggregate(node as Expression))],
    ['DISTINCT', cores.some(({ quantifier }) => quantifier === 'DISTINCT') || nodes.some(isDistinct)],
  ];
  return present.filter(([, has]) => has).map(([feature]) => feature);
}

/** The features of a query, read by our own parser; none where it can't be read. */
export function featuresOf(sql: string): readonly QueryFeature[] {
  return whereReadable(() => featuresIn(parseSelect(sql)), []);
}
