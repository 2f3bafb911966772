/** Metrics of answers, in the order of the tables. */
export const ANSWER_METRICS = ['exact', 'execution'] as const;
export type AnswerMetric = (typeof ANSWER_METRICS)[number];
