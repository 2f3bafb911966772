import {
  abbreviation,
  figureCell,
  NO_FIGURE,
  renderTable,
  type TableCell,
  type TableRow,
} from '../../report/data-table.js';
import { formatCount, formatTenths } from '../../report/figures.js';
import { renderTableFrame } from '../../report/page-parts.js';
import { renderIntervalPlot } from '../../report/interval-plot.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { RELATIONS, type RelationId } from '../../metamorphic/relations.js';
import type { ConsistencyFigures, ConsistencyReport } from '../consistency-report.js';
import { PUBLISHED_RATE } from '../published.js';

/** What is known of a relation; undefined of one of the user's own. */
function factsOf(relation: string): (typeof RELATIONS)[RelationId] | undefined {
  return RELATIONS[relation as RelationId];
}

/** The paper's name of a relation; null of one that is not the paper's. */
export function nameOfRelation(relation: string): string | null {
  return factsOf(relation)?.name ?? null;
}

function rateCell({ rate, interval }: ConsistencyFigures): TableCell {
  if (rate === null) return NO_FIGURE;
  const ends =
    interval !== null && html`<span class="sub">${formatTenths(interval.low)} to ${formatTenths(interval.high)}</span>`;
  return { content: html`<span class="big">${formatTenths(rate)}</span>${ends}`, sort: rate };
}

function rowOf(name: Html | string, figures: ConsistencyFigures, published: number | null): TableRow {
  const { cases, seeds, inconsistent, by } = figures;
  return [
    name,
    html`${formatCount(cases)}<span class="sub">${formatCount(seeds)} seeds</span>`,
    formatCount(inconsistent),
    rateCell(figures),
    ...[by.exact.rate, by.execution.rate].map((rate) => figureCell(rate, formatTenths)),
    published === null ? '–' : published.toFixed(1),
  ];
}

function relationRow([relation, figures]: readonly [string, ConsistencyFigures]): TableRow {
  const name = nameOfRelation(relation);
  const title = html`${nameHtml(relation)}${name !== null && html`<span class="name">${name}</span>`}`;
  return rowOf(title, figures, factsOf(relation)?.publishedRate ?? null);
}

/** A relation's code with the paper's name of it. */
export function wordsOf(relation: string): string {
  return [relation, nameOfRelation(relation)].filter((part) => part !== null).join(', ');
}

/** Ends of the plot's axis. */
const ROUND_ENDS = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1];

function renderPlot({ all, relations }: ConsistencyReport): Html {
  const entries = [...Object.entries(relations), ['all', all] as const];
  const highest = Math.max(...entries.map(([, { rate, interval }]) => interval?.high ?? rate ?? 0));
  const end = ROUND_ENDS.find((one) => highest <= one) ?? 1;
  const lanes = entries.flatMap(([relation, { rate, interval }]) =>
    rate === null
      ? []
      : [{ label: wordsOf(relation), figure: `${formatTenths(rate)} %`, className: 'add', value: rate, interval }],
  );
  return renderIntervalPlot({
    id: 'rates-plot',
    title: 'Inconsistency rate by relation, with intervals',
    axisTitle: 'mutants whose prediction changed, %',
    groups: [{ heading: '', lanes }],
    axis: { from: 0, to: end, ticks: [0, end / 2, end] },
    formatTick: (tick) => `${Number((tick * 100).toFixed(1))} %`,
  });
}

/** The paper's Table 7 for this victim, and the same as a plot. */
export function renderRelations(report: ConsistencyReport): Html {
  const { all, relations } = report;
  return html`<p class="note">
      Percent of the mutants whose prediction changed though the relation says that it must not, and the 95 % interval,
      by bootstrap over the seeds with all mutants of one; where none changed its upper end is 3 divided by the number
      of seeds (rule of three). Where the gold is unchanged the predicted queries must be the same by exact match; where
      it was rewritten they must give the same result. Paper: the mean of its nine models, by exact match, on its own
      mutants.
    </p>
    <div class="body split headline">
      ${renderTableFrame(
        'By relation',
        renderTable({
          className: 'rates',
          heads: [
            ...(['Relation', 'Mutants', 'Changed', 'Rate'] as const),
            abbreviation('Exact', 'by exact match alone'),
            abbreviation('Exec.', 'by execution alone'),
            abbreviation('Paper', 'MT-TEQL Table 7, average'),
          ],
          rows: Object.entries(relations).map(relationRow),
          foot: rowOf('All', all, PUBLISHED_RATE),
        }),
      )}
      <figure>${renderPlot(report)}</figure>
    </div>`;
}
