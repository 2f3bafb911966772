import { type ErrorDetails, SqlRewriteError } from '../../errors.js';

/** Why a query has no clause form, or clauses no query: what docs/compositional.md lists. */
const REFUSALS = {
  unreadable: 'the query cannot be parsed or its names resolved',
  with: 'WITH',
  values: 'VALUES in place of SELECT',
  'no-from': 'a query without FROM',
  'outer-join': 'an outer join',
  'derived-table': 'a subquery in FROM',
  'table-function': 'a table-valued function in FROM',
  correlated: 'a nested query that refers to the query around it',
  'unjoined-tables': 'tables in FROM that no key joins',
  'join-way': 'joins that the clauses do not give back',
  window: 'a window function or FILTER',
  'nested-compound': 'a compound in parentheses, or with ORDER BY inside',
  'having-plain': 'HAVING on a column that is no group key',
  'having-or': 'OR between conditions on rows and on groups',
  'star-in-expression': 'a star that is neither selected nor counted',
  limit: 'a LIMIT that is no number',
  nulls: 'NULLS FIRST or LAST',
  expression: 'an expression that the form has no place for',
  condition: 'a condition that the form has no place for',
  natsql: 'NatSQL that is outside its published grammar',
  'no-select': 'clauses that select nothing',
} as const;
export type RefusalReason = keyof typeof REFUSALS;

/** A query without a clause form, or clauses without a query, with the reason by name. */
export class ClauseRefusal extends SqlRewriteError {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, detail: string, more: Partial<ErrorDetails> = {}) {
    const message = `no clause form for ${REFUSALS[reason]}${detail === '' ? '' : `: ${detail}`}`;
    super(message, { fix: 'Leave the query out, or write it in another way.', ...more });
    this.reason = reason;
  }
}
