import { abbreviation, renderTable, type TableRow } from '../../report/data-table.js';
import { formatCount, formatNoun, formatShare } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { renderColumnName, renderFilter, renderScroller } from '../../report/page-parts.js';
import { renderBar } from '../../report/svg-plots.js';
import { type AttackReport, answersWithColumns, type Fragility } from '../attack-report.js';

/** Rows shown of each kind; report.json has them all. */
const SHOWN = 100;

/** The address at which the case browser shows the cases of a row. */
function linkTo({ kind, dbId, table, column, columnOriginal = column, candidate }: Fragility): string {
  const wanted = [kind, dbId, table, columnOriginal, ...(candidate === null ? [] : [candidate])];
  return `#find=${wanted.map(encodeURIComponent).join('/')}`;
}

/** What rows of columns with one natural name have in common. */
const naturalKey = ({ kind, dbId, table, column, candidate }: Fragility): string =>
  JSON.stringify([kind, dbId, table, column, candidate]);

/** `isNamesake`: another row has its natural names, so those in SQL are shown, too. */
function rowOf(row: Fragility, isNamesake: boolean): TableRow {
  const { kind, dbId, table, column, candidate, cases, broken } = row;
  const named = isNamesake ? row : { table, column };
  const share = cases === 0 ? 0 : broken / cases;
  const arrow = kind === 'RPL' ? '→' : '+';
  const name =
    candidate !== null && html` <span class="arrow">${arrow}</span> <span class="to">${nameHtml(candidate)}</span>`;
  const bar = renderBar([{ share, className: kind.toLowerCase() }]);
  return [
    html`<a href="${linkTo(row)}">${renderColumnName(named)}${name}</a><span class="sub">${nameHtml(dbId)}</span>`,
    ...[broken, cases].map((count) => ({ content: formatCount(count), sort: count })),
    { content: html`${formatShare(share)}${bar}`, className: 'share', sort: share.toFixed(6) },
  ];
}

function renderFragile(rows: readonly Fragility[], what: string, filter: string): Html {
  const counts = new Map<string, number>();
  for (const key of rows.map(naturalKey)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const right = abbreviation('Of', 'cases that were right on the original tables');
  return renderTable({
    className: 'counts fragile',
    filter,
    heads: [what, 'Broken', right, 'Share'],
    rows: rows.map((row) => rowOf(row, (counts.get(naturalKey(row)) ?? 0) > 1)),
  });
}

function renderKind(kind: 'RPL' | 'ADD', all: readonly Fragility[], what: string, id: string): Html {
  const rows = all.filter((row) => row.kind === kind);
  const filter = `${id}-${kind.toLowerCase()}`;
  const noun = what.toLowerCase();
  const shown =
    rows.length > SHOWN
      ? `The first ${SHOWN} of ${formatNoun(rows.length, noun)}; report.json has them all.`
      : `${formatNoun(rows.length, noun)}.`;
  const table = html`${renderFilter(filter, `Find a ${noun}`)}
  ${renderScroller(`${kind}: ${noun}s that break most`, renderFragile(rows.slice(0, SHOWN), what, filter))}`;
  return html`<div class="${kind.toLowerCase()}">
    <h3><span class="keyed">${kind}</span>, ${kind === 'RPL' ? 'renamed' : 'joined by another'}</h3>
    <p class="note">${shown}</p>
    ${rows.length > 0 && html`<div class="body">${table}</div>`}
  </div>`;
}

function renderFragilities(rows: readonly Fragility[], what: string, id: string, report: AttackReport): Html {
  const how = answersWithColumns(report) ? 'By all columns right' : 'By exact match';
  if (rows.length === 0) return html`<p class="note">None: no answer was right on the original tables.</p>`;
  return html`<p class="note">
      ${how}: of the cases that were right on the original tables and whose perturbation includes this
      ${what.toLowerCase()}, those that came out wrong. A perturbation can hold several, and they share its blame. A
      name leads to its cases.
    </p>
    <div class="body split">${renderKind('RPL', rows, what, id)}${renderKind('ADD', rows, what, id)}</div>`;
}

/** The columns whose perturbation breaks most answers. */
export function renderFragileColumns(report: AttackReport): Html {
  return renderFragilities(report.columns, 'Column', 'columns', report);
}

/** The new names that break most answers. */
export function renderFragileCandidates(report: AttackReport): Html {
  return renderFragilities(report.candidates, 'Candidate', 'candidates', report);
}
