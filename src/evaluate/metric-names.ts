/** The metrics of the command, by the names of their keys in its output. */
export const METRIC_NAMES = ['exact', 'execution', 'suite', 'linking', 'columns'] as const;
export type MetricName = (typeof METRIC_NAMES)[number];
