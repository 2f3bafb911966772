import { ATTACK_METRIC_TITLES } from '../attack-metrics.js';
import { renderSearch, renderSelect } from '../../report/filtered-list.js';
import { formatCount, formatNoun } from '../../report/figures.js';
import { type Html, html } from '../../report/html.js';
import type { AttackReport } from '../attack-report.js';
import type { CaseData } from './packed-cases.js';
import { CASE_STATUSES, type CaseStatus, measuredMetrics } from './case-status.js';
import type { AttackMetric } from '../attack-metrics.js';

const STATUS_NAMES: Readonly<Record<CaseStatus, string>> = {
  broken: 'Broken',
  survived: 'Survived',
  fixed: 'Fixed',
  wrong: 'Wrong before and after',
};

/** What squares and marks mean, for those who see them; each has its words as a label of its own. */
const LEGEND: Html = html`<ul class="legend squares-legend" aria-hidden="true">
  <li><i class="broken"></i>broken</li>
  <li><i class="survived"></i>survived</li>
  <li><i class="fixed"></i>fixed</li>
  <li><i class="wrong"></i>wrong before and after</li>
  <li><mark class="rpl">renamed</mark> <mark class="add">added</mark> <mark class="stale">old name</mark></li>
  <li><u>differs from gold</u></li>
</ul>`;

function renderFilters({ cases, settings }: AttackReport, metrics: readonly AttackMetric[]): Html {
  const databases = [...new Set(cases.map(({ dbId }) => dbId))].sort();
  const levels = ['easy', 'medium', 'hard', 'extra'].filter((level) =>
    cases.some(({ hardness }) => hardness === level),
  );
  return html`<div class="filters" role="search">
    ${renderSearch('question, SQL, name, id')}
    ${renderSelect(
      'status',
      'Result',
      CASE_STATUSES.map((status) => [status, STATUS_NAMES[status]]),
    )}
    ${renderSelect(
      'metric',
      'Judged by',
      metrics.map((metric) => [metric, ATTACK_METRIC_TITLES[metric]]),
      null,
    )}
    ${renderSelect('kind', 'Kind', ['RPL', 'ADD'], 'RPL and ADD')}
    ${renderSelect('seed', 'Seed', settings.seeds.map(String))} ${renderSelect('database', 'Database', databases)}
    ${levels.length > 0 && renderSelect('hardness', 'Hardness', levels)}
  </div>`;
}

/** What the browser's script fills: filters, the list, and the pages' buttons. Without scripts it says where the cases are. */
export function renderCaseBrowser(report: AttackReport, data: CaseData): Html {
  const metrics = measuredMetrics(report.scores);
  if (data.cases.length === 0) return html`<p class="note">This run has no cases.</p>`;
  const part =
    data.cases.length < data.examples &&
    html` This page holds ${formatCount(data.cases.length)} of ${formatNoun(data.examples, 'example')}, drawn without
    regard to how they ended; report.json has them all.`;
  return html`<p class="note">
      Every example, on its original tables and on each perturbed one. <em>Broken</em>: right on the original, wrong on
      the perturbed tables; <em>fixed</em>: the other way round.${part}
    </p>
    <noscript><p class="note">Browsing cases needs scripts. They are all in report.json.</p></noscript>
    <div class="body browser" id="case-browser" hidden>
      ${renderFilters(report, metrics)}
      <div class="found">
        <output aria-live="polite" id="case-count"></output>
        <button type="button" class="plain" id="case-clear">Clear filters</button>
      </div>
      ${LEGEND}
      <ol class="cases" id="case-list"></ol>
      <div class="pager" role="group" aria-label="Pages of cases">
        <button type="button" id="case-previous">Previous</button>
        <span id="case-page"></span>
        <button type="button" id="case-next">Next</button>
      </div>
    </div>`;
}
