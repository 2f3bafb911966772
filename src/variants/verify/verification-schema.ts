import { z } from 'zod';
import { loadRecord } from '../../formats/json-file.js';
import { VERDICTS, type Verdict } from './verdict.js';

const count = z.int().min(0);

type TallyShape = Readonly<Record<Verdict, z.ZodDefault<typeof count>>>;

/** How many by verdict; none of one that the report's version did not know. */
export const verdictTally = z
  .object(Object.fromEntries(VERDICTS.map((verdict) => [verdict, count.default(0)])) as TallyShape)
  .readonly();

/** How results are compared. */
export const COMPARISON = 'exact values, as a bag; in order where ORDER BY decides (v1)';

/** Fields that the reports of all verifications have. */
export const VERIFICATION = {
  comparison: z.literal(COMPARISON),
  withoutDatabase: count,
  otherQueries: z.object({ run: count, nonEmpty: count, differing: count }).readonly().exactOptional(),
  nonEmpty: z.number().min(0).max(1).nullable(),
} as const;

/** Fields of a record whose gold does not give what its original's gives. */
export const UNEQUAL = { verdict: z.enum(VERDICTS), detail: z.string().nullable() } as const;

/**
 * Reads the report of a verification that had finished.
 * @throws InputFormatError naming the field that is wrong
 */
export function loadVerification<S extends z.ZodType>(schema: S, file: string): z.infer<S> {
  return loadRecord(schema, file, 'report', 'Verify again, with another --out.');
}
