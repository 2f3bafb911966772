import { BREAK_RULES } from './break-rules.js';
import { REFINEMENT_RULES } from './refinement-rules.js';

/** Every rule of splitting by its id: what it does, and where it is from. */
export function listSplitRules(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...BREAK_RULES, ...REFINEMENT_RULES].map(({ id, source, description }) => [id, `${description} (${source})`]),
  );
}
