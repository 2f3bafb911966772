import type { Bucket } from '../../formats/candidates-file.js';
import type { BasicStatistics, StatisticRow } from './basic-statistics.js';
import type { CandidatesReport, ColumnCounts, Coverage, ReasonCount, TableCounts } from './candidates-report.js';
import type { BucketCounts, ColumnName } from './column-tally.js';
import { renderExamples } from './example-list.js';
import { formatCount, formatNoun, formatShare, type Html, html, nameHtml } from './html.js';
import {
  type Card,
  type PageSection,
  renderCards,
  renderFacts,
  renderFilter,
  renderPage,
  renderScroller,
  renderSettings,
} from './page-parts.js';
import { describeReason } from './reason-text.js';
import { histogramTotal, type ScoreHistogram, type ScoreName } from './score-histogram.js';
import { type HistogramLane, renderBar, renderComposition, renderHistogram, type ThresholdLine } from './svg-plots.js';

/**
 * Renders `report.html` of `perturbql candidates`: one self-contained file that loads nothing, reads on a phone and
 * in the dark, and works without scripts. The same report gives the same bytes.
 */
export function renderReportPage(report: CandidatesReport): string {
  const { dataset, settings, totals, coverage } = report;
  const covered = coverage.targetColumns - coverage.withoutAny.length;
  const { RPL, ADD, rejected } = totals.buckets;
  const headline = `${formatNoun(RPL, 'replacement')} and ${formatNoun(ADD, 'added column')} for ${dataset}`;
  return renderPage({
    title: `${dataset}, ${settings.recipe}: candidates`,
    eyebrow: html`perturbql candidates · data set ${nameHtml(dataset)} · recipe ${settings.recipe}`,
    headline,
    lede: html`Of ${formatNoun(totals.decisions, 'proposed name')}, ${formatCount(RPL)} mean the same as their column
    (RPL), ${formatCount(ADD)} are related to it but mean something else (ADD), and ${formatCount(rejected)} were
    rejected. ${formatCount(covered)} of ${formatNoun(coverage.targetColumns, 'target column')} can be perturbed.`,
    warnings: report.warnings,
    version: settings.version,
    sections: pageSections(report),
  });
}

function pageSections(report: CandidatesReport): PageSection[] {
  const { totals, counts, settings } = report;
  const run: Html = html`<div class="body">
    ${renderFacts(Object.entries(counts).map(([name, count]) => [name, formatCount(count)]))}
  </div>`;
  const countSection: PageSection[] =
    Object.keys(counts).length === 0 ? [] : [{ id: 'counts', heading: 'Counts of the run', body: run }];
  return [
    { id: 'figures', heading: 'Key figures', body: renderKeyFigures(report) },
    { id: 'coverage', heading: 'Coverage', body: renderCoverage(report.coverage), half: true },
    {
      id: 'statistics',
      heading: 'Basic statistics',
      body: renderStatistics(report.statistics, report.published),
      half: true,
    },
    { id: 'scores', heading: 'Scores', body: renderScores(report) },
    { id: 'rejections', heading: 'Reasons for rejection', body: renderReasons(report), half: true },
    { id: 'sources', heading: 'Sources', body: renderSources(totals.sources), half: true },
    { id: 'tables', heading: 'Tables and columns', body: renderCounts(report) },
    { id: 'examples', heading: 'Examples', body: renderAcceptedExamples(report) },
    { id: 'rejected', heading: 'Rejected examples', body: renderRejectedExamples(report) },
    ...countSection,
    { id: 'settings', heading: 'Settings and models', body: renderSettings(settings) },
  ];
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const average = (value: number | null): string => (value === null ? '–' : String(Number(value.toFixed(2))));

function renderKeyFigures({ totals, coverage, statistics }: CandidatesReport): Html {
  const { RPL, ADD, rejected, near } = totals.buckets;
  const perColumn = statistics.averageCandidatesPerColumn;
  const { databases } = coverage;
  const cards: Card[] = [
    {
      label: 'RPL candidates',
      figure: formatCount(RPL),
      gloss: `${average(perColumn.rpl)} per column that has any`,
      className: 'rpl',
    },
    {
      label: 'ADD candidates',
      figure: formatCount(ADD),
      gloss: `${average(perColumn.add)} per column that has any`,
      className: 'add',
    },
    {
      label: 'Rejected',
      figure: formatCount(rejected),
      gloss: `${formatShare(share(rejected, totals.decisions))} of all decisions`,
    },
    {
      label: 'Columns with RPL',
      figure: formatShare(coverage.withRpl.share),
      gloss: `${formatCount(coverage.withRpl.columns)} of ${formatCount(coverage.targetColumns)}`,
    },
    {
      label: 'Databases with both',
      figure: formatCount(databases.withBoth),
      gloss: `of ${formatCount(databases.total)}`,
    },
    {
      label: 'Near a threshold',
      figure: formatCount(near),
      gloss: 'decisions that another kind of CPU may make otherwise',
    },
  ];
  const parts = (['RPL', 'ADD', 'rejected'] as const).map((bucket) => {
    const part = share(totals.buckets[bucket], totals.decisions);
    return { share: part, className: bucket.toLowerCase(), label: `${bucket} ${formatShare(part)}` };
  });
  return html`<div class="body">
    ${renderCards(cards)}
    <div class="whole">
      ${renderComposition('whole', 'Decisions by bucket', parts)}
      <ul class="legend" aria-hidden="true">
        ${parts.map(({ className, label }) => html`<li class="${className}">${label}</li>`)}
      </ul>
    </div>
  </div>`;
}

function renderCoverage(coverage: Coverage): Html {
  const rows = [
    { label: 'at least one RPL candidate', className: 'rpl', ...coverage.withRpl },
    { label: 'at least one ADD candidate', className: 'add', ...coverage.withAdd },
    { label: 'at least three ADD candidates', className: 'add', ...coverage.withThreeAdd },
  ];
  return html`<p class="note">${formatNoun(coverage.targetColumns, 'column')} were to be perturbed.</p>
    <div class="body">
      <table class="meters">
        <thead hidden>
          <tr>
            <th scope="col">Columns with</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ label, className, columns, share }) =>
              html`<tr>
                <th scope="row">
                  ${label}<span class="sub">${formatNoun(columns, 'column')}</span>${renderBar([{ share, className }])}
                </th>
                <td class="num">${formatShare(share)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <div class="tail">
      ${renderMissing('without any candidate', coverage.withoutAny)}${renderMissing('without RPL', coverage.withoutRpl)}${renderMissing('without ADD', coverage.withoutAdd)}
    </div>`;
}

function renderMissing(what: string, columns: readonly ColumnName[]): Html | false {
  if (columns.length === 0) return false;
  return html`<details>
    <summary>${formatNoun(columns.length, 'column')} ${what}</summary>
    <div class="inside">
      <ul class="names">
        ${columns.map(
          ({ dbId, table, column }) =>
            html`<li>
              ${nameHtml(table)}<span class="dot"> . </span>${nameHtml(column)}
              <span class="sub">${nameHtml(dbId)}</span>
            </li>`,
        )}
      </ul>
    </div>
  </details>`;
}

const STATISTIC_LABELS: readonly (readonly [key: keyof BasicStatistics, label: string])[] = [
  ['totalTables', 'Total tables'],
  ['averageColumnsPerTable', 'Avg. columns per table'],
  ['averagePerturbedColumnsPerTable', 'Avg. perturbed columns per table'],
  ['averageCandidatesPerColumn', 'Avg. candidates per column'],
  ['uniqueColumns', 'Unique columns'],
  ['uniqueVocabulary', 'Unique vocab'],
];

function renderStatistics(statistics: BasicStatistics, published: BasicStatistics | null): Html {
  const compared = published !== null && ' Second line: the dev set as the paper’s annotators perturbed it.';
  return html`<p class="note">As in Table 1 of the ADVETA paper, limited to perturbed columns.${compared}</p>
    <div class="body">
      <table>
        <thead>
          <tr>
            <th scope="col">Statistic</th>
            <th scope="col" class="num">Orig.</th>
            <th scope="col" class="num">RPL</th>
            <th scope="col" class="num">ADD</th>
          </tr>
        </thead>
        <tbody>
          ${STATISTIC_LABELS.map(
            ([key, label]) =>
              html`<tr>
                <th scope="row">${label}</th>
                ${renderStatisticCells(statistics[key], published?.[key] ?? null)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function renderStatisticCells(row: StatisticRow, published: StatisticRow | null): Html[] {
  const text = (value: number): string => (Number.isInteger(value) ? formatCount(value) : value.toFixed(2));
  return (['original', 'rpl', 'add'] as const).map((key) => {
    const [ours, theirs] = [row[key], published?.[key] ?? null];
    if (ours === null) return html`<td class="num zero">–</td>`;
    return html`<td class="num">${text(ours)}${theirs !== null && html`<span class="sub">${text(theirs)}</span>`}</td>`;
  });
}

function renderAcceptedExamples({ examples, totals }: CandidatesReport): Html {
  const caption = (bucket: 'RPL' | 'ADD', what: string): string => {
    const [shown, all] = [examples[bucket].length, totals.buckets[bucket]];
    return `${bucket}: ${shown === all ? `all ${formatCount(all)}` : `${shown} of ${formatCount(all)}`}, ${what}`;
  };
  return html`<p class="note">Chosen by a fixed rule and spread over the databases, not picked for looks.</p>
    <div class="body split">
      <div>${renderExamples(caption('RPL', 'should mean the same'), 'rpl', examples.RPL)}</div>
      <div>${renderExamples(caption('ADD', 'related, must not mean the same'), 'add', examples.ADD)}</div>
    </div>`;
}

function renderRejectedExamples({ examples, totals, reasonDescriptions }: CandidatesReport): Html {
  const countOf = (reason: string): number =>
    totals.reasons.find((count) => count.bucket === 'rejected' && count.reason === reason)?.count ?? 0;
  const groups = examples.rejected.filter((group) => group.examples.length > 0);
  if (groups.length === 0) return html`<p class="note">None in this run.</p>`;
  return html`<div class="body">
    ${groups.map((group) => {
      const count = countOf(group.reason);
      return html`<details>
        <summary>
          ${describeReason(group.reason, reasonDescriptions)} <span class="note">${formatCount(count)}</span>
        </summary>
        <div class="inside">
          ${renderExamples(`${group.examples.length} of ${formatCount(count)}`, 'rejected', group.examples)}
        </div>
      </details>`;
    })}
  </div>`;
}
