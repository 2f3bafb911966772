import { z } from 'zod';
import { reportedInterval } from '../../report/statistics/reported-interval.js';
import { ANSWER_METRICS } from '../../victims/answer-metrics.js';
import { mutantFailure } from './failure-report.js';
import { pairedFlips } from './paired-report.js';

const share = z.number().min(0).max(1);
const count = z.int().min(0);

/** Right answers by one metric under a kind of change, and on the original tables of the same questions. */
const mutantScore = z.object({
  /** A relation, or `all` of them together. */
  relation: z.string(),
  /** Of a relation that has several levels: one of them; null for all of it. */
  level: z.string().nullable(),
  metric: z.enum(ANSWER_METRICS),
  questions: count,
  /** Distinct mutants. */
  mutants: count,
  original: share,
  /** Mean over the seeds; under a seed a question counts once, by the mean over its mutants. */
  accuracy: share,
  /** Sample standard deviation over the seeds (n - 1); null for one seed. */
  std: z.number().nullable(),
  /** `accuracy - original` over the questions, bootstrap. */
  change: reportedInterval.nullable(),
});

/** The findings of an attack with mutants. */
export const mutantReport = z.object({
  /** Distinct mutants that the figures are of, and how many schemas of their own they have. */
  mutants: count,
  schemas: count,
  /** sha256 of the run's mutants. */
  fingerprint: z.string(),
  /** `all` first. */
  scores: z.array(mutantScore),
  /** Question by question, by relation and level. */
  paired: z.array(pairedFlips).readonly(),
  /** Some of those that are right on the original tables and wrong on the mutant. */
  failures: z.array(mutantFailure),
});

export type MutantReport = z.infer<typeof mutantReport>;
export type MutantScore = z.infer<typeof mutantScore>;
