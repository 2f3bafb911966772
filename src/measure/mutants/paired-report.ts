import { z } from 'zod';
import { reportedInterval } from '../../report/statistics/reported-interval.js';
import { ANSWER_METRICS } from '../../victims/answer-metrics.js';

const share = z.number().min(0).max(1);
const count = z.int().min(0);

/** Right answers on mutants against those on their seeds, with the question as the unit. */
export const pairedFlips = z.object({
  relation: z.string(),
  /** Of a relation that has several levels: one of them; null for all of it. */
  level: z.string().nullable(),
  /** True if the change touches the questions: their gold is another one, or none. */
  touched: z.boolean(),
  metric: z.enum(ANSWER_METRICS),
  questions: count,
  cases: count,
  /** Shares of right answers; a question's on its mutants is the mean over them. */
  before: share,
  after: share,
  /** `after - before` over the questions, bootstrap. */
  change: reportedInterval.nullable(),
  /** Questions that are right on the seed and wrong on most of the mutants, and the other way round. */
  broken: count,
  mended: count,
  /** McNemar's test of these two, exact and two-sided, and mid-p. */
  p: share,
  midP: z.number(),
  /** How many questions show a drop of so many points with a power of 80 %, with as many flips. */
  needed: z.array(z.object({ points: z.number(), questions: count })).readonly(),
});

export type PairedFlips = z.infer<typeof pairedFlips>;
