import { formatCount, formatTenths } from '../../report/figures.js';
import { renderNumber, renderTableFrame } from '../../report/page-parts.js';
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

function renderRate({ rate, interval }: ConsistencyFigures): Html {
  if (rate === null) return html`<td class="num zero">–</td>`;
  const ends =
    interval !== null && html`<span class="sub">${formatTenths(interval.low)} to ${formatTenths(interval.high)}</span>`;
  return html`<td class="num" data-sort="${rate}"><span class="big">${formatTenths(rate)}</span>${ends}</td>`;
}

function renderCells(figures: ConsistencyFigures, published: number | null): Html {
  const { cases, seeds, inconsistent, by } = figures;
  return html`<td class="num">${formatCount(cases)}<span class="sub">${formatCount(seeds)} seeds</span></td>
    <td class="num">${formatCount(inconsistent)}</td>
    ${renderRate(figures)} ${renderNumber(by.exact.rate, formatTenths)}${renderNumber(by.execution.rate, formatTenths)}
    <td class="num">${published === null ? '–' : published.toFixed(1)}</td>`;
}

function renderRow([relation, figures]: readonly [string, ConsistencyFigures]): Html {
  const name = nameOfRelation(relation);
  return html`<tr>
    <th scope="row">${nameHtml(relation)}${name !== null && html`<span class="name">${name}</span>`}</th>
    ${renderCells(figures, factsOf(relation)?.publishedRate ?? null)}
  </tr>`;
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
        html`<table class="rates">
          <thead>
            <tr>
              <th scope="col">Relation</th>
              <th scope="col" class="num">Mutants</th>
              <th scope="col" class="num">Changed</th>
              <th scope="col" class="num">Rate</th>
              <th scope="col" class="num"><abbr title="by exact match alone">Exact</abbr></th>
              <th scope="col" class="num"><abbr title="by execution alone">Exec.</abbr></th>
              <th scope="col" class="num"><abbr title="MT-TEQL Table 7, average">Paper</abbr></th>
            </tr>
          </thead>
          <tbody>
            ${Object.entries(relations).map(renderRow)}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All</th>
              ${renderCells(all, PUBLISHED_RATE)}
            </tr>
          </tfoot>
        </table>`,
      )}
      <figure>${renderPlot(report)}</figure>
    </div>`;
}
