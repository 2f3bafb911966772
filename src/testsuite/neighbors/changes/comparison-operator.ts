import type { Binary, Expression } from '../../../sql/ast.js';
import { unparenthesized } from '../../../sql/ast-walk.js';
import { columnKey } from '../../../schema/schema.js';
import { baseOf, type ColumnTarget } from '../../../sql/scope.js';
import { isAggregate } from '../../../sql/aggregates.js';
import type { Gold, QueryChange } from '../change.js';
import type { CoreSite, ExpressionSite } from '../query-sites.js';
import { columnOf } from '../proofs/conditions.js';
import { sameForIntegers, TESTS } from '../proofs/integer-test.js';
import { isComparison, PLAIN_COMPARISONS, plainOperator } from '../../../sql/operators.js';
import { renderString } from '../../../sql/dialect.js';
import { constantSites } from './constants.js';
import { inIsEqual } from '../proofs/single-row.js';

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
function sameForExtremes(gold: Gold, { node, core }: ExpressionSite, operator: string): string | null {
  if (node.kind !== 'binary' || core === null) return null;
  const [before, after] = [TESTS[node.operator], TESTS[operator]];
  if (before === undefined || after === undefined) return null;
  const outcomes = outcomesOf(gold, core, node);
  const same = outcomes.length > 0 && outcomes.every((outcome) => before(outcome, 0) === after(outcome, 0));
  return same ? 'no value of the column is beyond its extreme' : null;
}

const NEGATIONS: Readonly<Record<string, string>> = { IS: 'IS NOT', 'IS NOT': 'IS' };

function* comparisons(gold: Gold, site: ExpressionSite): Iterable<QueryChange> {
  const { node } = site;
  if (node.kind !== 'binary') return;
  const operator = plainOperator(node.operator);
  const negation = NEGATIONS[operator];
  const others = isComparison(operator) ? PLAIN_COMPARISONS : negation === undefined ? [] : [negation];
  for (const other of others) {
    if (other === operator) continue;
    const edit = gold.text.replace(gold.text.between(node.left.span, node.right.span), other);
    const equivalent = sameForIntegers(gold, site, { node, value: other }) ?? sameForExtremes(gold, site, other);
    yield { edit, detail: `${node.operator} → ${other}`, equivalent };
  }
}

/** LIKE and IN become their negations and back, and LIKE a plain comparison. */
function* negations(gold: Gold, { node }: ExpressionSite): Iterable<QueryChange> {
  if (node.kind !== 'like' && node.kind !== 'in' && node.kind !== 'between') return;
  const first = gold.text.at(gold.text.placeFrom((node.kind === 'like' ? node.left : node.operand).span.end));
  const word = node.kind === 'like' ? node.operator : node.kind.toUpperCase();
  const [before, after] = node.negated ? [`NOT ${word}`, word] : [word, `NOT ${word}`];
  const edit = node.negated ? gold.text.cut(first) : gold.text.replace(first, `NOT ${first.text}`);
  yield { edit, detail: `${before} → ${after}`, equivalent: null };
  if (node.kind !== 'like' || node.escape !== null) return;
  const span = gold.text.between(node.left.span, node.right.span);
  const equals = node.negated ? '!=' : '=';
  yield { edit: gold.text.replace(span, equals), detail: `${before} → ${equals}`, equivalent: null };
}

/** IN becomes a comparison with the first row of its subquery. */
function* singled(gold: Gold, { node }: ExpressionSite): Iterable<QueryChange> {
  if (node.kind !== 'in' || node.source.kind !== 'subquery' || unparenthesized(node.operand).kind === 'list') return;
  const [before, after] = node.negated ? ['NOT IN', '!='] : ['IN', '='];
  const edit = gold.text.replace(gold.text.between(node.operand.span, node.source.span), after);
  yield { edit, detail: `${before} → ${after}`, equivalent: inIsEqual(gold, node.source) };
}

/** A comparison with a word asks for texts that hold it: = 'word' becomes LIKE '%word%'. */
function* patterned(gold: Gold): Iterable<QueryChange> {
  for (const { site, type, value } of constantSites(gold)) {
    const test = site.parent?.node;
    if (type !== 'string' || site.clause === 'from' || !/^[^%_]+$/.test(value)) continue;
    if (test?.kind !== 'binary' || !['=', '=='].includes(test.operator) || test.right !== site.node) continue;
    const pattern = renderString(`%${value}%`);
    const { start } = gold.text.between(test.left.span, test.right.span);
    const edit = gold.text.replace({ start, end: test.right.span.end }, `LIKE ${pattern}`);
    yield { edit, detail: `= ${renderString(value)} → LIKE ${pattern}`, equivalent: null };
  }
}

/** NOT before a condition goes. */
function* withoutNot(gold: Gold, { node }: ExpressionSite): Iterable<QueryChange> {
  if (node.kind !== 'unary' || node.operator !== 'NOT') return;
  const edit = gold.text.cut({ start: node.span.start, end: node.operand.span.start });
  yield { edit, detail: 'NOT dropped', equivalent: null };
}

/**
 * A comparison becomes another. Those of ON stay: two tables joined by an inequality have about as many rows as both
 * multiplied, which on a large database never ends.
 */
export function* comparisonOperator(gold: Gold): Iterable<QueryChange> {
  for (const site of gold.sites.expressions) {
    if (site.clause === 'from') continue;
    yield* comparisons(gold, site);
    yield* negations(gold, site);
    yield* singled(gold, site);
    yield* withoutNot(gold, site);
  }
  yield* patterned(gold);
}
