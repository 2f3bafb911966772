import type { Database } from '../../schema/schema.js';
import type { ClauseQuery } from '../clauses/clause.js';
import type { Segment } from '../split/segment.js';
import type { AlignedQuestion } from './aligned-question.js';

/** What is aligned: a question in segments and its query in clauses. */
export interface AlignmentTask {
  readonly id: string;
  readonly question: string;
  readonly segments: readonly Segment[];
  readonly query: ClauseQuery;
}

/** Assigns each clause of a query to the segments that say it. */
export function alignQuestion(task: AlignmentTask, database: Database): AlignedQuestion {
  throw new Error(`not yet: ${task.id} ${database.id}`);
}
