import { NO_FIGURE, renderTable, type TableCell } from '../../report/data-table.js';
import { BUCKETS } from '../../formats/artifacts/candidates.js';
import type { BasicStatistics, StatisticRow } from './basic-statistics.js';
import type { CandidatesReport, Coverage, CoverageShare } from './candidates-report.js';
import { renderCounts, renderReasons, renderSources } from './count-sections.js';
import { renderExamples } from './example-list.js';
import { formatCount, formatNoun, formatShare } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import {
  type Card,
  type Meter,
  type PageSection,
  renderCards,
  renderColumnList,
  renderFacts,
  renderMeters,
  renderPage,
  renderSettings,
} from '../../report/page-parts.js';
import { describeReason } from './reason-text.js';
import { renderScores } from './score-section.js';
import { renderComposition } from '../../report/svg-plots.js';

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
  const { totals, coverage, statistics, published, settings } = report;
  return [
    { id: 'figures', heading: 'Key figures', body: renderKeyFigures(report) },
    { id: 'coverage', heading: 'Coverage', body: renderCoverage(coverage), half: true },
    {
      id: 'statistics',
      heading: 'Basic statistics',
      link: 'Statistics',
      body: renderStatistics(statistics, published),
      half: true,
    },
    { id: 'scores', heading: 'Scores', body: renderScores(report) },
    { id: 'rejections', heading: 'Reasons for rejection', link: 'Rejections', body: renderReasons(report) },
    { id: 'sources', heading: 'Sources', body: renderSources(totals.sources), half: true },
    { id: 'counts', heading: 'Counts of the run', link: 'Counts', body: renderRunCounts(report), half: true },
    { id: 'tables', heading: 'Tables and columns', link: 'Tables', body: renderCounts(report) },
    { id: 'examples', heading: 'Examples to read', link: 'Examples', body: renderExamplesSection(report) },
    { id: 'settings', heading: 'Settings and models', link: 'Settings', body: renderSettings(settings) },
  ];
}

function renderRunCounts({ counts }: CandidatesReport): Html {
  const facts = Object.entries(counts).map(([name, count]) => [name, formatCount(count)] as const);
  if (facts.length === 0) return html`<p class="note">None were kept.</p>`;
  return html`<p class="note">Work done, and what each rule took out before the judge.</p>
    <div class="body stacked">${renderFacts(facts)}</div>`;
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const average = (value: number | null): string => (value === null ? '–' : String(Number(value.toFixed(2))));

function renderKeyFigures({ totals, coverage, statistics }: CandidatesReport): Html {
  const { RPL, ADD, rejected, near: borderline } = totals.buckets;
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
      label: 'Borderline decisions',
      figure: formatCount(borderline),
      gloss: 'another kind of CPU may decide these otherwise',
    },
  ];
  const parts = BUCKETS.map((bucket) => {
    const part = share(totals.buckets[bucket], totals.decisions);
    return {
      share: part,
      className: bucket.toLowerCase(),
      label: `${bucket === 'rejected' ? 'Rejected' : bucket} ${formatShare(part)}`,
    };
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
  const meter = (label: string, className: string, { columns, share }: CoverageShare): Meter => {
    return { label, figure: formatShare(share), gloss: formatNoun(columns, 'column'), share, className };
  };
  const meters = [
    meter('At least one RPL candidate', 'rpl', coverage.withRpl),
    meter('At least one ADD candidate', 'add', coverage.withAdd),
    meter('At least three ADD candidates', 'add', coverage.withThreeAdd),
    meter('An ADD candidate close to the column in topic', 'add', coverage.withCloseAdd),
  ];
  return html`<p class="note">
      Shares of the ${formatNoun(coverage.targetColumns, 'column')} that were to be perturbed.
    </p>
    <div class="body stacked">${renderMeters(meters)}</div>
    <div class="tail">
      ${renderColumnList('without any candidate', coverage.withoutAny)}
      ${renderColumnList('with ADD but no RPL', coverage.withoutRpl)}
      ${renderColumnList('with RPL but no ADD', coverage.withoutAdd)}
    </div>`;
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
      ${renderTable({
        heads: ['Statistic', 'Orig.', 'RPL', 'ADD'],
        rows: STATISTIC_LABELS.map(([key, label]) => [
          label,
          ...statisticCells(statistics[key], published?.[key] ?? null),
        ]),
      })}
    </div>`;
}

function statisticCells(row: StatisticRow, published: StatisticRow | null): readonly TableCell[] {
  const text = (value: number): string => (Number.isInteger(value) ? formatCount(value) : value.toFixed(2));
  return (['original', 'rpl', 'add'] as const).map((key) => {
    const [ours, theirs] = [row[key], published?.[key] ?? null];
    if (ours === null) return NO_FIGURE;
    return html`${text(ours)}${theirs !== null && html`<span class="sub">${text(theirs)}</span>`}`;
  });
}

function renderAcceptedExamples({ examples, totals }: CandidatesReport): Html {
  const caption = (bucket: 'RPL' | 'ADD', what: string): string => {
    return `${bucket}: ${shownOf(examples[bucket], totals.buckets[bucket])}, ${what}`;
  };
  return html`<p class="note">Chosen by a fixed rule and spread over the databases, not picked for looks.</p>
    <div class="body split">
      <div>${renderExamples(caption('RPL', 'should mean the same'), 'rpl', examples.RPL)}</div>
      <div>${renderExamples(caption('ADD', 'related, must not mean the same'), 'add', examples.ADD)}</div>
    </div>`;
}

function renderExamplesSection(report: CandidatesReport): Html {
  return html`${renderAcceptedExamples(report)}${renderRejectedExamples(report)}`;
}

function renderRejectedExamples({ examples, totals, reasonDescriptions }: CandidatesReport): Html | false {
  const groups = totals.reasons.flatMap(({ bucket, reason, count }) => {
    const group = examples.rejected.find((group) => group.reason === reason);
    return bucket === 'rejected' && group !== undefined ? [{ ...group, count }] : [];
  });
  if (groups.length === 0) return false;
  return html`<div class="later">
    <h3>Rejected, by reason</h3>
    <div class="tail">
      ${groups.map(
        (group) =>
          html`<details>
            <summary>
              ${describeReason(group.reason, reasonDescriptions)} <span class="dot">${formatCount(group.count)}</span>
            </summary>
            <div class="inside">
              ${renderExamples(shownOf(group.examples, group.count), 'rejected', group.examples)}
            </div>
          </details>`,
      )}
    </div>
  </div>`;
}

function shownOf(shown: readonly unknown[], all: number): string {
  return shown.length === all ? `all ${formatCount(all)}` : `${shown.length} of ${formatCount(all)}`;
}
