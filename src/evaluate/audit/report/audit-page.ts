import { countCell, renderTable, words } from '../../../report/data-table.js';
import { formatCount, formatNoun, formatShare } from '../../../report/figures.js';
import { type Html, html, nameHtml } from '../../../report/html.js';
import { type PageSection, renderFacts, renderPage, renderWideTable } from '../../../report/page-parts.js';
import { AUDIT_CLASS_NAMES, AUDIT_CLASSES } from '../audit-classes.js';
import type { AuditReport } from '../audit-report.js';
import { AUDIT_STYLE } from './audit-style.js';
import { renderFindings } from './finding-list.js';

function renderClasses({ classes }: AuditReport): Html {
  return renderWideTable(
    'Findings by class',
    renderTable({
      className: 'classes',
      heads: ['Class', words('Level'), 'Findings', 'Possible'],
      rows: AUDIT_CLASS_NAMES.map((name) => {
        const { title, meaning, level } = AUDIT_CLASSES[name];
        const { findings, possible } = classes[name];
        return [
          html`${title}<span class="note">${meaning}</span>`,
          { content: level, className: 'level' },
          ...[findings, possible].map(countCell),
        ];
      }),
    }),
  );
}

function renderInputs(report: AuditReport): Html {
  const { dataset, examples, golds, databases, databasesWithRows, skipped, repair } = report;
  return html`<div class="body">
    ${renderFacts([
      ['Format', dataset],
      ['Examples', formatCount(examples)],
      ['Different golds', formatCount(golds)],
      ['Databases', `${formatCount(databases)}, ${formatCount(databasesWithRows)} of them with rows`],
      ['Examples left out', formatCount(skipped.length)],
      ...(repair === null ? [] : [['Repaired golds', formatCount(repair.repaired)] as const]),
    ])}
  </div>`;
}

function headlineOf({ doubtful, examples }: AuditReport): string {
  if (doubtful === 0) return 'No gold is in doubt';
  return `${formatCount(doubtful)} of ${formatNoun(examples, 'example')} in doubt, ${formatShare(doubtful / Math.max(1, examples))}`;
}

/** Renders the page of `perturbql audit`: one file that loads nothing. The same report gives the same bytes. */
export function renderAuditPage(report: AuditReport, version: string): string {
  const sections: readonly PageSection[] = [
    {
      id: 'classes',
      heading: 'By class',
      body: html`<p class="note">
          A finding is shown by rows, or certain by its structure. What only the structure tells, and no rows at hand
          show, is possible: report.json lists it.
        </p>
        ${renderClasses(report)}`,
    },
    { id: 'findings', heading: 'Findings', body: renderFindings(report) },
    { id: 'inputs', heading: 'Inputs', body: renderInputs(report) },
  ];
  return renderPage({
    title: 'perturbql audit',
    eyebrow: html`perturbql audit · data set ${nameHtml(report.dataset)}`,
    headline: headlineOf(report),
    lede: html`${formatNoun(report.findings.length, 'finding')} in ${formatNoun(report.golds, 'different gold')} of
    ${formatNoun(report.databases, 'database')}, ${formatCount(report.databasesWithRows)} of them with rows.`,
    warnings: report.notes,
    version,
    sections,
    style: AUDIT_STYLE,
  });
}
