import { ATTACK_METRIC_TITLES } from '../attack-metrics.js';
import { groupBy } from '../../run/group-by.js';
import {
  abbreviation,
  countCell,
  figureCell,
  renderTable,
  type RowGroup,
  type TableCell,
  type TableRow,
  words,
} from '../../report/data-table.js';
import {
  endsOf,
  formatCount,
  formatNoun,
  formatPointRange,
  formatPoints,
  formatProbability,
  formatTenths,
} from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import {
  type PageSection,
  renderFacts,
  renderPage,
  renderTableFrame,
  renderWideTable,
} from '../../report/page-parts.js';
import { renderIntervalPlot } from '../../report/interval-plot.js';
import { ATTACK_STYLE } from '../../report/result-style.js';
import { DRAWN } from './case-status.js';
import type { ComparedDrop, ComparedScore, RunComparison, RunSummary } from './compare-runs.js';

/** Renders a comparison as a page of the same look as the reports': one file that loads nothing. */
export function renderComparePage(comparison: RunComparison, version: string): string {
  const { first, second } = comparison;
  return renderPage({
    title: `${first.name} and ${second.name} compared`,
    eyebrow: html`perturbql compare · ${nameHtml(first.name)} and ${nameHtml(second.name)}`,
    headline: describeResult(comparison),
    lede: html`First: ${describeRun(first)}. Second: ${describeRun(second)}. Both on the cases that both have.`,
    warnings: comparison.warnings,
    version,
    sections: pageSections(comparison),
    style: ATTACK_STYLE,
    footer: 'The figures are those of `perturbql compare --json`.',
  });
}

function describeRun({ name, victim }: RunSummary): Html {
  return html`${nameHtml(victim.id)} (${nameHtml(name)})`;
}

/** The first metric in a sentence: what differs beyond chance, by the intervals. */
function describeResult({ scores }: RunComparison): string {
  const own = scores.filter(({ metric }) => metric === scores[0]?.metric);
  if (own.length === 0) return 'Two runs without a case in common';
  const clear = own.filter(({ difference }) => {
    const ends = endsOf(difference);
    return ends !== null && (ends.low > 0 || ends.high < 0);
  });
  const title = ATTACK_METRIC_TITLES[own[0]!.metric];
  if (clear.length === 0) return `${title}: no clear difference`;
  const parts = clear.map(({ condition, difference }) => {
    const where = condition === 'original' ? 'on the original tables' : `under ${condition}`;
    return `${formatPoints(difference!.mean)} points ${where}`;
  });
  return `${title} of the second run: ${parts.join(', ')}`;
}

function pageSections(comparison: RunComparison): PageSection[] {
  const { scores, drops, byHardness } = comparison;
  const nothing = html`<p class="note">Nothing to compare.</p>`;
  return [
    { id: 'accuracy', heading: 'Accuracy', body: scores.length === 0 ? nothing : renderScores(scores) },
    {
      id: 'robustness',
      heading: 'Points lost to perturbation',
      link: 'Robustness',
      body: drops.length === 0 ? nothing : renderDrops(drops),
    },
    {
      id: 'hardness',
      heading: 'By hardness',
      link: 'Hardness',
      body: byHardness.length === 0 ? nothing : renderHardness(byHardness),
    },
    { id: 'matching', heading: 'Which cases are compared', link: 'Matching', body: renderMatches(comparison) },
    { id: 'runs', heading: 'The runs', link: 'Runs', body: renderRuns(comparison) },
  ];
}

function scoreRow({ condition, first, second, difference, mcNemar }: ComparedScore): TableRow {
  return [
    condition,
    ...[first, second].map((score) => figureCell(score, formatTenths)),
    differenceCell(difference),
    ...[mcNemar.onlyFirst, mcNemar.onlySecond].map(formatCount),
    formatProbability(mcNemar.p),
  ];
}

function differenceCell(difference: ComparedScore['difference']): TableCell {
  const range = difference && html`<span class="sub">${formatPointRange(difference)}</span>`;
  return figureCell(difference?.mean ?? null, formatPoints, range);
}

function renderScoreTable(what: string, groups: readonly RowGroup[]): Html {
  return renderTableFrame(
    what,
    renderTable({
      className: 'compared examples',
      heads: [
        ...(['Condition', 'First', 'Second', 'Change'] as const),
        abbreviation('Only 1st', 'cases that only the first has right'),
        abbreviation('Only 2nd', 'cases that only the second has right'),
        abbreviation('p', 'exact McNemar test, two-sided'),
      ],
      groups,
    }),
  );
}

/** Scores in groups, in the order of their first. */
function groupScores(
  scores: readonly ComparedScore[],
  headingOf: (score: ComparedScore) => string,
): readonly RowGroup[] {
  return [...groupBy(scores, headingOf)].map(([heading, own]) => ({ heading, rows: own.map(scoreRow) }));
}

const labelOf = ({ metric, condition }: Pick<ComparedScore, 'metric' | 'condition'>): string =>
  `${ATTACK_METRIC_TITLES[metric]}, ${condition}`;

function renderScores(scores: readonly ComparedScore[]): Html {
  return html`<p class="note">
      Percent; the change in points, second less first, with its 95 % interval by bootstrap over ${DRAWN}. p: McNemar’s
      exact test over cases. Where an example was asked with several seeds its cases are not independent, and the
      interval is the safer guide.
    </p>
    <div class="body">
      ${renderScoreTable(
        'Accuracy',
        groupScores(scores, ({ metric }) => ATTACK_METRIC_TITLES[metric]),
      )}
    </div>
    <div class="body">${renderDifferences('scores', 'Change in accuracy, points', scores)}</div>`;
}

/** Differences with their intervals around zero. */
function renderDifferences(id: string, title: string, rows: readonly (ComparedScore | ComparedDrop)[]): Html {
  const shown = rows.flatMap((row) => (row.difference === null ? [] : [{ ...row, difference: row.difference }]));
  const reach = shown.flatMap(({ difference: { mean, low, high } }) => [mean, low ?? mean, high ?? mean]);
  const widest = Math.max(0.01, ...reach.map(Math.abs));
  const limit = Math.ceil(widest * 20) / 20;
  const lanes = shown.map((row) => ({
    label: labelOf(row),
    figure: formatPoints(row.difference.mean),
    className: row.condition.toLowerCase(),
    value: row.difference.mean,
    interval: row.difference,
  }));
  return renderIntervalPlot({
    id: `plot-${id}`,
    title,
    groups: [{ heading: '', lanes }],
    axis: { from: -limit, to: limit, ticks: [-limit, 0, limit] },
    formatTick: formatPoints,
    axisTitle: 'second less first, points',
  });
}

function renderDrops(drops: readonly ComparedDrop[]): Html {
  return html`<p class="note">
      What each run loses against its own original tables, in points, and how much more the second loses: above 0 it is
      the less robust one.
    </p>
    <div class="body split">
      ${renderTable({
        heads: ['Points lost', 'First', 'Second', 'Difference'],
        rows: drops.map((drop) => [
          labelOf(drop),
          ...[drop.first, drop.second].map((lost) => figureCell(lost, formatTenths)),
          differenceCell(drop.difference),
        ]),
      })}
      <div>${renderDifferences('drops', 'Difference of the points lost', drops)}</div>
    </div>`;
}

function renderHardness(scores: readonly ComparedScore[]): Html {
  return html`${[...groupBy(scores, ({ metric }) => ATTACK_METRIC_TITLES[metric])].map(
    ([heading, own]) =>
      html`<div class="body">
        <h3>${heading}</h3>
        ${renderScoreTable(
          `${heading} by hardness`,
          groupScores(own, ({ hardness }) => hardness ?? 'unknown'),
        )}
      </div>`,
  )}`;
}

function renderMatches({ matches }: RunComparison): Html {
  return html`<p class="note">Cases are joined by example (id, database, question), kind and seed.</p>
    ${renderWideTable(
      'Cases compared',
      renderTable({
        className: 'scores',
        heads: [
          ...(['Condition', 'Both'] as const),
          abbreviation('Only 1st', 'cases that only the first run has'),
          abbreviation('Only 2nd', 'cases that only the second run has'),
          abbreviation('Otherwise perturbed', 'of the cases of both, those whose tables were perturbed in another way'),
        ],
        rows: matches.map(({ condition, both, onlyFirst, onlySecond, otherwisePerturbed }) => [
          condition,
          ...[both, onlyFirst, onlySecond, otherwisePerturbed].map(countCell),
        ]),
      }),
    )}`;
}

function renderRuns({ first, second, differences }: RunComparison): Html {
  const short = (text: string): Html =>
    text.length > 60 ? html`<code title="${text}">${text.slice(0, 12)}</code>` : nameHtml(text);
  const table = renderTable({
    heads: ['What differs', words('First'), words('Second')],
    rows: differences.map(({ what, first, second, questions }) => [
      html`${what}${questions && html` <span class="tag warn">other questions</span>`}`,
      ...[first, second].map(short),
    ]),
  });
  const facts = [first, second].map(
    ({ name, victim, dataset, settings }, i) =>
      html`<div class="stacked">
        <h3>${i === 0 ? 'First' : 'Second'}: ${nameHtml(name)}</h3>
        ${renderFacts([
          ['Victim', nameHtml(victim.description)],
          ['Data set', html`${nameHtml(dataset.format)}, ${formatNoun(dataset.examples, 'example')}`],
          ['Candidates', nameHtml(settings.candidates ?? 'none')],
          ['Strategy', settings.strategy],
          ['Seeds', settings.seeds.join(', ')],
        ])}
      </div>`,
  );
  return html`${differences.length === 0 ? html`<p class="note">Their settings are the same.</p>` : html`<div class="body">${table}</div>`}
    <div class="body split">${facts}</div>`;
}
