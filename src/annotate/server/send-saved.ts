import type { Context } from 'hono';
import type { SaveOutcome } from '../project/answer-store.js';
import { ApiError, sendError } from '../../http/api-error.js';

/** The answer as stored; 409 with the current one where the save was stale: what it held is kept next to it. */
export function sendSaved(c: Context, outcome: SaveOutcome): Response {
  if (outcome.saved) return c.json(outcome.answer);
  const stale = new ApiError('stale', 'this answer was changed elsewhere in the meantime', {
    fix: 'Look at what is saved now, and save again what should.',
  });
  return sendError(c, stale, { current: outcome.current, kept: true });
}
