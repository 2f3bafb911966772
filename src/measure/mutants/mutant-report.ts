import { z } from 'zod';
import { reportedInterval } from '../../report/statistics/bootstrap.js';
import { ANSWER_METRICS } from '../../victims/scoring.js';
import { HARDNESS_LEVELS } from '../../evaluate/exact/hardness.js';
import { count, share } from '../asked-report.js';
import { reportedAnswer } from '../judged-answer.js';
import { resultDifference } from '../../report/result-difference.js';

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

/** One side of a failure: what was asked, what is right where that is known, and what was answered. */
const side = reportedAnswer.extend({
  question: z.string(),
  gold: z.string().nullable(),
  /** Where the results of a wrong answer and its gold query differ; only where both gave rows. */
  rows: resultDifference.exactOptional(),
});

/** A mutant that a victim failed on, next to its seed. */
export const mutantFailure = z.object({
  id: z.string(),
  seed: z.string(),
  dbId: z.string(),
  origin: z.string(),
  relations: z.array(z.string()),
  details: z.array(z.string()),
  /** Of the seed's gold query; absent where that is unknown, and from reports of earlier versions. */
  hardness: z.enum(HARDNESS_LEVELS).exactOptional(),
  /** Id of the mutant that this was shrunk from; null where nothing could be dropped. */
  shrunkFrom: z.string().nullable(),
  before: side,
  after: side,
  /** The tables that differ, "singer(id, name)" a line; empty where the schema is the seed's. */
  schema: z.object({ before: z.array(z.string()), after: z.array(z.string()) }),
});

export type ReportedFailure = z.infer<typeof mutantFailure>;
export type ReportedSide = z.infer<typeof side>;

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
