import { z } from 'zod';
import { causeText } from '../../cause-text.js';
import { type ErrorPlace, InputFormatError, PerturbqlError } from '../../errors.js';

const requestSchema = z.union([
  z.object({ db_id: z.string().min(1), gold: z.string().min(1), predictions: z.array(z.string()) }),
  z.object({ id: z.string().min(1), predictions: z.array(z.string()) }),
  z.object({ id: z.string().min(1), seed: z.int() }),
]);

/**
 * Predictions for one gold query: its text and database, or the id of its example or variant; or the wish for a variant
 * of an example.
 */
export type RewardRequest = z.infer<typeof requestSchema>;
/** A request that has predictions. */
export type Rollouts = Extract<RewardRequest, { predictions: unknown }>;

const FIX =
  'Write {"db_id": …, "gold": …, "predictions": […]} or {"id": …, "predictions": […]}; with --variants also {"id": …, "seed": …}.';

/** A request out of JSON, or why it is none. */
export function readRewardRequest(value: unknown, where: ErrorPlace): RewardRequest | RewardRefusal {
  const parsed = requestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  return refusalOf(new InputFormatError('this is no request for rewards', { where, fix: FIX }));
}

/** Why a request has no answer. */
export interface RewardRefusal {
  readonly error: { readonly message: string; readonly cause: string | null; readonly fix: string };
}

/** The error of a request as it is sent back. @throws what is no fault of the request */
export function refusalOf(error: unknown): RewardRefusal {
  if (!(error instanceof PerturbqlError)) throw error;
  const { fix, cause } = error;
  const [first = ''] = error.render().split('\n');
  return { error: { message: first, cause: cause instanceof Error ? causeText(cause) : null, fix } };
}
