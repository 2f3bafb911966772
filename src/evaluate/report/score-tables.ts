import { NO_FIGURE, renderTable, type TableCell, type TableRow } from '../../report/data-table.js';
import { formatCount, formatPercent, formatRange } from '../../report/figures.js';
import { type Html, html } from '../../report/html.js';
import { renderWideTable } from '../../report/page-parts.js';
import type { EvaluationReport } from '../evaluation-report.js';
import { HARDNESS_LEVELS } from '../exact/hardness.js';
import type { LevelScores } from '../metric-kind.js';
import { METRICS, PAIR_METRICS, type PairMetric } from '../metrics.js';
import { type ErrorRate, type ErrorRates, RIVAL_METRICS, type RivalMetric } from '../summary/error-rates.js';

/** The metrics that a report has, in the order in which they are shown. */
export function pageMetrics(report: EvaluationReport): readonly PairMetric[] {
  return PAIR_METRICS.filter((metric) => report[metric] !== undefined);
}

export function metricTitle(metric: PairMetric): string {
  return METRICS[metric].title;
}

function scoreCell(scores: LevelScores | undefined): TableCell {
  if (scores?.accuracy == null) return NO_FIGURE;
  const { accuracy, interval } = scores;
  const spread = interval !== null && formatRange(interval, formatPercent);
  return html`${formatPercent(accuracy)}<span class="sub">${spread}</span>`;
}

type Row = readonly [label: string, scoresOf: (metric: PairMetric) => LevelScores | undefined];

function scoreRows(report: EvaluationReport): readonly Row[] {
  const hasUnknown = pageMetrics(report).some((metric) => report[metric]?.hardness.unknown !== undefined);
  return [
    ['all', (metric) => report[metric]],
    ...HARDNESS_LEVELS.map((level): Row => [level, (metric) => report[metric]?.hardness[level]]),
    ...(hasUnknown ? [['unknown', (metric) => report[metric]?.hardness.unknown] satisfies Row] : []),
  ];
}

/** Accuracy of each metric with its interval, of all pairs and by hardness. */
export function renderScores(report: EvaluationReport): Html {
  const metrics = pageMetrics(report);
  const table = renderTable({
    className: 'scores',
    heads: ['Hardness', 'Pairs', ...metrics.map(metricTitle)],
    rows: scoreRows(report).map(([label, scoresOf]) => {
      const pairs = metrics[0] === undefined ? 0 : (scoresOf(metrics[0])?.pairs ?? 0);
      return [label, formatCount(pairs), ...metrics.map((metric) => scoreCell(scoresOf(metric)))];
    }),
  });
  const hasTurns = metrics.some((metric) => report[metric]?.interactions != null);
  const units = hasTurns ? 'interactions, the turns of one together' : 'questions';
  return html`<p class="note">
      Share of pairs that are correct, with its 95${'\u00a0'}% interval by bootstrap over the ${units}, by the hardness
      of the gold.
    </p>
    ${renderWideTable('Scores', table)}`;
}

function rateCells(rates: ErrorRate | undefined): readonly TableCell[] {
  if (rates === undefined) return [];
  const { falsePositiveRate, falsePositives, falseNegativeRate, falseNegatives } = rates;
  return [[falsePositiveRate, falsePositives] as const, [falseNegativeRate, falseNegatives] as const].map(
    ([rate, count]) =>
      rate === null ? NO_FIGURE : html`${formatPercent(rate)}<span class="sub">${formatCount(count)}</span>`,
  );
}

/** How often exact match and execution say otherwise than the suite; null where neither ran next to it. */
export function renderErrorRates({ suite }: EvaluationReport): Html | null {
  const shown = RIVAL_METRICS.flatMap((metric): (readonly [RivalMetric, ErrorRates])[] => {
    const rates = suite?.errors[metric];
    return rates === undefined ? [] : [[metric, rates]];
  });
  const [first] = shown;
  if (first === undefined) return null;
  const levels = [...HARDNESS_LEVELS, ...(first[1].hardness.unknown === undefined ? [] : (['unknown'] as const))];
  const row = (label: string, rateOf: (rates: ErrorRates) => ErrorRate | undefined): TableRow => [
    label,
    ...shown.flatMap(([, rates]) => rateCells(rateOf(rates))),
  ];
  const table = renderTable({
    className: 'scores',
    heads: [
      'Hardness',
      ...shown.flatMap(([metric]) =>
        ['false positives', 'false negatives'].map((what) => `${metricTitle(metric)}: ${what}`),
      ),
    ],
    rows: [row('all', ({ all }) => all), ...levels.map((level) => row(level, ({ hardness }) => hardness[level]))],
  });
  return html`<p class="note">
      Pairs, as shares of all, that a metric counts as correct though they are wrong on the suite (false positives), and
      the other way round (false negatives): section 6.2 of Zhong et al. 2020.
    </p>
    ${renderWideTable('Error rates', table)}`;
}
