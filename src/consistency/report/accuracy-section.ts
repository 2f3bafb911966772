import { abbreviation, renderTable, type TableRow } from '../../report/data-table.js';
import { formatCount, formatPoints, formatTenths } from '../../report/figures.js';
import { METRIC_TITLES } from '../../evaluate/metric.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import type { ConsistencyReport, ReportedAccuracy } from '../consistency-report.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../victims/answer-metrics.js';

function rowOf(name: Html | string, accuracy: ReportedAccuracy): TableRow {
  const { seeds, mutants, broken, mended } = accuracy;
  return [
    name,
    formatTenths(seeds),
    html`${formatTenths(mutants)}<span class="sub">${formatPoints(mutants - seeds)}</span>`,
    ...[broken, mended].map(formatCount),
  ];
}

function renderMetric(metric: AnswerMetric, { all, relations }: ConsistencyReport): Html | false {
  const whole = all.accuracy[metric];
  if (whole === null) return false;
  return renderTable({
    className: 'rates',
    caption: METRIC_TITLES[metric],
    heads: [
      ...(['Relation', 'Seeds', 'Mutants'] as const),
      abbreviation('Broken', 'right on the seed, wrong on the mutant'),
      abbreviation('Mended', 'wrong on the seed, right on the mutant'),
    ],
    rows: Object.entries(relations).flatMap(([relation, { accuracy }]) =>
      accuracy[metric] === null ? [] : [rowOf(nameHtml(relation), accuracy[metric])],
    ),
    foot: rowOf('All', whole),
  });
}

/** Accuracy against the gold, on mutants and on their seeds: apart from consistency, as both can be wrong alike. */
export function renderAccuracy(report: ConsistencyReport): Html {
  const tables = ANSWER_METRICS.map((metric) => renderMetric(metric, report)).filter((table) => table !== false);
  if (tables.length === 0) return html`<p class="note">Nothing was measured.</p>`;
  return html`<p class="note">
      Percent right against the mutants’ gold and, over the same mutants, against that of their seeds. A seed counts
      once for each of its mutants, so its share differs from relation to relation. Where nothing answers a mutant,
      saying so is right.
    </p>
    <div class="body split">${tables.map((table) => html`<div>${table}</div>`)}</div>`;
}
