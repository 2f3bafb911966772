import type { ColumnRef } from '../../schema/schema.js';
import type { ClauseQuery } from '../clauses/clause.js';
import type { Segment } from '../split/segment.js';

/** A clause of a segment. */
export interface ClauseLink {
  /** Index in the query's clauses. */
  readonly clause: number;
  /** Probability that people would link the two, 0 to 1. */
  readonly confidence: number;
  /** True if the segment says nothing of the clause's column: NO MENTIONED (Spider-SS §2.3). */
  readonly unmentioned: boolean;
}

/** A segment of a question with what it says of the query; without links and `extra` it is Spider-SS's NONE. */
export interface AlignedSegment extends Segment {
  readonly links: readonly ClauseLink[];
  /** Columns that it mentions and that fit no clause of its own: `extra` (Spider-SS §2.2). */
  readonly extra: readonly ColumnRef[];
  /** That all its links are right and none is missing, 0 to 1. */
  readonly confidence: number;
}

/** A question in segments, each with its clauses. */
export interface AlignedQuestion {
  /** Id of the example. */
  readonly id: string;
  readonly dbId: string;
  readonly question: string;
  /** The data set's explanation of the question's words, such as BIRD's evidence; left out where it has none. */
  readonly hint?: string;
  readonly query: ClauseQuery;
  /** In the order of the question. */
  readonly segments: readonly AlignedSegment[];
  /** The lowest of its segments'. */
  readonly confidence: number;
}
