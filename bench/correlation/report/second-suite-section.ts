import { figureCell, renderTable, type TableRow } from '../../../src/report/data-table.js';
import { formatCount } from '../../../src/counts.js';
import { formatTenths } from '../../../src/report/figures.js';
import { type Html, html, nameHtml } from '../../../src/report/html.js';
import { renderWideTable } from '../../../src/report/page-parts.js';
import type { CorrelationReport, SecondSuite } from '../correlation-report.js';
import { levelsOf } from './correlation-titles.js';
import { placeOf } from './model-place.js';

/** The section of a second suite: accuracies on both suites, and the pairs on which they disagree. */
export function renderSecondSuite({ models, changes, suite }: SecondSuite, report: CorrelationReport): Html {
  const levels = levelsOf(report);
  const rows = models.map(({ name, accuracy }, i): TableRow => {
    const { onlyHere = [], onlyThere = [] } = changes[i] ?? {};
    const cells = levels.map((level) => {
      const ours = report.models[i]?.accuracy.suite?.[level] ?? 0;
      return html`${formatTenths(accuracy.suite?.[level] ?? 0)}<span class="sub">first: ${formatTenths(ours)}</span>`;
    });
    return [
      html`${placeOf(i)}${nameHtml(name)}`,
      ...cells,
      ...[onlyHere, onlyThere].map(({ length }) => figureCell(length, formatCount)),
    ];
  });
  const heads = ['Model', ...levels, 'correct only on the first', 'only on the second'] as const;
  return html`<p class="note">
      Percent of the pairs that the second suite (${nameHtml(suite.path)}) calls correct, the first suite’s below; and
      the pairs on which the two disagree, whose ids are in report.json.
    </p>
    ${renderWideTable('Accuracy on the second suite', renderTable({ className: 'levels', heads, rows }))}`;
}
