import { z } from 'zod';
import { OUTCOMES } from '../evaluate/metric.js';
import { type JudgedAnswer, outcomeOf } from './judged-answer.js';
import { VICTIM_FAILURES } from '../victims/victim.js';

/** An answer in a report, and what the metrics say of it. */
export const reportedAnswer = z.object({
  /** SQL of the answer; null where there is none. */
  predicted: z.string().nullable(),
  failure: z.enum(VICTIM_FAILURES).nullable(),
  /** Against the gold. */
  exact: z.enum(OUTCOMES).nullable(),
  execution: z.enum(OUTCOMES).nullable(),
});

/** An answer with SQL as reports have it. */
export function reportAnswer(judged: JudgedAnswer): z.infer<typeof reportedAnswer> {
  const { sql, failure } = judged.answer;
  return {
    predicted: sql,
    failure: failure?.kind ?? null,
    exact: outcomeOf(judged, 'exact'),
    execution: outcomeOf(judged, 'execution'),
  };
}
