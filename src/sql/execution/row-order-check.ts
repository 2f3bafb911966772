import { whereReadable } from '../sql-fault.js';
import type { Expression, FunctionCall, Select, SelectCore } from '../ast.js';
import { isExtreme } from '../aggregates.js';
import { expressionsWithin } from '../ast-walk.js';
import { applyEdits, insertion, sortEdits, spacedEdit } from '../edits.js';
import { parseSelect } from '../parser.js';
import type { Span } from '../tokenizer.js';
import type { QueryRows } from './query-outcome.js';
import type { QueryTask } from './query-protocol.js';
import type { QueryRunner } from './query-runner.js';
import { compareResults, type ComparisonMode } from './result-comparison.js';
import type { ValueIdentity } from './value-key.js';

const textOf = (sql: string, { span }: { readonly span: Span }): string => sql.slice(span.start, span.end);

const DISTINCT = /^SELECT\s+DISTINCT\b/i;

/** With the result's columns deciding where the ORDER BY, or a LIMIT without one, does not. */
function withTiesDecided(sql: string, { orderBy, limit }: Select, columns: readonly number[]): readonly string[] {
  const last = orderBy.at(-1);
  if (last === undefined && limit === null) return [];
  return ['ASC', 'DESC'].map((direction) => {
    const terms = columns.map((column) => `${column} ${direction}`).join(', ');
    if (last !== undefined) return applyEdits(sql, [insertion(sql, last.span.end, `, ${terms}`)]);
    return applyEdits(sql, [insertion(sql, limit?.span.start ?? sql.length, `ORDER BY ${terms}`)]);
  });
}

/** With the least or the greatest of the rows that DISTINCT makes one standing for them in the ORDER BY. */
function withRowsChosen(sql: string, { terms, orderBy }: Select, columns: readonly number[]): readonly string[] {
  const [body, ...others] = terms.map((term) => term.body);
  if (body?.kind !== 'core' || others.length > 0 || orderBy.length === 0 || body.groupBy.length > 0) return [];
  const { start, end } = body.span;
  const distinct = DISTINCT.exec(sql.slice(start))?.[0];
  if (distinct === undefined) return [];
  return ['min', 'max'].map((choose) => {
    const chosen = orderBy.flatMap(({ expression: { kind, span } }) => {
      return kind === 'literal'
        ? []
        : [spacedEdit(sql, span.start, span.end, `${choose}(${sql.slice(span.start, span.end)})`)];
    });
    const grouped = insertion(sql, end, `GROUP BY ${columns.join(', ')}`);
    return applyEdits(sql, sortEdits([spacedEdit(sql, start, start + distinct.length, 'SELECT'), grouped, ...chosen]));
  });
}

/** A selected column that is neither grouped by nor aggregated; undefined where there is none. */
function bareColumn(sql: string, { columns, groupBy }: SelectCore): Expression | undefined {
  const grouped = new Set(groupBy.map((term) => textOf(sql, term)));
  const selected = columns.flatMap((column) => (column.kind === 'result' ? [column.expression] : []));
  return selected.find((expression) => expression.kind === 'column' && !grouped.has(textOf(sql, expression)));
}

/** With the least or the greatest of a bare column; SQLite takes the others' values of its row. */
function withMembersChosen(sql: string, { terms }: Select): readonly string[] {
  const [body] = terms.map((term) => term.body);
  if (body?.kind !== 'core' || body.groupBy.length === 0 || /\b(?:min|max)\s*\(/i.test(sql)) return [];
  const bare = bareColumn(sql, body);
  if (bare === undefined) return [];
  return ['min', 'max'].map((choose) => {
    return applyEdits(sql, [spacedEdit(sql, bare.span.start, bare.span.end, `${choose}(${textOf(sql, bare)})`)]);
  });
}

function isCall(expression: Expression): expression is FunctionCall {
  return expression.kind === 'function';
}

/** The calls of a query's min() or max(), where it calls that, of one value, and nothing else. */
function extremeCalls(sql: string, { orderBy }: Select, { columns, having }: SelectCore): readonly FunctionCall[] {
  const selected = columns.flatMap((column) => (column.kind === 'result' ? [column.expression] : []));
  const parts = [...selected, ...(having === null ? [] : [having]), ...orderBy.map(({ expression }) => expression)];
  const calls = parts.flatMap((part) => expressionsWithin(part, isCall)).filter(isCall);
  const isOne = new Set(calls.map((call) => textOf(sql, call))).size === 1;
  const areExtremes = calls.every((call) => {
    return isExtreme(call) && call.args.length === 1 && call.filter === null && call.over === null;
  });
  return isOne && areExtremes ? calls : [];
}

/**
 * With the least or the greatest of a bare column next to min() or max(), of those rows of its group that have the
 * extreme: SQLite takes any of them.
 */
function withExtremesChosen(sql: string, select: Select): readonly string[] {
  const [body, ...others] = select.terms.map((term) => term.body);
  if (body?.kind !== 'core' || body.from === null || others.length > 0) return [];
  const bare = bareColumn(sql, body);
  const calls = extremeCalls(sql, select, body);
  const [extreme] = calls;
  const of = extreme?.args[0];
  if (bare === undefined || extreme === undefined || of === undefined) return [];
  if (body.groupBy.some(({ kind }) => kind === 'literal')) return [];
  const text = (part: { readonly span: Span }): string => textOf(sql, part);
  // What a row and its group must have the same.
  const same = [{ ofGroup: text(extreme), ofRow: text(of), as: '"open extreme"' }].concat(
    body.groupBy.map((term, i) => ({ ofGroup: text(term), ofRow: text(term), as: `"open group ${i}"` })),
  );
  const where = body.where === null ? '' : ` WHERE ${text(body.where)}`;
  const groupBy = body.groupBy.length === 0 ? '' : ` GROUP BY ${body.groupBy.map(text).join(', ')}`;
  const groups = `SELECT ${same.map(({ ofGroup, as }) => `${ofGroup} AS ${as}`).join(', ')} FROM ${text(body.from)}${where}${groupBy}`;
  const has = `EXISTS (SELECT 1 FROM (${groups}) WHERE ${same.map(({ ofRow, as }) => `${as} IS (${ofRow})`).join(' AND ')})`;
  const kept =
    body.where === null
      ? insertion(sql, body.from.span.end, `WHERE ${has}`)
      : spacedEdit(sql, body.where.span.start, body.where.span.end, `(${text(body.where)}) AND ${has}`);
  const plain = calls.map(({ span }) => spacedEdit(sql, span.start, span.end, `(${text(of)})`));
  return ['min', 'max'].map((choose) => {
    const chosen = spacedEdit(sql, bare.span.start, bare.span.end, `${choose}(${text(bare)})`);
    return applyEdits(sql, sortEdits([kept, chosen, ...plain]));
  });
}

/**
 * Forms of a query whose results it may give as well, where its outermost ORDER BY, LIMIT and GROUP BY leave that open. None
 * where nothing is, or the query can't be parsed. Some may not run.
 * @param width columns of its result
 */
function openOrders(sql: string, width: number): readonly string[] {
  const columns = Array.from({ length: width }, (_, i) => i + 1);
  return whereReadable(() => {
    const select = parseSelect(sql);
    const ordered = [...withTiesDecided(sql, select, columns), ...withRowsChosen(sql, select, columns)];
    return [...ordered, ...withMembersChosen(sql, select), ...withExtremesChosen(sql, select)];
  }, []);
}

/**
 * True if the SQL alone determines a result: `determined`, or `row-order` where it also depends on the order in which
 * rows are stored or found; `unknown` where the query does not end or fails on rows in another order.
 */
export type Determinacy = 'determined' | 'row-order' | 'unknown';

/**
 * Runs a query again over its tables' rows in two orders, and in forms that decide its ties, and compares with its
 * result in the mode that counts. What differs was decided by row order: a LIMIT among ties, group_concat, a bare
 * column of a group; random() shows so, too. `determined` is what these can show, no proof.
 * @throws what `QueryRunner.run` throws
 */
export async function checkRowOrder(
  runner: QueryRunner,
  task: QueryTask,
  result: QueryRows,
  how: { readonly mode: ComparisonMode; readonly identity: ValueIdentity },
  signal: AbortSignal,
): Promise<Determinacy> {
  let determinacy: Determinacy = 'determined';
  const differs = (other: QueryRows): boolean => compareResults(result, other, how.mode, how.identity) !== null;
  for (const rowOrder of ['reversed', 'copied'] as const) {
    const other = await runner.run({ ...task, rowOrder }, signal);
    if (other.kind !== 'rows') determinacy = 'unknown';
    else if (differs(other)) return 'row-order';
  }
  // A plan may leave ties alike in any order of rows; the plan of another schema need not.
  for (const sql of openOrders(task.sql, result.columns.length)) {
    const other = await runner.run({ ...task, sql }, signal);
    if (other.kind === 'rows' && differs(other)) return 'row-order';
  }
  return determinacy;
}
