import { formatCount, formatNoun, formatShare } from '../../../report/figures.js';
import { type Html, html, nameHtml } from '../../../report/html.js';
import { type PageSection, renderFacts, renderPage, renderWideTable } from '../../../report/page-parts.js';
import { AUDIT_CLASS_NAMES, AUDIT_CLASSES } from '../audit-classes.js';
import type { AuditReport } from '../audit-report.js';
import type { PerturbationReport } from '../perturbed/pair-verdict.js';
import { AUDIT_STYLE } from './audit-style.js';
import { renderFindings } from './finding-list.js';

function renderClasses({ classes }: AuditReport): Html {
  const number = (count: number): Html => html`<td class="num ${count === 0 && 'zero'}">${formatCount(count)}</td>`;
  const rows = AUDIT_CLASS_NAMES.map((name) => {
    const { title, meaning, level } = AUDIT_CLASSES[name];
    const { findings, possible } = classes[name];
    return html`<tr>
      <th scope="row">${title}<span class="note">${meaning}</span></th>
      <td class="level">${level}</td>
      ${number(findings)}${number(possible)}
    </tr>`;
  });
  return renderWideTable(
    'Findings by class',
    html`<table class="classes">
      <thead>
        <tr>
          <th scope="col">Class</th>
          <th scope="col">Level</th>
          <th scope="col" class="num">Findings</th>
          <th scope="col" class="num">Possible</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  );
}

function renderKinds({ kinds }: PerturbationReport): Html {
  const number = (count: number | null): Html =>
    html`<td class="num">${count === null ? '–' : formatCount(count)}</td>`;
  const rows = kinds.map((one) => {
    // Where nothing could be compared, nothing is known to be unequal.
    const equal = one.compared === 0 ? null : one.equal;
    const mendedEqual = one.mendedCompared === 0 ? null : one.mendedEqual;
    const counts = [one.examples, one.binds, one.runs, equal, one.gone, one.mendedBinds, one.mendedRuns, mendedEqual];
    return html`<tr>
      <th scope="row">${one.kind}</th>
      ${counts.map(number)}
    </tr>`;
  });
  const heads = ['Examples', 'Bind', 'Run', 'Equal', 'Need what is gone', 'Mended: bind', 'run', 'equal'];
  return renderWideTable(
    'Golds by kind of perturbation',
    html`<table class="classes">
      <thead>
        <tr>
          <th scope="col">Kind</th>
          ${heads.map((head) => html`<th scope="col" class="num">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`,
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
  const { perturbations } = report;
  const sections: readonly PageSection[] = [
    ...(perturbations === null
      ? []
      : [{ id: 'kinds', heading: 'By kind of perturbation', body: renderKinds(perturbations) }]),
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
