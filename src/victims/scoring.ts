import type { PublishedMode, ResultMode } from '../sql/execution/result-mode.js';
import { METRIC_TITLES } from '../evaluate/metric.js';

/** Metrics of answers, in the order of the tables. */
export const ANSWER_METRICS = ['exact', 'execution'] as const;
export type AnswerMetric = (typeof ANSWER_METRICS)[number];

/**
 * Metrics of attacks, in the order of the tables: those of SQL, and of victims that answer with columns whether these are
 * all that the gold asks for, and no others.
 */
export const ATTACK_METRICS = [...ANSWER_METRICS, 'columns'] as const;
export type AttackMetric = (typeof ATTACK_METRICS)[number];

/** Metrics as headings. */
export const ATTACK_METRIC_TITLES = { ...METRIC_TITLES, columns: 'All columns right' } as const;

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
