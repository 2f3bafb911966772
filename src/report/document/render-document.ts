import { html, type Html } from '../html.js';
import { type PageSection, renderPage } from '../page-parts.js';
import { DOCUMENT_STYLE } from './document-style.js';
import type { Chapter, ReportDocument } from './document.js';
import { renderPlot, renderSection } from './section-html.js';
import { renderText } from './text-html.js';

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
