import { SqlRewriteError } from '../../errors.js';
import type { Select } from '../ast.js';
import { applyEdits, insertion, sortEdits, spacedEdit } from '../edits.js';
import { parseSelect } from '../parser.js';
import type { Span } from '../tokenizer.js';

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

/** With the least or the greatest of a column that is neither grouped by nor aggregated; SQLite takes the others' values of its row. */
function withMembersChosen(sql: string, { terms }: Select): readonly string[] {
  const [body] = terms.map((term) => term.body);
  if (body?.kind !== 'core' || body.groupBy.length === 0 || /\b(?:min|max)\s*\(/i.test(sql)) return [];
  const textOf = ({ span }: { readonly span: Span }): string => sql.slice(span.start, span.end);
  const grouped = new Set(body.groupBy.map(textOf));
  const selected = body.columns.flatMap((column) => (column.kind === 'result' ? [column.expression] : []));
  const bare = selected.find((expression) => expression.kind === 'column' && !grouped.has(textOf(expression)));
  if (bare === undefined) return [];
  return ['min', 'max'].map((choose) => {
    return applyEdits(sql, [spacedEdit(sql, bare.span.start, bare.span.end, `${choose}(${textOf(bare)})`)]);
  });
}

/**
 * Forms of a query whose results it may give as well, where its outermost ORDER BY, LIMIT and GROUP BY leave that open. None
 * where nothing is, or the query can't be parsed. Some may not run.
 * @param width columns of its result
 */
export function openOrders(sql: string, width: number): readonly string[] {
  const columns = Array.from({ length: width }, (_, i) => i + 1);
  try {
    const select = parseSelect(sql);
    const ordered = [...withTiesDecided(sql, select, columns), ...withRowsChosen(sql, select, columns)];
    return [...ordered, ...withMembersChosen(sql, select)];
  } catch (error) {
    if (error instanceof SqlRewriteError) return [];
    throw error;
  }
}
