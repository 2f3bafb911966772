import { formatNoun } from '../figures.js';
import { type Html, html, nameHtml } from '../html.js';
import { renderPage } from '../page-parts.js';
import { VERSION } from '../../version.js';
import type { FoundRun, FoundRuns } from './find-runs.js';

const STYLE = `
.kinds { list-style: none; margin: 1.25rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem; font-size: .875rem; }
.kinds a { display: block; padding: .25rem .75rem; border: 1px solid var(--line); border-radius: 99px; background: var(--panel); text-decoration: none; color: var(--soft); }
.kinds a:hover { color: var(--ink); }
.kinds a[aria-current] { color: var(--ink); border-color: var(--ink); }
.runs td:first-child { white-space: nowrap; }
.runs td:nth-child(2) { width: 50%; }
@media (max-width: 43.99rem) {
  .runs thead { display: none; }
  .runs tr, .runs td, .runs td:nth-child(2) { display: block; width: auto; }
  .runs tr { padding: .75rem 0; border-bottom: 1px solid var(--line); }
  .runs td { padding: 0; border: 0; text-align: left; font-size: .8125rem; color: var(--soft); }
  .runs td:nth-child(2) { font-size: .9375rem; color: var(--ink); }
}
`;

const pad = (n: number): string => String(n).padStart(2, '0');

/** By the clock of this machine, "2026-11-22 18:05". */
function dateText(date: Date): string {
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** Address of a report below the page's own: each name escaped, so that `?` and `#` stay part of it. */
function addressOf(report: string): string {
  return `reports/${report.split('/').map(encodeURIComponent).join('/')}`;
}

function renderRun({ kind, place, subject, headline, complete, date, report }: FoundRun): Html {
  const text = headline ?? (report === null ? 'no report' : 'report.json');
  return html`<tr>
    <td>${kind}</td>
    <td>
      ${report === null ? text : html`<a href="${addressOf(report)}">${text}</a>`}
      ${!complete && html` <span class="tag warn">not finished</span>`}
      <span class="sub">${nameHtml(place)}</span>
    </td>
    <td>${subject}</td>
    <td class="num">${dateText(date)}</td>
  </tr>`;
}

function renderKinds(runs: readonly FoundRun[], chosen: string | null): Html {
  const counts = new Map<string, number>();
  for (const { kind } of runs) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const link = (text: string, count: number, address: string, isChosen: boolean): Html =>
    html`<li><a href="${address}" ${isChosen && html`aria-current="true"`}>${text} ${count}</a></li>`;
  return html`<ul class="kinds" aria-label="Kinds of runs">
    ${link('all', runs.length, './', chosen === null)}
    ${[...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, count]) => link(kind, count, `?kind=${encodeURIComponent(kind)}`, kind === chosen))}
  </ul>`;
}

function renderTable(runs: readonly FoundRun[]): Html {
  return html`<div class="body">
    <table class="runs">
      <thead>
        <tr>
          <th scope="col">Kind</th>
          <th scope="col">What came out</th>
          <th scope="col">Data</th>
          <th scope="col" class="num">Date</th>
        </tr>
      </thead>
      <tbody>
        ${runs.map(renderRun)}
      </tbody>
    </table>
  </div>`;
}

/** The page over all runs of a folder; `kind` shows those of one kind alone. */
export function renderRunsPage({ root, runs, isCut }: FoundRuns, kind: string | null): string {
  const shown = kind === null ? runs : runs.filter((run) => run.kind === kind);
  const lede = html`Below ${nameHtml(root)}, the newest first. Read again at each load.`;
  const empty = html`<p class="body">
    There is no run here yet. <code>perturbql demo</code> makes one of the packaged examples.
  </p>`;
  return renderPage({
    title: 'perturbql runs',
    eyebrow: html`perturbql view`,
    headline: formatNoun(runs.length, 'run'),
    lede,
    warnings: isCut ? ['There are more folders than are looked through: name one further down.'] : [],
    sections: [
      {
        id: 'runs',
        heading: 'Runs',
        body: runs.length === 0 ? empty : html`${renderKinds(runs, kind)}${renderTable(shown)}`,
      },
    ],
    version: VERSION,
    style: STYLE,
    footer: 'This server only reads, and only this machine reaches it.',
  });
}
