import { formatCount, formatPercent } from '../../report/figures.js';
import { type Html, html } from '../../report/html.js';
import { renderWideTable } from '../../report/page-parts.js';
import type { EvaluationReport, LevelScores } from '../evaluation-report.js';
import { HARDNESS_LEVELS } from '../exact/hardness.js';
import { type ErrorRate, type ErrorRates, RIVAL_METRICS, type RivalMetric } from '../summary/error-rates.js';

/** Metrics over pairs, as headings. */
const METRIC_TITLES = {
  exact: 'Exact match',
  execution: 'Execution',
  suite: 'Test suite',
  columns: 'Columns used',
} as const;
export type PageMetric = keyof typeof METRIC_TITLES;

/** The metrics that a report has, in the order in which they are shown. */
export function pageMetrics(report: EvaluationReport): readonly PageMetric[] {
  return (Object.keys(METRIC_TITLES) as PageMetric[]).filter((metric) => report[metric] !== undefined);
}

export function metricTitle(metric: PageMetric): string {
  return METRIC_TITLES[metric];
}

function scoreCell(scores: LevelScores | undefined): Html {
  if (scores?.accuracy == null) return html`<td class="num zero">–</td>`;
  const { accuracy, interval } = scores;
  const spread = interval !== null && html`${formatPercent(interval.low)} to ${formatPercent(interval.high)}`;
  return html`<td class="num">${formatPercent(accuracy)}<span class="sub">${spread}</span></td>`;
}

type Row = readonly [label: string, scoresOf: (metric: PageMetric) => LevelScores | undefined];

function scoreRows(report: EvaluationReport): readonly Row[] {
  const hasUnknown = pageMetrics(report).some((metric) => report[metric]?.hardness.unknown !== undefined);
  return [
    ['all', (metric) => report[metric]],
    ...HARDNESS_LEVELS.map((level): Row => [level, (metric) => report[metric]?.hardness[level]]),
    ...(hasUnknown ? [['unknown', (metric) => report[metric]?.hardness.unknown] satisfies Row] : []),
  ];
}

/** A table by hardness. */
function renderTable(label: string, heads: Html, rows: readonly Html[]): Html {
  return renderWideTable(
    label,
    html`<table class="scores">
      <thead>
        <tr>
          <th scope="col">Hardness</th>
          ${heads}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  );
}

/** Accuracy of each metric with its interval, of all pairs and by hardness. */
export function renderScores(report: EvaluationReport): Html {
  const metrics = pageMetrics(report);
  const rows = scoreRows(report).map(([label, scoresOf]) => {
    const pairs = metrics[0] === undefined ? 0 : (scoresOf(metrics[0])?.pairs ?? 0);
    return html`<tr>
      <th scope="row">${label}</th>
      <td class="num">${formatCount(pairs)}</td>
      ${metrics.map((metric) => scoreCell(scoresOf(metric)))}
    </tr>`;
  });
  return html`<p class="note">
      Share of pairs that are correct, with its 95${'\u00a0'}% bootstrap interval, by the hardness of the gold.
    </p>
    ${renderTable(
      'Scores',
      html`<th scope="col" class="num">Pairs</th>
        ${metrics.map((metric) => html`<th scope="col" class="num">${METRIC_TITLES[metric]}</th>`)}`,
      rows,
    )}`;
}

function rateCells({ falsePositiveRate, falsePositives, falseNegativeRate, falseNegatives }: ErrorRate): Html[] {
  return [[falsePositiveRate, falsePositives] as const, [falseNegativeRate, falseNegatives] as const].map(
    ([rate, count]) =>
      rate === null
        ? html`<td class="num zero">–</td>`
        : html`<td class="num">${formatPercent(rate)}<span class="sub">${formatCount(count)}</span></td>`,
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
  const row = (label: string, rateOf: (rates: ErrorRates) => ErrorRate | undefined): Html =>
    html`<tr>
      <th scope="row">${label}</th>
      ${shown.map(([, rates]) => {
        const rate = rateOf(rates);
        return rate === undefined ? null : rateCells(rate);
      })}
    </tr>`;
  return html`<p class="note">
      Pairs, as shares of all, that a metric counts as correct though they are wrong on the suite (false positives), and
      the other way round (false negatives): section 6.2 of Zhong et al. 2020.
    </p>
    ${renderTable(
      'Error rates',
      html`${shown.map(
        ([metric]) =>
          html`<th scope="col" class="num">${METRIC_TITLES[metric]}: false positives</th>
            <th scope="col" class="num">${METRIC_TITLES[metric]}: false negatives</th>`,
      )}`,
      [row('all', ({ all }) => all), ...levels.map((level) => row(level, ({ hardness }) => hardness[level]))],
    )}`;
}
