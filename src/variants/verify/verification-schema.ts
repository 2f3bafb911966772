import { z } from 'zod';
import { VERDICTS, type Verdict } from './verdict.js';

const count = z.int().min(0);

type TallyShape = Readonly<Record<Verdict, z.ZodDefault<typeof count>>>;

/** How many by verdict; none of one that the report's version did not know. */
export const verdictTally = z
  .object(Object.fromEntries(VERDICTS.map((verdict) => [verdict, count.default(0)])) as TallyShape)
  .readonly();

/** How results are compared. */
export const COMPARISON = 'exact values, as a bag; in order where ORDER BY decides (v1)';

/**
 * The results of gold queries whose questions ask something else, and how many of them do not give what their
 * original's gives; those that fail are among a verification's items.
 */
const otherQueries = z.object({ run: count, nonEmpty: count, differing: count }).readonly();
export type OtherQueries = z.infer<typeof otherQueries>;

/** Fields that the reports of all verifications have. */
export const VERIFICATION = {
  /** How results were compared. */
  comparison: z.literal(COMPARISON),
  /** Variants without a database, as the input has no rows for it. */
  withoutDatabase: count,
  /** Of mutants that ask something else; absent where there are none. */
  otherQueries: otherQueries.exactOptional(),
  /** Share of the compared variants whose result has rows, 0 to 1; null of none. */
  nonEmpty: z.number().min(0).max(1).nullable(),
} as const;

/** Fields of a record whose gold does not give what its original's gives. */
export const UNEQUAL = { verdict: z.enum(VERDICTS), detail: z.string().nullable() } as const;
