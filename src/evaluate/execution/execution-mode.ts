import { type PublishedMode, RESULT_MODES, type ResultMode } from '../../sql/execution/result-modes.js';

/** When two results are equal: `RESULT_MODES`, with the gold as the reference. */
export const EXECUTION_MODES = RESULT_MODES;
/** These, and those of published evaluators (`executionRules`). */
export type ExecutionMode = ResultMode | PublishedMode;

/** Versions of the modes: a change of what counts as equal is another one. */
const EXECUTION_VERSION = 2;
const BIRD_VERSION = 3;

/** Changes to queries before they are executed, and the tolerance between numbers. */
export interface ExecutionSettings {
  readonly tolerance: number | null;
  /** Queries that a prediction becomes with the gold's values at most; 1 leaves it as it is. */
  readonly plugLimit: number;
  readonly dropDistinct: boolean;
}

/** The name of a way to compare, with its version: `ordered@2`, `bag-tolerance-0.001@2`. */
export function executionModeName(
  mode: ExecutionMode,
  { tolerance, plugLimit, dropDistinct }: ExecutionSettings,
): string {
  const tolerant = tolerance === null ? '' : `-tolerance-${tolerance}`;
  const plugged = plugLimit > 1 ? `-plugged-${plugLimit}` : '';
  return `${mode}${tolerant}${plugged}${dropDistinct ? '-no-distinct' : ''}@${mode === 'bird' ? BIRD_VERSION : EXECUTION_VERSION}`;
}
