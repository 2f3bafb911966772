import { mustGet } from '../../../src/present.js';
import type { ByLevel, CorrelationReport, Level } from '../correlation-report.js';
import { LEVELS } from '../correlation-report.js';
import { type JudgedMetric, SURFACE_METRICS, type SurfaceMetric } from '../verdict-files.js';

/** Metrics as headings. */
export const METRIC_TITLES: Readonly<Record<JudgedMetric, string>> = {
  exact: 'Exact match',
  'exact-spider': 'Exact match of Spider’s script',
  execution: 'Execution on one database',
  columns: 'Columns',
  suite: 'Test suite',
};

/** Levels that the report's pairs have, all of them first. */
export function levelsOf({ pairs }: CorrelationReport): readonly Level[] {
  return LEVELS.filter((level) => pairs[level] !== undefined);
}

/** Metrics that are set against the suite for at least one model. */
export function comparedMetrics({ correlations }: CorrelationReport): readonly SurfaceMetric[] {
  return SURFACE_METRICS.filter((metric) => correlations[metric] !== undefined);
}

/** The figure of a metric that `comparedMetrics` names, at a level that `levelsOf` names. */
export function figureOf<T>(
  figures: Readonly<Partial<Record<SurfaceMetric, ByLevel<T>>>>,
  metric: SurfaceMetric,
  level: Level,
): NonNullable<T> {
  return mustGet(figures[metric]?.[level], `the figure of ${metric}, ${level}`);
}

/** A rank correlation as the paper's figures show it, in percent: "91.4"; a dash where there is none. */
export function formatTau(tau: number | null | undefined): string {
  return tau == null ? '–' : (100 * tau).toFixed(1);
}
