import type { Comparison, ComparisonBatch } from './query-batch.js';
import type { QueryLimits, QueryOutcome } from './query-outcome.js';
import type { QuerySource } from './query-source.js';

export type { QuerySource };

/** A query with the database it reads. */
export interface QueryTask extends QuerySource {
  /** One SELECT, VALUES or WITH statement in SQLite's dialect; anything else is refused. */
  readonly sql: string;
}

/** A request to the child, one at a time. */
export interface QueryRequest {
  readonly task: QueryTask;
  readonly limits: QueryLimits;
}

/** A batch that the child works through. */
export interface BatchRequest {
  readonly batch: ComparisonBatch;
  /** True if it says of each query that it begins. */
  readonly announces: boolean;
}

/** A message from the child: those before an outcome tell the parent which time limit runs. */
export type QueryReply =
  | { readonly kind: 'ready' | 'opening' | 'running' }
  | { readonly kind: 'done'; readonly outcome: QueryOutcome }
  | { readonly kind: 'compared'; readonly results: readonly Comparison[] }
  | { readonly kind: 'at'; readonly place: number; readonly referenceRows: number };
