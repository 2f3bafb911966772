import { type Html, html, nameHtml } from '../../report/html.js';
import { renderScroller } from '../../report/page-parts.js';

/** Rows of a query’s result under its columns, in a box that scrolls. */
export function renderResultTable(label: string, columns: readonly string[], rows: readonly Html[]): Html {
  return renderScroller(
    label,
    html`<table>
      <thead>
        <tr>
          ${columns.map((name) => html`<th scope="col">${nameHtml(name)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  );
}
