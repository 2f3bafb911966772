import type { FailedOutcome } from '../../sql/execution/query-batch.js';
import type { Outcome } from '../metric.js';

/** The outcome of a single query without a result. */
export interface FailedTrial {
  readonly outcome: Outcome;
  readonly reason?: string;
}

/** Reason of a verdict where the comparison grew too large. */
export const UNDECIDED = 'undecided: no correspondence of rows or columns found in time; it counts as wrong';

/** SQLite's words for text that is no SQL. */
const NO_SQL = /syntax error|unrecognized token|incomplete input/i;

/** First words of statements; other texts that are refused as none that reads are no SQL. */
const STATEMENT =
  /^\s*(?:alter|analyze|attach|begin|commit|create|delete|detach|drop|end|explain|insert|pragma|reindex|release|replace|rollback|savepoint|select|update|vacuum|values|with)\b/i;

/** The outcome of a query that was to be executed and has no result. */
export function failedTrial(outcome: FailedOutcome, sql: string): FailedTrial {
  switch (outcome.kind) {
    case 'failed':
      return { outcome: NO_SQL.test(outcome.message) ? 'unparsable' : 'failing', reason: outcome.message };
    case 'refused': {
      const isProse = outcome.reason === 'not-a-select' && !STATEMENT.test(sql);
      return { outcome: isProse ? 'unparsable' : 'refused', reason: outcome.reason };
    }
    case 'too-large':
      return { outcome: 'too-large', reason: `more ${outcome.limit} than allowed` };
    case 'timed-out':
      return { outcome: 'timed-out' };
  }
}

/** Describes a gold query without a result. */
export function badGoldReason({ outcome, reason }: FailedTrial): string {
  return `${outcome}${reason === undefined ? '' : `: ${reason}`}`;
}
