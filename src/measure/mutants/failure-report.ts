import { z } from 'zod';
import { HARDNESS_LEVELS } from '../../evaluate/exact/hardness.js';
import { reportedAnswer } from '../reported-answer.js';
import { resultDifference } from '../../report/result-difference.js';

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
