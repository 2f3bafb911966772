import { z } from 'zod';

/** A mean with its interval, as reports hold it; ends are null where there were too few groups to tell them. */
export const reportedInterval = z.object({
  mean: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  confidence: z.number(),
});
