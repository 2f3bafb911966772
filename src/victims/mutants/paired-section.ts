import { formatCount, formatPoints, formatProbability, formatTenths } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { renderTableFrame } from '../../report/page-parts.js';
import type { PairedFlips } from './paired-report.js';

function renderRow(flips: PairedFlips): Html {
  const { relation, level, touched, questions, before, after, change, broken, mended, p, needed } = flips;
  return html`<tr>
    <th scope="row">${nameHtml(relation)}${level !== null && html`<span class="name">${level}</span>`}</th>
    <td>${touched ? 'touched' : 'not touched'}</td>
    <td class="num">${formatCount(questions)}</td>
    <td class="num">${formatTenths(before)}</td>
    <td class="num">${formatTenths(after)}</td>
    <td class="num">
      ${change === null ? '–' : formatPoints(change.mean)}${
        change !== null && html`<span class="sub">${formatPoints(change.low)} to ${formatPoints(change.high)}</span>`
      }
    </td>
    <td class="num">${formatCount(broken)}</td>
    <td class="num">${formatCount(mended)}</td>
    <td class="num">${formatProbability(p)}</td>
    ${needed.map((one) => html`<td class="num">${formatCount(one.questions)}</td>`)}
  </tr>`;
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
      html`<table class="rates">
        <thead>
          <tr>
            <th scope="col">Relation</th>
            <th scope="col">Question</th>
            <th scope="col" class="num">Questions</th>
            <th scope="col" class="num">Seeds</th>
            <th scope="col" class="num">Mutants</th>
            <th scope="col" class="num">Change</th>
            <th scope="col" class="num">Broken</th>
            <th scope="col" class="num">Mended</th>
            <th scope="col" class="num">p</th>
            <th scope="col" class="num">for 1</th>
            <th scope="col" class="num">for 2</th>
            <th scope="col" class="num">for 5</th>
          </tr>
        </thead>
        <tbody>
          ${paired.map(renderRow)}
        </tbody>
      </table>`,
    )}`;
}
