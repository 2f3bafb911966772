import type { Database } from '../../schema/schema.js';
import type { Identifier } from '../../sql/ast.js';
import type { BoundQuery, NameBinding, OriginalNames } from '../../sql/bound-query.js';
import type { SqlEdit } from '../../sql/edits.js';
import type { ColumnFacts } from './column-facts.js';
import type { QuerySites } from './query-sites.js';
import type { TokenText } from './token-text.js';

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
  readonly edit: SqlEdit;
  /** The change, for people: "> → >=". */
  readonly detail: string;
  /** Why no database can tell the changed query from the gold, or null where that isn't shown. */
  readonly equivalent: string | null;
}
