import { html, type Html } from '../html.js';
import { type PageSection, renderPage } from '../page-parts.js';
import type { Chapter, ReportDocument } from './document.js';
import { renderPlot, renderSection, renderText } from './section-html.js';

/** Styles of documents beyond the shared style sheet: cases in two panes, marks of changes, small results. */
const DOCUMENT_STYLE = `
@media (min-width: 44rem) { .answer .lede { font-size: 1rem; } main > section:first-child { margin-top: 1.5rem; } }
.report-table .num .sub { white-space: nowrap; }
.report-table tbody + tbody th[scope=rowgroup], .report-table th[scope=rowgroup] { padding-top: 1rem; font-size: .8125rem; font-weight: 600; color: var(--soft); }
.report-table tfoot > tr > * { border-bottom: 0; border-top: 2px solid var(--line); }
.report-table .meter { margin-top: .375rem; }
/* A caption in a frame stands in from its edge as the cells do. */
.scroll caption { padding: .625rem 1rem 0; }
.stacked > div + div { margin-top: 1.75rem; }
.chapter > summary { color: var(--soft); font-size: .875rem; }
.texts { margin: 0; padding-left: 1.125rem; }
/* Where panes are below each other the open case comes first. */
.browser { display: flex; flex-direction: column; }
.panes { display: contents; } .case-open { order: -1; margin-bottom: 1.25rem; } .case-list { margin-top: .75rem; }
.keys { font-size: .8125rem; } kbd { font: .75rem var(--mono); border: 1px solid var(--line); border-radius: 4px; padding: 0 .3125rem; background: var(--panel); }
.case-list { height: 16.5rem; overflow-y: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); position: relative; }
.case-list ol { list-style: none; margin: 0; padding: 0; position: relative; }
.case-list li { position: absolute; left: 0; right: 0; height: 56px; border-bottom: 1px solid var(--line); }
.case-list a { display: block; height: 100%; padding: .5rem .75rem; text-decoration: none; border-left: 3px solid transparent; font-size: .875rem; line-height: 1.35; overflow: hidden; }
.case-list a:hover .question { text-decoration: underline; text-underline-offset: .2em; }
.case-list a[aria-current] { border-left-color: var(--ink); background: var(--track); }
.case-list .question, .case-list .line { display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.case-list .line { font-size: .8125rem; } .case-list b { font-weight: 600; color: var(--hue-text); }
.soft { --hue: var(--rejected); --hue-text: var(--soft); }
.case { border: 1px solid var(--line); border-radius: 10px; background: var(--panel); padding: 1rem 1.125rem 1.125rem; }
.case h3 { font-size: 1.125rem; } .case h4 { margin: 0; font-size: .875rem; font-weight: 600; }
.case .heads { border-bottom: 1px solid var(--line); padding-bottom: .375rem; }
.case .reason { margin-top: .625rem; max-width: none; font-weight: 600; }
.case .meta { color: var(--soft); font-size: .8125rem; max-width: none; }
.case p u { text-decoration-color: var(--bad); text-decoration-thickness: 2px; text-underline-offset: .25em; }
.case .verdicts { align-items: center; }
.case pre { background: var(--paper); }
.case mark.renamed { background: var(--rpl-tint); } .case mark.added { background: var(--add-tint); }
.case mark.removed, .case mark.stale { background: var(--bad-tint); color: var(--bad); }
.case mark.removed { text-decoration: line-through; }
.case mark.first { background: none; text-decoration: underline; text-decoration-color: var(--focus); text-decoration-thickness: 2px; text-underline-offset: .25em; }
.case .asked { margin-bottom: .375rem; }
.result { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
.result table { font-size: .8125rem; } .result th, .result td { padding: .25rem .625rem; overflow-wrap: break-word; }
.result th:first-child, .result td:first-child { padding-left: .625rem; } .result tr:last-child td { border-bottom: 0; }
.result td.long { min-width: 12rem; }
.result .differs td { background: var(--bad-tint); }
.given { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: flex-start; padding: .25rem 0 .625rem; }
.given .label { color: var(--soft); font-size: .8125rem; margin-bottom: .25rem; }
.given > div { flex: 0 1 auto; min-width: 0; max-width: 100%; }
@media (max-width: 43.99rem) {
  .report-table .num .sub { white-space: normal; }
  .case { padding: .75rem .875rem 1rem; } .case h3 { font-size: 1rem; }
  .heads { display: none; }
  .report-table { font-size: .8125rem; } .report-table :is(th, td):not(:first-child) { padding-left: .5rem; } .report-table .sub, .report-table thead th { font-size: .6875rem; }
}
@media (min-width: 44rem) { .case .of { display: none; } }
@media (min-width: 66rem) {
  .panes { display: grid; gap: 1.5rem; margin-top: .75rem; align-items: start; }
  .panes > * { min-width: 0; margin: 0; } .case-open { order: 0; }
  .panes:has(.case-list:not([hidden])) { grid-template-columns: 19rem minmax(0, 1fr); }
  .browser .filters { grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); } .browser .filters .wide { grid-column: span 2; }
  .case-list { height: calc(100vh - 5rem); max-height: 42rem; position: sticky; top: 3.75rem; }
}
/* On paper what is folded is open, where the browser can do that. */
@supports selector(::details-content) { @media print { .chapter > summary { display: none; } } }
@media print {
  .case-list, .browser .filters, .browser .found { display: none; }
  .panes { display: block; } .case { break-inside: avoid; }
  .chapter::details-content, .warnings details::details-content { content-visibility: visible; block-size: auto; }
  .case mark, .result .differs td { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

function renderBody({ id, note, layout, sections }: Chapter): Html {
  const parts = sections.map((section, i) => html`<div>${renderSection(section, `${id}-${i + 1}`)}</div>`);
  const body = html`<div class="body ${layout === 'side' ? 'split' : 'stacked'}">${parts}</div>`;
  const told = note !== undefined && html`<p class="note">${renderText(note)}</p>`;
  if (layout !== 'folded') return html`${told}${body}`;
  return html`<details class="chapter">
    <summary>Show</summary>
    <div class="inside">${told}${body}</div>
  </details>`;
}

/** A chapter as a section of a page. */
function renderChapter(chapter: Chapter): PageSection {
  const { id, heading, link } = chapter;
  return { id, heading, ...(link !== undefined && { link }), body: renderBody(chapter) };
}

/**
 * Renders a document as a page: one file that loads nothing. Figures, tables and the open case work without scripts,
 * other cases are listed with one. The same document gives the same bytes.
 */
export function renderDocument(document: ReportDocument): string {
  const { title, command, subject, headline, lede, plot, warnings, chapters, version, footer } = document;
  const hasCases = chapters.some(({ sections }) =>
    sections.some((one) => one.kind === 'cases' && one.cases.length > 0),
  );
  return renderPage({
    title,
    eyebrow: html`perturbql ${command} · ${renderText(subject)}`,
    headline,
    lede: renderText(lede),
    ...(plot !== null && { aside: renderPlot(plot, 'headline-plot') }),
    warnings,
    sections: chapters.map(renderChapter),
    version,
    style: DOCUMENT_STYLE,
    ...(hasCases && { script: 'cases' as const }),
    ...(footer !== undefined && { footer }),
  });
}
