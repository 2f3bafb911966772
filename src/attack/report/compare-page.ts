import { ATTACK_METRIC_TITLES } from '../attack-metrics.js';
import { groupBy } from '../../run/group-by.js';
import { formatCount, formatPointRange, formatPoints, formatProbability, formatTenths } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { type PageSection, renderFacts, renderNumber, renderPage, renderTableFrame } from '../../report/page-parts.js';
import { renderIntervalPlot } from '../../report/interval-plot.js';
import { ATTACK_STYLE } from '../../report/result-style.js';
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
  const clear = own.filter(({ difference }) => difference !== null && (difference.low > 0 || difference.high < 0));
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

function renderScoreRow({ condition, first, second, difference, mcNemar }: ComparedScore): Html {
  const range = difference === null ? null : html`<span class="sub">${formatPointRange(difference)}</span>`;
  return html`<tr>
    <th scope="row">${condition}</th>
    ${renderNumber(first, formatTenths)}${renderNumber(second, formatTenths)}
    ${renderNumber(difference?.mean ?? null, formatPoints, range)}
    <td class="num">${formatCount(mcNemar.onlyFirst)}</td>
    <td class="num">${formatCount(mcNemar.onlySecond)}</td>
    <td class="num">${formatProbability(mcNemar.p)}</td>
  </tr>`;
}

/** Scores under a heading of their own. */
interface ScoreGroup {
  readonly heading: string;
  readonly scores: readonly ComparedScore[];
}

function renderScoreTable(what: string, groups: readonly ScoreGroup[]): Html {
  return renderTableFrame(
    what,
    html`<table class="compared examples">
      <thead>
        <tr>
          <th scope="col">Condition</th>
          <th scope="col" class="num">First</th>
          <th scope="col" class="num">Second</th>
          <th scope="col" class="num">Change</th>
          <th scope="col" class="num"><abbr title="cases that only the first has right">Only 1st</abbr></th>
          <th scope="col" class="num"><abbr title="cases that only the second has right">Only 2nd</abbr></th>
          <th scope="col" class="num"><abbr title="exact McNemar test, two-sided">p</abbr></th>
        </tr>
      </thead>
      ${groups.map(
        ({ heading, scores }) =>
          html`<tbody>
            <tr>
              <th scope="rowgroup" colspan="7">${heading}</th>
            </tr>
            ${scores.map(renderScoreRow)}
          </tbody>`,
      )}
    </table>`,
  );
}

/** Scores in groups, in the order of their first. */
function groupScores(
  scores: readonly ComparedScore[],
  headingOf: (score: ComparedScore) => string,
): readonly ScoreGroup[] {
  return [...groupBy(scores, headingOf)].map(([heading, own]) => ({ heading, scores: own }));
}

const labelOf = ({ metric, condition }: Pick<ComparedScore, 'metric' | 'condition'>): string =>
  `${ATTACK_METRIC_TITLES[metric]}, ${condition}`;

function renderScores(scores: readonly ComparedScore[]): Html {
  return html`<p class="note">
      Percent; the change in points, second less first, with its 95 % interval by bootstrap over the examples. p:
      McNemar’s exact test over cases. Where an example was asked with several seeds its cases are not independent, and
      the interval is the safer guide.
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
  const widest = Math.max(0.01, ...shown.flatMap(({ difference: { low, high } }) => [Math.abs(low), Math.abs(high)]));
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
      <table>
        <thead>
          <tr>
            <th scope="col">Points lost</th>
            <th scope="col" class="num">First</th>
            <th scope="col" class="num">Second</th>
            <th scope="col" class="num">Difference</th>
          </tr>
        </thead>
        <tbody>
          ${drops.map(
            (drop) =>
              html`<tr>
                <th scope="row">${labelOf(drop)}</th>
                ${renderNumber(drop.first, formatTenths)}${renderNumber(drop.second, formatTenths)}
                ${renderNumber(
                  drop.difference?.mean ?? null,
                  formatPoints,
                  drop.difference && html`<span class="sub">${formatPointRange(drop.difference)}</span>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
      <div>${renderDifferences('drops', 'Difference of the points lost', drops)}</div>
    </div>`;
}

function renderHardness(scores: readonly ComparedScore[]): Html {
  return html`${groupScores(scores, ({ metric }) => ATTACK_METRIC_TITLES[metric]).map(
    ({ heading, scores: own }) =>
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
    <div class="body wide-table" role="region" aria-label="Cases compared" tabindex="0">
      <table class="scores">
        <thead>
          <tr>
            <th scope="col">Condition</th>
            <th scope="col" class="num">Both</th>
            <th scope="col" class="num"><abbr title="cases that only the first run has">Only 1st</abbr></th>
            <th scope="col" class="num"><abbr title="cases that only the second run has">Only 2nd</abbr></th>
            <th scope="col" class="num">
              <abbr title="of the cases of both, those whose tables were perturbed in another way"
                >Otherwise perturbed</abbr
              >
            </th>
          </tr>
        </thead>
        <tbody>
          ${matches.map(
            ({ condition, both, onlyFirst, onlySecond, otherwisePerturbed }) =>
              html`<tr>
                <th scope="row">${condition}</th>
                ${[both, onlyFirst, onlySecond, otherwisePerturbed].map(
                  (count) => html`<td class="num${count === 0 && ' zero'}">${formatCount(count)}</td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function renderRuns({ first, second, differences }: RunComparison): Html {
  const short = (text: string): Html =>
    text.length > 60 ? html`<code title="${text}">${text.slice(0, 12)}</code>` : nameHtml(text);
  const table = html`<table>
    <thead>
      <tr>
        <th scope="col">What differs</th>
        <th scope="col">First</th>
        <th scope="col">Second</th>
      </tr>
    </thead>
    <tbody>
      ${differences.map(
        ({ what, first, second, questions }) =>
          html`<tr>
            <th scope="row">${what}${questions && html` <span class="tag warn">other questions</span>`}</th>
            <td>${short(first)}</td>
            <td>${short(second)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
  const facts = [first, second].map(
    ({ name, victim, dataset, settings }, i) =>
      html`<div class="stacked">
        <h3>${i === 0 ? 'First' : 'Second'}: ${nameHtml(name)}</h3>
        ${renderFacts([
          ['Victim', nameHtml(victim.description)],
          ['Data set', html`${nameHtml(dataset.format)}, ${formatCount(dataset.examples)} examples`],
          ['Candidates', nameHtml(settings.candidates ?? 'none')],
          ['Strategy', settings.strategy],
          ['Seeds', settings.seeds.join(', ')],
        ])}
      </div>`,
  );
  return html`${differences.length === 0 ? html`<p class="note">Their settings are the same.</p>` : html`<div class="body">${table}</div>`}
    <div class="body split">${facts}</div>`;
}
