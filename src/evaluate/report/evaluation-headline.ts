import { formatCount } from '../../counts.js';
import { formatPercent } from '../../report/figures.js';
import type { EvaluationReport } from '../evaluation-report.js';
import { mainMetric } from './evaluation-cases.js';
import { reportMetrics } from './score-tables.js';

/** The predicate for correct predictions, by metric; by other metrics they are just correct. */
const DEEDS: ReadonlyMap<string, string> = new Map([
  ['suite', 'return the gold query’s rows on every database of the suite'],
  ['execution', 'return the gold query’s rows'],
  ['exact', 'match the gold query'],
  ['columns', 'use the gold query’s columns and tables'],
]);

/** The answer in a sentence: "22 of 30 predictions return the gold query’s rows". */
export function evaluationHeadline(report: EvaluationReport): string {
  const main = mainMetric(reportMetrics(report));
  const scores = main && report[main];
  if (main === undefined || scores === undefined) {
    const f1 = report.linking?.columns.f1 ?? null;
    return f1 === null ? 'No pair was scored' : `Links to columns have an F1 of ${formatPercent(f1)}`;
  }
  const answer = `${formatCount(scores.correct)} of ${formatCount(scores.pairs)} predictions ${DEEDS.get(main) ?? `are correct by ${main}`}`;
  const chance = report.suite?.errors.execution?.all.falsePositives ?? 0;
  return chance === 0 ? answer : `${answer}; ${formatCount(chance)} more do on the original database alone`;
}
