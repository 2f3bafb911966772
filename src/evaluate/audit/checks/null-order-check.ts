import type { OrderingTerm } from '../../../sql/ast.js';
import { applyEdits, insertion } from '../../../sql/edits.js';
import type { SelectSite } from '../../../testsuite/neighbors/query-sites.js';
import { type AuditedGold, verifiedRepair } from '../audited-gold.js';
import { findEach, type GoldFinding, plainFinding } from '../finding.js';
import { completeOrder } from '../../../testsuite/distill/row-order.js';
import type { ReadQuery } from '../read-query.js';

const isRising = ({ direction, nulls }: OrderingTerm): boolean => direction !== 'DESC' && nulls === null;

/** Checks whether a term may put NULL first: a count is never NULL. */
const mayRiseFromNull = (query: ReadQuery, term: OrderingTerm): boolean =>
  isRising(term) && !/^\s*count\s*\(/i.test(query.text(term.expression));

/** The query with NULL last in the rising terms of a select. */
function nullsLast(query: ReadQuery, { node }: SelectSite): string {
  const edits = node.orderBy.filter(isRising).map((term) => insertion(query.sql, term.span.end, 'NULLS LAST'));
  return applyEdits(query.sql, edits);
}

/** A select of a query with all ties broken, so that its runs differ by nothing but where NULL goes. */
function untied(query: ReadQuery, at: number): string | null {
  const select = query.sites.selects[at];
  return select === undefined ? null : completeOrder(query.sql, select, 'ASC');
}

async function nullFinding(
  gold: AuditedGold,
  query: ReadQuery,
  at: number,
  select: SelectSite,
): Promise<GoldFinding | null> {
  const order = select.node.orderBy
    .filter((term) => mayRiseFromNull(query, term))
    .map((term) => query.text(term.expression));
  const repaired = nullsLast(query, select);
  const variant = gold.readVariant(repaired);
  const possible = `Rows whose ${order.join(', ')} is NULL would come first, and LIMIT would take them.`;
  if (gold.rows === null) return plainFinding('null-order', possible, false);
  const [first, last] = [untied(query, at), variant === null ? null : untied(variant, at)];
  if (first === null || last === null) return null;
  const evidence = await gold.rows.differ(['NULL first, as SQLite sorts', first], ['NULL last', last]);
  if (evidence === null) return plainFinding('null-order', possible, false);
  const sentence = `LIMIT takes rows whose ${order.join(', ')} is NULL, as SQLite sorts them before all values.`;
  return { ...plainFinding('null-order', sentence), evidence, repair: await verifiedRepair(gold, repaired) };
}

/** Gold queries whose LIMIT takes rows without a value to sort by. */
export async function checkNullOrder(gold: AuditedGold): Promise<readonly GoldFinding[]> {
  const { query } = gold;
  if (query === null) return [];
  const open = [...query.sites.selects.entries()].filter(([, select]) => {
    const { node, use } = select;
    const isCut = node.limit !== null && use !== 'exists' && node.terms.length === 1;
    const mayRise = isCut && node.orderBy.some((term) => mayRiseFromNull(query, term));
    return mayRise && !(gold.rows === null && isTested(query, select));
  });
  return findEach(open, ([at, select]) => nullFinding(gold, query, at, select));
}

/** Checks whether a select asks for rows without NULL. */
function isTested(query: ReadQuery, { cores }: SelectSite): boolean {
  return cores.some(
    ({ node: core }) => core.where !== null && /\bnot\s+null\b|\bnotnull\b/i.test(query.text(core.where)),
  );
}
