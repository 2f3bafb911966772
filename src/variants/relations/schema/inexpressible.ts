import type { NotApplicable } from '../relation.js';

/** Stops the rewrite of a gold that has no form on a changed schema; the message is the reason, a stable word. */
export class Inexpressible extends Error {}

/** A rewrite's result, or why there is none. */
export function orReason(rewrite: () => string): string | NotApplicable {
  try {
    return rewrite();
  } catch (error) {
    if (error instanceof Inexpressible) return { reason: error.message };
    throw error;
  }
}
