import type { ColumnNode, Expression, FunctionCall } from '../../../sql/ast.js';
import { bareExpression, childrenOf } from '../../../sql/ast-walk.js';
import { applyEdits, sortEdits } from '../../../sql/edits.js';
import { mayHangOnRowOrder } from '../../../testsuite/distill/row-order.js';
import { isAggregate, selectsAggregate } from '../../../testsuite/neighbors/aggregates.js';
import type { CoreSite, SelectSite } from '../../../testsuite/neighbors/query-sites.js';
import type { AuditedGold } from '../audited-gold.js';
import { differingRuns, evidenceRun } from '../evidence.js';
import type { EvidenceRun, GoldFinding } from '../finding.js';
import { plainFinding } from '../finding.js';
import type { GoldRows } from '../gold-rows.js';
import { completeOrder } from '../order-edits.js';
import type { ReadQuery } from '../read-query.js';

const isOneRow = ({ node }: CoreSite): boolean => node.groupBy.length === 0 && selectsAggregate(node);

/** Whether LIMIT of a select takes some of several rows. */
function cutsRows({ node, use, cores }: SelectSite): boolean {
  const [core] = cores;
  if (node.limit === null || use === 'exists') return false;
  return !(node.terms.length === 1 && core !== undefined && isOneRow(core));
}

/** Two runs that read rows in another order and differ; null where none do. */
async function reorderedRuns(rows: GoldRows, sql: string): Promise<readonly EvidenceRun[] | null> {
  const stored = { label: 'as stored', sql, outcome: await rows.run(sql) };
  for (const [rowOrder, label] of [
    ['reversed', 'rows stored in reverse'],
    ['copied', 'tables without indexes'],
  ] as const) {
    const differing = differingRuns(stored, { label, sql, outcome: await rows.run(sql, rowOrder) });
    if (differing !== null) return differing;
  }
  return null;
}

async function limitFinding(gold: AuditedGold, query: ReadQuery, select: SelectSite): Promise<GoldFinding> {
  const { orderBy } = select.node;
  const name = orderBy.length > 0 ? 'limit-tie' : 'unordered-limit';
  const order = orderBy.map((term) => query.text(term)).join(', ');
  const possible =
    orderBy.length > 0 ? `Rows that tie in ${order} would leave open which LIMIT takes.` : 'LIMIT takes rows in no order.';
  const [up, down] = (['ASC', 'DESC'] as const).map((direction) => completeOrder(query.sql, select, direction));
  if (gold.rows === null || up == null || down == null) return plainFinding(name, possible, false);
  const evidence = differingRuns(
    { label: 'ties broken upwards', sql: up, outcome: await gold.rows.run(up) },
    { label: 'ties broken downwards', sql: down, outcome: await gold.rows.run(down) },
  );
  if (evidence === null) return plainFinding(name, possible, false);
  const sentence =
    orderBy.length > 0
      ? `Rows tie in ${order} where LIMIT cuts, and which are taken changes the result.`
      : 'LIMIT takes some rows in no order, and which are taken changes the result.';
  return { ...plainFinding(name, sentence), evidence };
}

/** The columns of an expression that no aggregate takes. */
function bareColumns(expression: Expression): readonly ColumnNode[] {
  if (isAggregate(expression)) return [];
  return expression.kind === 'column' ? [expression] : childrenOf(expression).flatMap(bareColumns);
}

/** The first column that a core shows or tests, and neither groups by nor aggregates. */
function bareColumn(query: ReadQuery, { node }: CoreSite): string | null {
  if (node.groupBy.length === 0 && !selectsAggregate(node)) return null;
  const keyOf = (expression: Expression): string => {
    const column = query.column(expression);
    return column === null ? query.text(bareExpression(expression)).toLowerCase() : JSON.stringify(column.ref);
  };
  const grouped = new Set(node.groupBy.map(keyOf));
  const shown = node.columns.flatMap((column) => (column.kind === 'result' ? [column.expression] : []));
  if (shown.length < node.columns.length) return '*';
  const parts = [...shown, ...(node.having === null ? [] : [node.having])];
  const bare = parts
    .filter((part) => !grouped.has(keyOf(part)))
    .flatMap(bareColumns)
    .find((column) => !query.isText(column.column) && !grouped.has(keyOf(column)));
  return bare === undefined ? null : query.text(bare);
}

/** The query without LIMIT, but in subqueries for one value. */
function withoutLimits(query: ReadQuery): string {
  const cut = query.sites.selects.flatMap(({ node, use }) =>
    node.limit === null || use === 'scalar' || use === 'exists' ? [] : [node.limit.span],
  );
  return applyEdits(query.sql, sortEdits(cut.map(({ start, end }) => ({ start, end, before: '', after: '' }))));
}

/** What depends on row order within a group: bare columns, and group_concat. */
async function groupFinding(
  gold: AuditedGold,
  query: ReadQuery,
  name: 'bare-column' | 'group-concat',
  what: string,
): Promise<GoldFinding> {
  const isBare = name === 'bare-column';
  const possible = isBare
    ? `${what} is neither grouped by nor aggregated.`
    : `${what} joins values in the order in which rows are found.`;
  if (gold.rows === null) return plainFinding(name, possible, false);
  const unlimited = withoutLimits(query);
  const differing = await reorderedRuns(gold.rows, unlimited);
  const matters = differing !== null && (unlimited === query.sql || (await reorderedRuns(gold.rows, query.sql)) !== null);
  if (!matters) return plainFinding(name, possible, false);
  const sentence = isBare
    ? `${what} is neither grouped by nor aggregated, and has several values in a group.`
    : `${what} joins values in the order in which rows are found, and the result changes with it.`;
  return { ...plainFinding(name, sentence), evidence: differing };
}

const isConcat = (node: Expression): node is FunctionCall =>
  node.kind === 'function' &&
  /^(?:group_concat|string_agg|json_group_array|json_group_object)$/i.test(node.name.name) &&
  node.orderBy.length === 0 &&
  node.over === null;

async function subqueryFinding(gold: AuditedGold, query: ReadQuery, select: SelectSite): Promise<GoldFinding | null> {
  const text = query.text(select.node);
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  if (gold.rows === null)
    return plainFinding('many-row-subquery', `(${shown}) stands for one value and may give several.`, false);
  const outcome = await gold.rows.run(text);
  if (outcome.kind !== 'rows') return null;
  const values = new Set(outcome.rows.map(([value]) => String(value)));
  if (values.size < 2)
    return plainFinding('many-row-subquery', `(${shown}) stands for one value and may give several.`, false);
  const sentence = `(${shown}) stands for one value and gives ${values.size} different ones, of which SQLite takes the first.`;
  return { ...plainFinding('many-row-subquery', sentence), evidence: [evidenceRun('the subquery', text, outcome)] };
}

/** Subqueries for one value that nothing keeps to one row. */
function openSubqueries({ sites }: ReadQuery): readonly SelectSite[] {
  return sites.selects.filter(({ node, use, cores }) => {
    const [core] = cores;
    if (use !== 'scalar' || node.limit !== null || core === undefined) return false;
    return node.terms.length > 1 || !isOneRow(core);
  });
}

async function causesOf(gold: AuditedGold, query: ReadQuery): Promise<GoldFinding[]> {
  const { selects, cores, expressions } = query.sites;
  const found: (GoldFinding | null)[] = [];
  const bare = cores.map((core) => bareColumn(query, core)).find((column) => column !== null);
  if (bare !== undefined) found.push(await groupFinding(gold, query, 'bare-column', bare ?? ''));
  const call = expressions.find(({ node }) => isConcat(node));
  if (call !== undefined && found.every((one) => one?.isShown !== true))
    found.push(await groupFinding(gold, query, 'group-concat', query.text(call.node)));
  for (const select of openSubqueries(query)) found.push(await subqueryFinding(gold, query, select));
  // Where bare columns change with the plan, a tie can't be shown by another ORDER BY.
  const isOpen = found.some((one) => one?.isShown === true && one.class === 'bare-column');
  for (const select of isOpen ? [] : selects.filter(cutsRows)) found.push(await limitFinding(gold, query, select));
  return found.filter((finding) => finding !== null);
}

/** Golds whose result depends on the order in which rows are stored or found. */
export async function checkRowOrder(gold: AuditedGold): Promise<readonly GoldFinding[]> {
  const { query, rows } = gold;
  if (query === null) return [];
  const causes = await causesOf(gold, query);
  if (rows === null || causes.some(({ isShown }) => isShown) || !mayHangOnRowOrder(query.bound)) return causes;
  const differing = await reorderedRuns(rows, query.sql);
  if (differing === null) return causes;
  const sentence = 'The result changes with the order in which rows are stored.';
  return [...causes, { ...plainFinding('row-order', sentence), evidence: differing }];
}
