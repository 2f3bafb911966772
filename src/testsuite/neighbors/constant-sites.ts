import type { Literal } from '../../sql/ast.js';
import type { Gold } from './change.js';
import { ancestorsOf, type ExpressionSite } from './query-sites.js';
import { isAggregate } from '../../sql/aggregates.js';

/** Functions that take any constant without an error. */
const LENIENT = new Set(
  'coalesce ifnull nullif iif lower upper length trim ltrim rtrim substr substring instr replace round'.split(' '),
);

/** Constants of the query that one becomes, at most. */
const MOST_OTHERS = 3;

/** A constant that any other of its type may stand for. */
export interface ConstantSite {
  readonly site: ExpressionSite;
  readonly type: 'number' | 'string';
  /** A string's content, or a number's text. */
  readonly value: string;
}

/** Checks whether a constant is the position of a result column: the whole of a term of GROUP BY or ORDER BY. */
function isPosition(site: ExpressionSite): boolean {
  const ordering = site.clause === 'group' || site.clause === 'order';
  return ordering && ancestorsOf(site).every(({ node }) => node.kind === 'list' || node.kind === 'collate');
}

/**
 * Checks whether the expression around a constant may refuse another one: ESCAPE wants one character, a path its
 * syntax.
 */
function isBound(site: ExpressionSite): boolean {
  if (site.clause === 'window') return true;
  return ancestorsOf(site).some(({ node }, i, ancestors) => {
    if (node.kind === 'like') return node.escape !== null && (ancestors[i - 1] ?? site).node === node.escape;
    if (node.kind === 'binary' && node.operator.startsWith('->')) return true;
    return node.kind === 'function' && !LENIENT.has(node.name.name.toLowerCase()) && !isAggregate(node);
  });
}

function constantOf({ names }: Gold, { node }: ExpressionSite): Pick<Literal, 'type' | 'value'> | null {
  if (node.kind === 'literal') return node;
  if (node.kind !== 'column' || node.column.quote !== 'double') return null;
  const binding = names.get(node.column);
  return binding?.found === null ? { type: 'string', value: node.column.name } : null;
}

/** The numbers and strings of a query that can be changed without making it invalid. */
export function constantSites(gold: Gold): ConstantSite[] {
  return gold.sites.expressions.flatMap((site) => {
    const constant = constantOf(gold, site);
    if (constant?.type !== 'number' && constant?.type !== 'string') return [];
    if (isPosition(site) || isBound(site)) return [];
    return [{ site, type: constant.type, value: constant.value }];
  });
}

/** Other constants of the query that one may be mistaken for, of its type. */
export function otherConstants(sites: readonly ConstantSite[], { type, value, site }: ConstantSite): string[] {
  const isLimit = site.clause === 'limit';
  const others = sites.filter((other) => other.type === type && (other.site.clause === 'limit') === isLimit);
  return [...new Set(others.map((other) => other.value))].filter((other) => other !== value).slice(0, MOST_OTHERS);
}
