import type { Database } from '../../schema/schema.js';
import type { Expression, Identifier, ResultColumn } from '../../sql/ast.js';
import type { BoundQuery, NameBinding, NameContext, OriginalNames } from '../../sql/bound-query.js';
import type { SqlEdit } from '../../sql/edits.js';
import type { ColumnFacts } from './column-facts.js';
import type { CoreSite, QuerySites } from './query-sites.js';
import type { TokenText } from './token-text.js';
import type { Span } from '../../sql/tokenizer.js';
import { renderIdentifier } from '../../sql/dialect.js';
import { lookupIn, sameTarget } from '../../sql/name-context.js';
import { type ColumnTarget, nameIn } from '../../sql/scope.js';
import { expressionsWithin } from '../../sql/ast-walk.js';
import { aggregates, isAggregate } from '../../sql/aggregates.js';

/** Checks whether an expression has an aggregate outside of one of its parts, subqueries left aside. */
function aggregatesOutside(node: Expression, part: Expression): boolean {
  return expressionsWithin(node, (inner) => inner === part).some((inner) => inner !== part && isAggregate(inner));
}

/**
 * Checks whether SQLite takes a SELECT without an aggregate or a result column: without GROUP BY, it takes HAVING and
 * aggregates in ORDER BY only where an aggregate is selected.
 */
export function allowsWithout(
  { node, select }: CoreSite,
  { aggregate, column }: { readonly aggregate?: Expression; readonly column?: ResultColumn },
): boolean {
  const asksOutside = (expression: Expression): boolean =>
    aggregate === undefined ? aggregates(expression) : aggregatesOutside(expression, aggregate);
  if (node.groupBy.length > 0) return true;
  const asks = node.having !== null || select.node.orderBy.some(({ expression }) => asksOutside(expression));
  const left = column === undefined ? node.columns : node.columns.filter((each) => each !== column);
  return !asks || left.some((each) => each.kind === 'result' && asksOutside(each.expression));
}

/**
 * Checks whether a SELECT has a star where the number of its columns is fixed: by a set operation, an IN, or a value.
 */
export function fixesStar({ node, select }: CoreSite): boolean {
  const isFixed = select.node.terms.length > 1 || select.use === 'in' || select.use === 'scalar';
  return isFixed && node.columns.some(({ kind }) => kind === 'star');
}

/**
 * The kinds of changes, after the paper's Figure 2 and §3.1; of two that come to the same query, the earlier one names
 * it.
 */
export const CHANGE_KINDS = [
  'numeric-constant',
  'string-constant',
  'comparison-operator',
  'aggregator',
  'column',
  'table',
  'connective',
  'arithmetic',
  'join-type',
  'set-operator',
  'add-distinct',
  'add-limit',
  'null-handling',
  'order-direction',
  'drop-distinct',
  'drop-column',
  'drop-aggregate',
  'drop-condition',
  'drop-bound',
  'drop-listed',
  'drop-join',
  'drop-on',
  'drop-order-by',
  'drop-limit',
  'drop-group-by',
  'drop-having',
  'drop-clauses',
  'drop-branch',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A gold query, taken apart once for all changes. */
export interface Gold {
  readonly sql: string;
  readonly database: Database;
  readonly facts: ColumnFacts;
  readonly query: BoundQuery;
  readonly sites: QuerySites;
  readonly text: TokenText;
  /** The reference of each column token's name. */
  readonly names: ReadonlyMap<Identifier, NameBinding>;
  readonly world: OriginalNames;
}

/** One change of a gold query. */
export interface QueryChange {
  /** The edit of the gold's text. */
  readonly edit: SqlEdit;
  /** The change, for people: "> → >=". */
  readonly detail: string;
  /** Why no database can tell the changed query from the gold, or null where that isn't shown: then a suite is to do so. */
  readonly equivalent: string | null;
}

interface Item {
  readonly span: Span;
}

/** An edit that takes one of several items between commas out of its list, with one comma. */
export function cutItem(gold: Gold, items: readonly Item[], item: Item): SqlEdit {
  const next = items[items.indexOf(item) + 1];
  if (next !== undefined) return gold.text.cut({ start: item.span.start, end: next.span.start });
  return gold.text.cut(gold.text.withWords(1, item.span));
}

/**
 * A column as text that stands for it where it is to be written: with the qualifier given, else alone, else with its
 * table's name. Null where neither does.
 */
export function spellColumn(
  { world }: Gold,
  context: NameContext,
  target: ColumnTarget,
  qualifier: string | null,
): string | null {
  const name = nameIn(world, target.column);
  const { label } = target.source;
  for (const before of new Set([qualifier, label])) {
    const found = lookupIn(world, context, before, name);
    if (found === null || found.ambiguous || found.coalesced || !sameTarget(found.target, target)) continue;
    return before === null ? renderIdentifier(name) : `${renderIdentifier(before)}.${renderIdentifier(name)}`;
  }
  return null;
}
