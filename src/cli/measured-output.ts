import { formatCount } from '../counts.js';
import { join } from 'node:path';
import type { AskedOutcome } from '../measure/victim-job.js';
import type { CommandOutput } from './command.js';

/** What a run that asked a model shows. */
interface MeasuredParts {
  /** The findings for a terminal. */
  readonly lines: readonly string[];
  /** The rules of `--fail-…` that it does not keep, in words. */
  readonly failures: readonly string[];
  /** Files of its folder. */
  readonly products: readonly string[];
  /** A further file. */
  readonly extra?: string | null;
}

/** Returns the findings of a run that asked a model, and whether it is complete and keeps the rules. */
export function measuredOutput(
  { open, fresh }: Pick<AskedOutcome<unknown>, 'open' | 'fresh'>,
  out: string,
  { lines, failures, products, extra = null }: MeasuredParts,
): CommandOutput {
  return {
    lines: [
      ...(fresh ? [] : ['already complete, so nothing was asked; if the model has changed, name a new --out:']),
      ...lines,
      ...(open === 0 ? [] : [`failed: ${formatCount(open)} questions are open; the same command asks them again`]),
      ...failures.map((message) => `failed: ${message}`),
      ...products.map((name) => `  ${join(out, name)}`),
      ...(extra === null ? [] : [`  ${extra}`]),
    ],
    failedCheck: failures.length > 0 || open > 0,
  };
}
