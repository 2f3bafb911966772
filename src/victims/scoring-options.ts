import type { PublishedMode, ResultMode } from '../sql/execution/result-modes.js';

/** The options that determine how answers are scored. */
export interface ScoringOptions {
  /** The published evaluator by whose rules queries are executed; at most one. */
  readonly compat: readonly PublishedMode[];
  /** When two results are equal. */
  readonly mode: ResultMode;
  /** True if predictions get the gold's values before they are executed. */
  readonly plugValues: boolean;
  /** Longest time of one query in milliseconds. */
  readonly timeoutMs: number;
  /** Processes that execute queries; undefined = the number of cores. */
  readonly jobs: number | undefined;
}

export const SCORING_DEFAULTS = {
  compat: [],
  mode: 'ordered',
  plugValues: false,
  timeoutMs: 30_000,
  jobs: undefined,
} as const satisfies ScoringOptions;
