import type { PairMetricKind } from './metric-kind.js';

/** A metric as it is listed; `load` brings what judges, which is heavy. */
export type MetricEntry =
  | {
      /** The units it has a verdict on. */
      readonly over: 'pairs';
      /** As a heading of pages. */
      readonly title: string;
      load(): Promise<PairMetricKind>;
    }
  | { readonly over: 'questions' };

/**
 * The metrics of `evaluate` by their keys in its output, in the order in which they judge. A new one is its file in
 * `kinds/` and an entry here.
 */
export const METRICS = {
  exact: { over: 'pairs', title: 'Exact match', load: async () => (await import('./kinds/exact-kind.js')).EXACT },
  execution: {
    over: 'pairs',
    title: 'Execution',
    load: async () => (await import('./kinds/execution-kind.js')).EXECUTION,
  },
  suite: { over: 'pairs', title: 'Test suite', load: async () => (await import('./kinds/suite-kind.js')).SUITE },
  linking: { over: 'questions' },
  columns: {
    over: 'pairs',
    title: 'Columns used',
    load: async () => (await import('./kinds/columns-kind.js')).COLUMNS,
  },
} as const satisfies Readonly<Record<string, MetricEntry>>;

export type MetricName = keyof typeof METRICS;

/** Those that judge a prediction against its gold query. */
export type PairMetric = {
  [K in MetricName]: (typeof METRICS)[K] extends { readonly over: 'pairs' } ? K : never;
}[MetricName];

export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[];

export const PAIR_METRICS: readonly PairMetric[] = METRIC_NAMES.filter(isPairMetric);

export function isPairMetric(name: MetricName): name is PairMetric {
  return METRICS[name].over === 'pairs';
}

type KindOf<K extends PairMetric> = Awaited<ReturnType<(typeof METRICS)[K]['load']>>;

/** The section of a metric in a report. */
export type MetricSection<K extends PairMetric> = NonNullable<KindOf<K>['section']>;

/** A metric's fields for a pair beyond those of all metrics. */
export type PairFields<K extends PairMetric> = NonNullable<KindOf<K>['fields']>;
