import { changeCell, renderTable, type TableRow, words } from '../../report/data-table.js';
import { formatCount, formatProbability, formatTenths } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { renderTableFrame } from '../../report/page-parts.js';
import type { PairedFlips } from './paired-report.js';

function rowOf(flips: PairedFlips): TableRow {
  const { relation, level, touched, questions, before, after, change, broken, mended, p, needed } = flips;
  return [
    html`${nameHtml(relation)}${level !== null && html`<span class="name">${level}</span>`}`,
    touched ? 'touched' : 'not touched',
    formatCount(questions),
    ...[before, after].map(formatTenths),
    changeCell(change),
    ...[broken, mended].map(formatCount),
    formatProbability(p),
    ...needed.map((one) => formatCount(one.questions)),
  ];
}

/** Right answers on mutants against those on seeds, question by question, by kind and level. */
export function renderPaired(paired: readonly PairedFlips[]): Html {
  if (paired.length === 0) return html`<p class="note">Nothing was measured.</p>`;
  return html`<p class="note">
      A question is the unit: its accuracy on the mutants is the mean over them, and it is broken or mended where most
      of them are not as the seed. A change touches a question where its gold is another one on the new schema, or there
      is none any more. p is McNemar’s, exact and two-sided. The last columns say how many questions would show a drop
      of 1, 2 or 5 points in 80 of 100 runs, with as many flips as here (Connor 1987).
    </p>
    ${renderTableFrame(
      'Paired flips',
      renderTable({
        className: 'rates',
        heads: [
          ...(['Relation', words('Question')] as const),
          ...['Questions', 'Seeds', 'Mutants', 'Change', 'Broken', 'Mended', 'p', 'for 1', 'for 2', 'for 5'],
        ],
        rows: paired.map(rowOf),
      }),
    )}`;
}
