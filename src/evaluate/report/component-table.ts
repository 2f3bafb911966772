import { figureCell, renderTable } from '../../report/data-table.js';
import { formatTenths } from '../../report/figures.js';
import { type Html, html } from '../../report/html.js';
import { renderWideTable } from '../../report/page-parts.js';
import type { ExactScores } from '../kinds/exact-kind.js';
import { EXACT_COMPONENTS, type ExactComponent } from '../exact/components.js';

/** What the component names of Spider's script mean. */
export const COMPONENT_NAMES: Readonly<Record<ExactComponent, string>> = {
  select: 'SELECT',
  'select(no AGG)': 'SELECT, without aggregates',
  where: 'WHERE',
  'where(no OP)': 'WHERE, without operators',
  'group(no Having)': 'GROUP BY, without HAVING',
  group: 'GROUP BY and HAVING',
  order: 'ORDER BY and LIMIT',
  'and/or': 'AND, OR',
  IUEN: 'INTERSECT, UNION, EXCEPT',
  keywords: 'Keywords',
};

/** Exact match per component, of all pairs, in percent. */
export function renderExactComponents({ components }: ExactScores): Html {
  const table = renderTable({
    className: 'scores',
    heads: ['Component', 'Precision', 'Recall', 'F1', 'F1 of parts'],
    rows: EXACT_COMPONENTS.map((component) => {
      const { whole, parts } = components[component];
      const scores = [whole.precision, whole.recall, whole.f1, parts.f1];
      return [COMPONENT_NAMES[component], ...scores.map((score) => figureCell(score, formatTenths))];
    }),
  });
  return html`<p class="note">
      Percent. Precision: of the predictions that have a component, the share that matches the gold’s as a whole;
      recall: of the gold queries that have it. On the right the F1 of what components consist of: columns, conditions,
      keywords.
    </p>
    ${renderWideTable('Components', table)}`;
}
