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
