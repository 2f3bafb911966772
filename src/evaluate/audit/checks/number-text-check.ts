import type { Expression, FunctionCall } from '../../../sql/ast.js';
import { bareExpression, unparenthesized } from '../../../sql/ast-walk.js';
import { groupBy } from '../../../run/group-by.js';
import { isExtreme, isNumericAggregate } from '../../../sql/aggregates.js';
import { isComparison } from '../../../sql/operators.js';
import { renderString } from '../../../sql/dialect.js';
import { applyEdits, sortEdits, type SqlEdit } from '../../../sql/edits.js';
import type { ExpressionSite, SelectSite } from '../../../testsuite/neighbors/query-sites.js';
import { type AuditedGold, verifiedRepair } from '../audited-gold.js';
import { bothSides, equalSides, type NamedColumn, type ReadQuery } from '../read-query.js';
import { findEach, type GoldFinding, isNumberText, plainFinding, withNumbers } from '../finding.js';
import type { ColumnFacts, GoldRows } from '../gold-rows.js';
import { completeOrder } from '../../../testsuite/distill/row-order.js';

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

/** Where a column's numbers are sorted or compared. */
interface NumberUse {
  readonly column: NamedColumn;
  readonly node: Expression;
  readonly kind: 'sorted' | 'extreme' | 'compared';
  /** The comparison, or the sorting term. */
  readonly place: Expression;
  /** The texts it is compared with: each is written as a number. */
  readonly literals: readonly Expression[];
  /**
   * True if text that SQLite takes for greater than any number does no harm: it sorts last, or differs from a number.
   */
  readonly isHarmless: boolean;
}

function comparedSides(node: Expression): readonly (readonly [Expression, readonly Expression[]])[] {
  if (node.kind === 'between') return [[node.operand, [node.low, node.high]]];
  if (node.kind !== 'binary' || !isComparison(node.operator)) return [];
  return bothSides(node).map(([side, other]) => [side, [other]]);
}

/** Checks whether an expression is a number: a literal or an aggregate, alone or in a subquery. */
function isNumeric(query: ReadQuery, expression: Expression): boolean {
  const value = query.value(expression);
  if (value !== undefined) return typeof value !== 'string' || isNumberText(value);
  const bare = unparenthesized(expression);
  return bare.kind === 'subquery' || isNumericAggregate(bare);
}

function comparisons(query: ReadQuery, { node }: ExpressionSite): readonly NumberUse[] {
  return comparedSides(node).flatMap(([side, others]) => {
    const column = query.column(side);
    if (column === null || !others.every((other) => isNumeric(query, other))) return [];
    const literals = others.filter((other) => typeof query.value(other) === 'string');
    const isHarmless = node.kind === 'binary' && /^(?:<>|!=)$/.test(node.operator);
    return [{ column, node: bareExpression(side), kind: 'compared' as const, place: node, literals, isHarmless }];
  });
}

function extremes(query: ReadQuery, { node }: ExpressionSite): readonly NumberUse[] {
  if (!isExtreme(node) || node.over !== null) return [];
  const [only, ...others] = node.args;
  const column = only === undefined || others.length > 0 ? null : query.column(only);
  if (only === undefined || column === null) return [];
  return [{ column, node: bareExpression(only), kind: 'extreme', place: node, literals: [], isHarmless: false }];
}

/** The columns that a select sorts by; within a query, only where it takes some of the rows. */
function sortKeys(query: ReadQuery, { node, use }: SelectSite): readonly NumberUse[] {
  if (use !== 'result' && node.limit === null) return [];
  return node.orderBy.flatMap(({ expression: place, direction, nulls }) => {
    const column = query.column(place);
    // Text sorts last, as what is no number should.
    const isHarmless = direction !== 'DESC' && nulls === null;
    return column === null
      ? []
      : [{ column, node: bareExpression(place), kind: 'sorted' as const, place, literals: [], isHarmless }];
  });
}

/** Every place where the order of a column's values counts. */
function usesOf(query: ReadQuery): readonly NumberUse[] {
  const { selects, expressions } = query.sites;
  const inside = expressions.flatMap((site) => [...comparisons(query, site), ...extremes(query, site)]);
  return [...selects.flatMap((select) => sortKeys(query, select)), ...inside];
}

/** A column's text read as a number: what is none as NULL, which sorts last as text does. */
function asNumber(text: string, { kind, isHarmless }: NumberUse, { kind: stored, voids }: ColumnFacts): string {
  if (stored === 'mixed') return `(CASE WHEN typeof(${text}) = 'text' THEN NULL ELSE ${text} END)`;
  if (voids.length === 0) return `CAST(${text} AS REAL)`;
  const isVoid = `${text} IN (${voids.map(renderString).join(', ')})`;
  if (kind === 'sorted' && isHarmless) return `${isVoid}, CAST(${text} AS REAL)`;
  return `CAST(CASE WHEN ${isVoid} THEN NULL ELSE ${text} END AS REAL)`;
}

/** The query with a column read as a number wherever its order counts. */
function asNumbers(query: ReadQuery, uses: readonly NumberUse[], facts: ColumnFacts): string {
  const edits = new Map<number, SqlEdit>();
  const replace = (node: Expression, after: string): void => {
    const { start, end } = node.span;
    edits.set(start, { start, end, before: query.text(node), after });
  };
  for (const use of uses) {
    replace(use.node, asNumber(query.text(use.node), use, facts));
    for (const literal of use.literals) replace(literal, String(query.value(literal)).trim());
  }
  return applyEdits(query.sql, sortEdits([...edits.values()]));
}

/** Texts of a column of numbers, as a sentence names them. */
function shownTexts({ distinct }: ColumnFacts): string {
  const texts = (distinct ?? []).slice(0, 3).map((text) => JSON.stringify(text.slice(0, 40)));
  return `${texts.length === 1 ? 'text' : 'texts'} ${texts.join(', ')}`.trim();
}

/** Where the order counts, in words: "the query sorts by it", "max(age)". */
function placeWords(query: ReadQuery, { kind, place }: NumberUse): string {
  return kind === 'sorted' ? 'the query sorts by it' : query.text(place);
}

function sentenceOf(query: ReadQuery, use: NumberUse, facts: ColumnFacts): string {
  const { name } = use.column;
  if (facts.kind === 'mixed')
    return `${name} holds numbers and the ${shownTexts(facts)}, and SQLite takes text for greater than any number: ${placeWords(query, use)}.`;
  const [first] = facts.voids;
  const also = first === undefined ? '' : `, and ${JSON.stringify(first)} among them`;
  return `${name} holds numbers as text${also}, so that '9' counts as greater than '10': ${placeWords(query, use)}.`;
}

/** Both queries with their ties broken alike, where one is sorted, so that they differ by the numbers alone. */
function untiedPair(gold: AuditedGold, query: ReadQuery, repaired: string): readonly [string, string] {
  const variant = gold.readVariant(repaired);
  const at = query.sites.selects.findIndex(({ node }) => node.orderBy.length > 0 && node.limit !== null);
  const [own, theirs] = [query.sites.selects[at], variant?.sites.selects[at]];
  if (own === undefined || theirs === undefined) return [query.sql, repaired];
  const completed = [completeOrder(query.sql, own, 'ASC'), completeOrder(repaired, theirs, 'ASC')] as const;
  return completed[0] === null || completed[1] === null ? [query.sql, repaired] : [completed[0], completed[1]];
}

/** Returns the finding from the uses of one column if it holds texts. */
async function findingOf(
  gold: AuditedGold,
  rows: GoldRows,
  query: ReadQuery,
  all: readonly [NumberUse, ...NumberUse[]],
): Promise<GoldFinding | null> {
  const { table, column } = all[0].column;
  const facts = await rows.facts(table, column);
  if (facts === null || (facts.kind !== 'mixed' && facts.kind !== 'number-texts')) return null;
  const uses = facts.kind === 'mixed' ? all.filter(({ isHarmless }) => !isHarmless) : all;
  const use = uses.find(({ kind }) => kind !== 'compared') ?? uses[0];
  if (use === undefined) return null;
  const repaired = asNumbers(query, uses, facts);
  const [before, after] = untiedPair(gold, query, repaired);
  const isSequence = use.kind === 'sorted' && query.sites.selects[0]?.node.limit === null;
  const mode = isSequence ? 'ordered' : 'bag';
  const evidence = await rows.differ(['as written', before], ['read as numbers', after], mode, withNumbers);
  if (evidence === null) return null;
  const name = use.kind === 'compared' || facts.kind === 'mixed' ? 'affinity' : 'text-order';
  const repair = await verifiedRepair(gold, repaired);
  return { ...plainFinding(name, sentenceOf(query, use, facts)), evidence, repair };
}

/** Checks whether a text literal is compared with a column that holds numbers alone: no row can meet it. */
async function textLiteral(gold: AuditedGold, query: ReadQuery, { node }: ExpressionSite): Promise<GoldFinding | null> {
  for (const [side, other] of equalSides(node)) {
    const column = query.column(side);
    const value = query.value(other);
    if (column === null || typeof value !== 'string' || isNumberText(value)) continue;
    const { name, type } = column;
    const facts = await gold.factsOf(column);
    if (facts?.kind === 'numbers')
      return plainFinding('affinity', `${query.text(node)} never holds: ${name} holds nothing but numbers.`);
    if (facts === null && type === 'number')
      return plainFinding('affinity', `${query.text(node)} compares text with ${name}, which is a number.`, false);
  }
  return null;
}

/** Without rows, a comparison of size between a column that the schema calls text and a number. */
function possibleAffinity(query: ReadQuery, { column, kind, place }: NumberUse): GoldFinding | null {
  const isSize =
    place.kind === 'between' || (place.kind === 'binary' && /[<>]/.test(place.operator) && place.operator !== '<>');
  if (kind !== 'compared' || column.type !== 'text' || !isSize) return null;
  const sentence = `${query.text(place)} compares with a number ${column.name}, which the schema calls text.`;
  return plainFinding('affinity', sentence, false);
}

/** Gold queries that sort or compare texts where numbers are meant. */
export async function checkNumberTexts(gold: AuditedGold): Promise<readonly GoldFinding[]> {
  const { query, rows } = gold;
  if (query === null) return [];
  const found: (GoldFinding | null)[] = [];
  for (const uses of groupBy(usesOf(query), ({ column }) => JSON.stringify(column.ref)).values()) {
    if (rows === null) found.push(...uses.map((use) => possibleAffinity(query, use)));
    else found.push(await findingOf(gold, rows, query, uses));
  }
  for (const site of query.sites.expressions) found.push(await textLiteral(gold, query, site));
  return found.filter((finding) => finding !== null);
}
