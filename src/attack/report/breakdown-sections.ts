import { ATTACK_METRIC_TITLES } from '../attack-metrics.js';
import type { ExactComponent } from '../../evaluate/exact/components.js';
import { COMPONENT_NAMES } from '../../evaluate/report/component-table.js';
import { figureCell, MIX_HEAD, renderTable, type TableRow } from '../../report/data-table.js';
import { formatCount, formatNoun, formatPoints, formatTenths } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { renderFilter, renderScroller } from '../../report/page-parts.js';
import type { AttackBreakdown, AttackReport } from '../attack-report.js';
import { renderDumbbell } from '../../report/interval-plot.js';
import { CONDITION_WORDS, measuredMetrics } from './case-status.js';
import type { AttackMetric } from '../attack-metrics.js';

const LEGEND: Html = html`<ul class="legend" aria-hidden="true">
  ${(['original', 'RPL', 'ADD'] as const).map((condition) => html`<li class="${condition.toLowerCase()}">${CONDITION_WORDS[condition]}</li>`)}
</ul>`;

function rowOf({ key, examples, accuracy }: AttackBreakdown): TableRow {
  const { original, RPL, ADD } = accuracy;
  const change = (value: number | null): Html | null =>
    value === null || original === null ? null : html`<span class="sub">${formatPoints(value - original)}</span>`;
  return [
    nameHtml(key),
    { content: formatCount(examples), className: 'count', sort: examples },
    figureCell(original, formatTenths),
    ...[RPL, ADD].map((value) => figureCell(value, formatTenths, change(value))),
    renderDumbbell(accuracy),
  ];
}

/** Accuracy by condition, RPL next to ADD; with `filter` it can be searched and sorted. */
function renderBreakdown(what: string, rows: readonly AttackBreakdown[], filter: string | null = null): Html {
  return renderTable({
    className: 'counts breakdown',
    filter,
    heads: [what, 'Examples', 'Original', 'RPL', 'ADD', MIX_HEAD],
    rows: rows.map(rowOf),
  });
}

const ofMetric = (rows: readonly AttackBreakdown[], metric: AttackMetric): readonly AttackBreakdown[] =>
  rows.filter((row) => row.metric === metric);

const NONE: Html = html`<p class="note">Not measured in this run.</p>`;

/** A table for each metric, side by side. */
function renderByMetric(what: string, rows: readonly AttackBreakdown[]): Html {
  const metrics = measuredMetrics(rows);
  return html`${LEGEND}
    <div class="body${metrics.length > 1 && ' split'}">
      ${metrics.map(
        (metric) =>
          html`<div>
            <h3>${ATTACK_METRIC_TITLES[metric]}</h3>
            ${renderBreakdown(what, ofMetric(rows, metric))}
          </div>`,
      )}
    </div>`;
}

/** Accuracy per hardness, a table for each metric. */
export function renderHardness({ byHardness }: AttackReport): Html {
  if (byHardness.length === 0) return NONE;
  return html`<p class="note">By Spider’s hardness of the gold SQL. Percent; below it the change in points.</p>
    ${renderByMetric('Hardness', byHardness)}`;
}

/** Accuracy by difficulty of the candidates, a table for each metric. */
export function renderDifficulty({ byDifficulty = [] }: AttackReport): Html {
  if (byDifficulty.length === 0) return NONE;
  const rows = byDifficulty.map(({ kind, from, to, cases, ...row }) => {
    return { ...row, key: `${kind}, ${from.toFixed(2)} to ${to.toFixed(2)}`, examples: cases };
  });
  return html`<p class="note">
      By the mean difficulty of the candidates of a perturbation, in parts of about as many cases: new names are hard
      where they are far from the old one and from the questions’ words (RPL), further columns where they are near
      (ADD). Examples: those that were perturbed, once for each seed. Percent; below it the change in points.
    </p>
    ${renderByMetric('Difficulty', rows)}`;
}

/** Exact match per component, RPL against ADD. */
export function renderComponents({ byComponent }: AttackReport): Html {
  if (byComponent.length === 0) return NONE;
  const named = byComponent.map((row) => ({ ...row, key: COMPONENT_NAMES[row.key as ExactComponent] ?? row.key }));
  return html`<p class="note">
      Of the gold queries that have a component, the share whose answer matches it as a whole. Examples: gold queries
      that have it.
    </p>
    ${LEGEND}
    <div class="body">${renderBreakdown('Component', named)}</div>`;
}

/** Databases shown, those with the most examples; single-table data sets have thousands. */
const MOST_DATABASES = 300;

/** The largest groups, in their own order. */
function largest(rows: readonly AttackBreakdown[]): readonly AttackBreakdown[] {
  const kept = new Set([...rows].sort((a, b) => b.examples - a.examples).slice(0, MOST_DATABASES));
  return rows.filter((row) => kept.has(row));
}

/** Accuracy per database, sortable; the first metric open, others folded away. */
export function renderDatabases({ byDatabase }: AttackReport): Html {
  const [first, ...others] = measuredMetrics(byDatabase);
  if (first === undefined) return NONE;
  const table = (metric: AttackMetric): Html => {
    const label = `${ATTACK_METRIC_TITLES[metric]} per database`;
    const filter = `databases-${metric}`;
    return html`${renderFilter(filter, 'Find a database')}
    ${renderScroller(label, renderBreakdown('Database', largest(ofMetric(byDatabase, metric)), filter))}`;
  };
  const { length } = ofMetric(byDatabase, first);
  const shown = length > MOST_DATABASES && ` Shown are the ${MOST_DATABASES} with most examples; report.json has all.`;
  return html`<p class="note">
      ${ATTACK_METRIC_TITLES[first]} in ${formatNoun(length, 'database')}. Percent; below it the change in points.
      Headings sort.${shown}
    </p>
    ${LEGEND}
    <div class="body">${table(first)}</div>
    ${others.map(
      (metric) =>
        html`<details class="more">
          <summary>${ATTACK_METRIC_TITLES[metric]} per database</summary>
          <div class="inside">${table(metric)}</div>
        </details>`,
    )}`;
}
