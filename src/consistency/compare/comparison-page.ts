import { formatCount, formatNoun, formatTenths } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { renderFacts, renderPage, renderWideTable } from '../../report/page-parts.js';
import { WIDE_TABLE_STYLE } from '../../report/wide-table-style.js';
import { CONSISTENCY_STYLE } from '../report/consistency-style.js';
import { nameOfRelation } from '../report/relation-section.js';
import type { Banded } from './bands.js';
import type { ConsistencyComparison } from './compare-consistency.js';

const shown = (share: number | null): string => (share === null ? '–' : formatTenths(share));

function renderRow(name: Html, { values, average, std, bands }: Banded): Html {
  return html`<tr>
    <th scope="row">${name}</th>
    ${values.map((value, i) => {
      const band = bands[i] ?? null;
      return html`<td class="${band ?? ''}">
        ${shown(value)}${band !== null && html`<span class="band">${band}</span>`}
      </td>`;
    })}
    <td>${shown(average)}<span class="band">± ${shown(std)}</span></td>
  </tr>`;
}

function renderTable(what: string, { runs }: ConsistencyComparison, rows: readonly Html[]): Html {
  return renderWideTable(
    what,
    html`<table class="bands">
      <thead>
        <tr>
          <th scope="col">${what}</th>
          ${runs.map(({ name }) => html`<th scope="col">${nameHtml(name)}</th>`)}
          <th scope="col">Average</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  );
}

function renderRelations(comparison: ConsistencyComparison): Html {
  const rows = comparison.relations.map((row) => {
    const name = nameOfRelation(row.relation);
    return renderRow(html`${nameHtml(row.relation)}${name !== null && html`<span class="sub">${name}</span>`}`, row);
  });
  return html`<p class="note">
      Percent of the mutants whose prediction changed though it must not. Good: below the average of these models by
      more than half a standard deviation; bad: above it by more than that.
    </p>
    ${renderTable('Relation', comparison, rows)}`;
}

function renderCapabilities(comparison: ConsistencyComparison): Html {
  const { capabilities, robustness, accuracy } = comparison;
  const rows = capabilities.map((row) =>
    renderRow(html`${row.id}<span class="sub">${row.relations.join(', ')}</span>`, row),
  );
  return html`<p class="note">
      The mean rate of the relations that ask for a capability, and below it the mean of all capabilities and the
      accuracy on the seeds by exact match, of which more is better. Which relations a capability shows in is our own
      map.
    </p>
    ${renderTable('Capability', comparison, [
      ...rows,
      renderRow(html`Robustness<span class="sub">mean of these</span>`, robustness),
      renderRow(html`Accuracy<span class="sub">exact match on the seeds</span>`, accuracy),
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
