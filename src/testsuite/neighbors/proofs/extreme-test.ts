import type { Binary, Expression } from '../../../sql/ast.js';
import { unparenthesized } from '../../../sql/ast-walk.js';
import { columnKey } from '../../../schema/schema.js';
import { baseOf, type ColumnTarget } from '../../../sql/scope.js';
import { isAggregate } from '../../../sql/aggregates.js';
import type { Gold } from '../change.js';
import type { CoreSite, ExpressionSite } from '../query-sites.js';
import { columnOf } from './conditions.js';
import { TESTS } from './integer-test.js';

/** How a value compares with the least and the greatest of its column, NULL left aside: 0 where they are the same. */
const OUTCOMES: Readonly<Record<string, readonly number[]>> = { min: [0, 1], max: [0, -1] };

/** The SELECT of a subquery, if it reads all rows of one table. */
function wholeTable({ sites }: Gold, node: Expression): CoreSite | null {
  const bare = unparenthesized(node);
  if (bare.kind !== 'subquery' || bare.select.terms.length > 1 || bare.select.limit !== null) return null;
  const core = sites.cores.find(({ select }) => select.node === bare.select);
  const { from, where, groupBy, having, columns } = core?.node ?? {};
  const isPlain = from?.kind === 'table' && where === null && groupBy?.length === 0 && having === null;
  return core !== undefined && isPlain && columns?.length === 1 ? core : null;
}

/** The extreme of all values of a table's column that a subquery is; null where it is none. */
function extremeOf(gold: Gold, node: Expression): { name: string; target: ColumnTarget } | null {
  const core = wholeTable(gold, node);
  const [column] = core?.node.columns ?? [];
  const call = column?.kind === 'result' ? unparenthesized(column.expression) : null;
  if (core === null || call === null || !isAggregate(call) || call.filter !== null) return null;
  const [arg] = call.args;
  const target = arg === undefined ? null : columnOf(gold, core, arg);
  const name = call.name.name.toLowerCase();
  return target !== null && name in OUTCOMES ? { name, target } : null;
}

function isSameBase(a: ColumnTarget, b: ColumnTarget): boolean {
  if (a.source.relation.table === null || b.source.relation.table === null) return false;
  const [x, y] = [baseOf(a.column), baseOf(b.column)];
  return x !== null && y !== null && columnKey(x) === columnKey(y);
}

/** Where the values that a test compares may stand to each other: left less than, equal to, or greater than right. */
function outcomesOf(gold: Gold, core: CoreSite, { left, right }: Binary): readonly number[] {
  const [before, after] = [extremeOf(gold, left), extremeOf(gold, right)];
  const [extreme, column] = after === null ? [before, right] : [after, left];
  const target = columnOf(gold, core, column);
  if (extreme === null || target === null || !isSameBase(extreme.target, target)) return [];
  const outcomes = OUTCOMES[extreme.name] ?? [];
  return after === null ? outcomes.map((outcome) => -outcome) : outcomes;
}

/** Why another operator makes no difference to a comparison of a column with its own least or greatest value, or null. */
export function sameForExtremes(gold: Gold, { node, core }: ExpressionSite, operator: string): string | null {
  if (node.kind !== 'binary' || core === null) return null;
  const [before, after] = [TESTS[node.operator], TESTS[operator]];
  if (before === undefined || after === undefined) return null;
  const outcomes = outcomesOf(gold, core, node);
  const same = outcomes.length > 0 && outcomes.every((outcome) => before(outcome, 0) === after(outcome, 0));
  return same ? 'no value of the column is beyond its extreme' : null;
}
