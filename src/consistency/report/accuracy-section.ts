import { formatCount, formatPoints, formatTenths } from '../../report/figures.js';
import { METRIC_TITLES } from '../../evaluate/metric.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { type ConsistencyFigures, type ConsistencyReport, type ReportedAccuracy } from '../consistency-report.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../victims/answer-metrics.js';

function renderRow(name: Html | string, accuracy: ReportedAccuracy | null): Html | false {
  if (accuracy === null) return false;
  const { seeds, mutants, broken, mended } = accuracy;
  return html`<tr>
    <th scope="row">${name}</th>
    <td class="num">${formatTenths(seeds)}</td>
    <td class="num">${formatTenths(mutants)}<span class="sub">${formatPoints(mutants - seeds)}</span></td>
    <td class="num">${formatCount(broken)}</td>
    <td class="num">${formatCount(mended)}</td>
  </tr>`;
}

function renderTable(metric: AnswerMetric, { all, relations }: ConsistencyReport): Html | false {
  if (all.accuracy[metric] === null) return false;
  const of = ({ accuracy }: ConsistencyFigures): ReportedAccuracy | null => accuracy[metric];
  return html`<table class="rates">
    <caption>
      ${METRIC_TITLES[metric]}
    </caption>
    <thead>
      <tr>
        <th scope="col">Relation</th>
        <th scope="col" class="num">Seeds</th>
        <th scope="col" class="num">Mutants</th>
        <th scope="col" class="num"><abbr title="right on the seed, wrong on the mutant">Broken</abbr></th>
        <th scope="col" class="num"><abbr title="wrong on the seed, right on the mutant">Mended</abbr></th>
      </tr>
    </thead>
    <tbody>
      ${Object.entries(relations).map(([relation, figures]) => renderRow(nameHtml(relation), of(figures)))}
    </tbody>
    <tfoot>
      ${renderRow('All', of(all))}
    </tfoot>
  </table>`;
}

/** Accuracy against the gold, on mutants and on their seeds: apart from consistency, as both can be wrong alike. */
export function renderAccuracy(report: ConsistencyReport): Html {
  const tables = ANSWER_METRICS.map((metric) => renderTable(metric, report)).filter((table) => table !== false);
  if (tables.length === 0) return html`<p class="note">Nothing was measured.</p>`;
  return html`<p class="note">
      Percent right against the mutants’ gold and, over the same mutants, against that of their seeds. A seed counts
      once for each of its mutants, so its share differs from relation to relation.
    </p>
    <div class="body split">${tables.map((table) => html`<div>${table}</div>`)}</div>`;
}
