import type { FunctionCall } from '../../../sql/ast.js';
import { renderString } from '../../../sql/dialect.js';
import { applyEdits } from '../../../sql/edits.js';
import type { AuditedGold } from '../audited-gold.js';
import { isNumberText } from '../evidence.js';
import { findEach, type GoldFinding, plainFinding } from '../finding.js';
import type { GoldRows } from '../gold-rows.js';
import type { NamedColumn, ReadQuery } from '../read-query.js';

/** Texts that are left out one by one, at most. */
const MOST_LISTED = 500;

/** A sum or an average of a column as it is. */
interface Sum {
  readonly call: FunctionCall;
  readonly column: NamedColumn;
}

function sumsOf(query: ReadQuery): readonly Sum[] {
  return query.sites.expressions.flatMap(({ node }) => {
    if (node.kind !== 'function' || !/^(?:sum|avg|total)$/i.test(node.name.name)) return [];
    const column = node.args[0] === undefined ? null : query.column(node.args[0]);
    return column === null ? [] : [{ call: node, column }];
  });
}

/** The query with texts that are no numbers left out of a sum. */
function withoutTexts(query: ReadQuery, { call }: Sum, texts: readonly string[]): string {
  const [summed] = call.args;
  if (summed === undefined) return query.sql;
  const text = query.text(summed);
  const after = `CASE WHEN ${text} IN (${texts.map(renderString).join(', ')}) THEN NULL ELSE ${text} END`;
  return applyEdits(query.sql, [{ ...summed.span, before: text, after }]);
}

async function sumFinding(rows: GoldRows, query: ReadQuery, sum: Sum): Promise<GoldFinding | null> {
  const { table, column, name } = sum.column;
  const facts = await rows.facts(table, column);
  const texts = (facts?.distinct ?? []).filter((text) => !isNumberText(text));
  if (texts.length === 0 || texts.length > MOST_LISTED) return null;
  const repaired = withoutTexts(query, sum, texts);
  const evidence = await rows.differ(['as written', query.sql], ['of numbers alone', repaired]);
  if (evidence === null) return null;
  const shown = texts.slice(0, 3).map((text) => JSON.stringify(text.slice(0, 40)));
  const sentence = `${query.text(sum.call)} takes ${name}, which holds texts that are no numbers: ${shown.join(', ')}.`;
  return { ...plainFinding('text-sum', sentence), evidence };
}

/** Without rows, a sum of what the schema calls text. */
function possibleSum(query: ReadQuery, { call, column: { name, type } }: Sum): GoldFinding | null {
  if (type !== 'text') return null;
  const sentence = `${query.text(call)} takes ${name}, which the schema calls text.`;
  return plainFinding('text-sum', sentence, false);
}

/** Gold queries that sum text, or take its average. */
export async function checkTextSums(gold: AuditedGold): Promise<readonly GoldFinding[]> {
  const { query, rows } = gold;
  if (query === null) return [];
  return findEach(sumsOf(query), (sum) => (rows === null ? possibleSum(query, sum) : sumFinding(rows, query, sum)));
}
