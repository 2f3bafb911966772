import {
  abbreviation,
  figureCell,
  NO_FIGURE,
  renderTable,
  type TableCell,
  type TableRow,
} from '../../report/data-table.js';
import { formatCount, formatRange, formatTenths } from '../../report/figures.js';
import { type PageSection, renderTableFrame, renderWideTable } from '../../report/page-parts.js';
import { renderIntervalPlot } from '../../report/interval-plot.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { RELATIONS, type RelationId } from '../../metamorphic/relations.js';
import type { ConsistencyReport, ExpectedFigures } from '../consistency-report.js';
import type { ExpectedAnswer } from '../../metamorphic/expected-answer.js';
import { expectedIn, FAILURE_WORDS, figuresExpecting, relationsExpecting } from '../expected-figures.js';
import { PUBLISHED_RATE } from '../published.js';

/** What is known of a relation; undefined of one of the user's own. */
function factsOf(relation: string): (typeof RELATIONS)[RelationId] | undefined {
  return RELATIONS[relation as RelationId];
}

/** The paper's name of a relation; null of one that is not the paper's. */
export function nameOfRelation(relation: string): string | null {
  return factsOf(relation)?.name ?? null;
}

function rateCell({ rate, interval }: ExpectedFigures): TableCell {
  if (rate === null) return NO_FIGURE;
  const ends = interval !== null && html`<span class="sub">${formatRange(interval, 'seeds', formatTenths)}</span>`;
  return { content: html`<span class="big">${formatTenths(rate)}</span>${ends}`, sort: rate };
}

function rowOf(name: Html | string, figures: ExpectedFigures, published: number | null): TableRow {
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

function titleOf(relation: string): Html {
  const name = nameOfRelation(relation);
  return html`${nameHtml(relation)}${name !== null && html`<span class="name">${name}</span>`}`;
}

function relationRow([relation, figures]: readonly [string, ExpectedFigures]): TableRow {
  return rowOf(titleOf(relation), figures, factsOf(relation)?.publishedRate ?? null);
}

/** A relation's code with the paper's name of it. */
export function wordsOf(relation: string): string {
  return [relation, nameOfRelation(relation)].filter((part) => part !== null).join(', ');
}

type RelationFigures = ReturnType<typeof relationsExpecting>;

/** Ends of the plot's axis. */
const ROUND_ENDS = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1];

function renderPlot(relations: RelationFigures, all: ExpectedFigures): Html {
  const entries = [...relations, ['all', all] as const];
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

/** The paper's Table 7 for this victim, and the same as a plot: mutants whose answer must stay. */
export function renderRelations(report: ConsistencyReport): Html {
  const all = figuresExpecting(report.all, 'kept');
  if (all === null) return html`<p class="note">There is no mutant whose answer must stay.</p>`;
  const relations = relationsExpecting(report, 'kept');
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
          rows: relations.map(relationRow),
          foot: rowOf('All', all, PUBLISHED_RATE),
        }),
      )}
      <figure>${renderPlot(relations, all)}</figure>
    </div>`;
}

type ApartAnswer = Exclude<ExpectedAnswer, 'kept'>;

/** What the mutants are whose answer must not stay, and what is counted of them. */
const APART: Readonly<Record<ApartAnswer, { readonly heading: string; readonly link: string; readonly note: string }>> =
  {
    unanswerable: {
      heading: 'Unanswerable questions',
      link: 'Unanswerable',
      note: 'A column or table that the question needs is gone, and nothing else of the schema has it. A model should say so instead of writing a query: percent of the mutants that are not refused, and the 95 % interval. The rates of the other relations do not count them.',
    },
    'other-query': {
      heading: 'Other questions',
      link: 'Other',
      note: 'Question and gold are changed together, so that another answer is right: percent of the mutants that are answered wrong, and the 95 % interval. The rates of the other relations do not count them.',
    },
  };

function renderApart(report: ConsistencyReport, expected: ApartAnswer): Html {
  const row = (name: Html | string, figures: ExpectedFigures): TableRow => [
    name,
    html`${formatCount(figures.cases)}<span class="sub">${formatCount(figures.seeds)} seeds</span>`,
    formatCount(figures.inconsistent),
    rateCell(figures),
  ];
  const all = figuresExpecting(report.all, expected);
  const words = FAILURE_WORDS[expected];
  return html`<p class="note">${APART[expected].note}</p>
    ${renderWideTable(
      APART[expected].heading,
      renderTable({
        className: 'rates few',
        heads: ['Relation', 'Mutants', `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`, 'Rate'],
        rows: relationsExpecting(report, expected).map(([relation, figures]) => row(titleOf(relation), figures)),
        ...(all === null ? {} : { foot: row('All', all) }),
      }),
    )}`;
}

/** Sections of the mutants whose answer must not stay, where there are some. */
export function apartSections(report: ConsistencyReport): readonly PageSection[] {
  return expectedIn(report).flatMap((expected) => {
    if (expected === 'kept') return [];
    const { heading, link } = APART[expected];
    return [{ id: expected, heading, link, body: renderApart(report, expected) }];
  });
}
