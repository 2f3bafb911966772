import { renderTable, type TableRow, words } from '../../report/data-table.js';
import { formatCount, formatNoun, formatTenths } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { renderFacts, renderPage, renderWideTable } from '../../report/page-parts.js';
import { WIDE_TABLE_STYLE } from '../../report/wide-table-style.js';
import { CONSISTENCY_STYLE } from '../report/consistency-style.js';
import { nameOfRelation } from '../report/relation-section.js';
import type { Banded } from './bands.js';
import type { ConsistencyComparison } from './compare-consistency.js';

const shown = (share: number | null): string => (share === null ? '–' : formatTenths(share));

function rowOf(name: Html, { values, average, std, bands }: Banded): TableRow {
  const cells = values.map((value, i) => {
    const band = bands[i] ?? null;
    const content = html`${shown(value)}${band !== null && html`<span class="band">${band}</span>`}`;
    return { content, className: band ?? '' };
  });
  return [name, ...cells, html`${shown(average)}<span class="band">± ${shown(std)}</span>`];
}

function renderBands(what: string, { runs }: ConsistencyComparison, rows: readonly TableRow[]): Html {
  const heads = [...runs.map(({ name }) => nameHtml(name)), 'Average'].map(words);
  return renderWideTable(what, renderTable({ className: 'bands', heads: [what, ...heads], rows }));
}

function renderRelations(comparison: ConsistencyComparison): Html {
  const rows = comparison.relations.map((row) => {
    const name = nameOfRelation(row.relation);
    return rowOf(html`${nameHtml(row.relation)}${name !== null && html`<span class="sub">${name}</span>`}`, row);
  });
  return html`<p class="note">
      Percent of the mutants whose prediction changed though it must not; of questions that nothing answers, those that
      are not refused, and of questions that ask something else, those that are answered wrong. Good: below the average
      of these models by more than half a standard deviation; bad: above it by more than that.
    </p>
    ${renderBands('Relation', comparison, rows)}`;
}

function renderCapabilities(comparison: ConsistencyComparison): Html {
  const { capabilities, robustness, accuracy } = comparison;
  const rows = capabilities.map((row) =>
    rowOf(html`${row.id}<span class="sub">${row.relations.join(', ')}</span>`, row),
  );
  return html`<p class="note">
      The mean rate of the relations that ask for a capability, and below it the mean of all capabilities and the
      accuracy on the seeds by exact match, of which more is better. Which relations a capability shows in is our own
      map.
    </p>
    ${renderBands('Capability', comparison, [
      ...rows,
      rowOf(html`Robustness<span class="sub">mean of these</span>`, robustness),
      rowOf(html`Accuracy<span class="sub">exact match on the seeds</span>`, accuracy),
    ])}`;
}

/** Renders a comparison as a page of the same look as the reports': one file that loads nothing. */
export function renderConsistencyComparisonPage(comparison: ConsistencyComparison, version: string): string {
  const { runs, warnings } = comparison;
  return renderPage({
    title: `${formatCount(runs.length)} models compared: consistency`,
    eyebrow: html`perturbql consistency compare`,
    headline: `Consistency of ${formatNoun(runs.length, 'model')}`,
    lede: html`${runs.map(({ name }, i) => html`${i > 0 && ', '}${nameHtml(name)}`)}.`,
    warnings,
    version,
    style: WIDE_TABLE_STYLE + CONSISTENCY_STYLE,
    sections: [
      { id: 'relations', heading: 'By relation', link: 'Relations', body: renderRelations(comparison) },
      { id: 'capabilities', heading: 'By capability', link: 'Capabilities', body: renderCapabilities(comparison) },
      {
        id: 'runs',
        heading: 'The runs',
        link: 'Runs',
        body: html`<div class="body">
          ${renderFacts(runs.map(({ name, victim, cases }) => [name, html`${nameHtml(victim.description)}, ${formatNoun(cases, 'mutant')}`]))}
        </div>`,
      },
    ],
    footer: 'The figures are those of `perturbql consistency compare --json`.',
  });
}
