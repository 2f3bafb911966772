import { formatCount, formatTenths } from '../../../report/figures.js';
import { type Html, html, nameHtml } from '../../../report/html.js';
import { renderNumber, renderWideTable } from '../../../report/page-parts.js';
import type { CorrelationReport, SecondSuite } from '../correlation-report.js';
import { levelsOf } from './correlation-titles.js';
import { placeOf } from './model-place.js';

/** The section of a second suite: accuracies on both suites, and the pairs on which they disagree. */
export function renderSecondSuite({ models, changes, suite }: SecondSuite, report: CorrelationReport): Html {
  const levels = levelsOf(report);
  const heads = [...levels, 'correct only on the first', 'only on the second'];
  const rows = models.map(({ name, accuracy }, i) => {
    const { onlyHere = [], onlyThere = [] } = changes[i] ?? {};
    const cells = levels.map((level) => {
      const ours = report.models[i]?.accuracy.suite?.[level] ?? 0;
      return html`<td class="num">
        ${formatTenths(accuracy.suite?.[level] ?? 0)}<span class="sub">first: ${formatTenths(ours)}</span>
      </td>`;
    });
    return html`<tr>
      <th scope="row">${placeOf(i)}${nameHtml(name)}</th>
      ${cells}${[onlyHere, onlyThere].map(({ length }) => renderNumber(length, formatCount))}
    </tr>`;
  });
  return html`<p class="note">
      Percent of the pairs that the second suite (${nameHtml(suite.path)}) calls correct, the first suite’s below; and
      the pairs on which the two disagree, whose ids are in report.json.
    </p>
    ${renderWideTable(
      'Accuracy on the second suite',
      html`<table class="levels">
        <thead>
          <tr>
            <th scope="col">Model</th>
            ${heads.map((head) => html`<th scope="col" class="num">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>`,
    )}`;
}
