import { renderFilteredList, renderSelect } from '../../../report/filtered-list.js';
import { formatCount, formatNoun } from '../../../report/figures.js';
import { type Html, html, nameHtml } from '../../../report/html.js';
import { renderQueryPair, renderSides } from '../../../report/sides.js';
import { renderResultTable } from '../../report/result-table.js';
import { shownValue } from '../../suite/plain-counterexample.js';
import { AUDIT_CLASS_NAMES, AUDIT_CLASSES } from '../audit-classes.js';
import type { AuditReport } from '../audit-report.js';
import type { AuditFinding, EvidenceRun, GoldRepair } from '../finding.js';

/** Findings that a page holds at most: some megabytes. */
const MOST_FINDINGS = 2_000;

function runTable({ label, columns, rows, count, failure }: EvidenceRun): Html {
  if (failure !== null) return html`<p class="none">${failure}</p>`;
  if (count === 0) return html`<p class="note">no rows</p>`;
  const cells = (row: EvidenceRun['rows'][number]): Html =>
    html`<tr>
      ${row.map((value) => html`<td class="${value === null ? 'zero' : ''}"><bdi>${shownValue(value)}</bdi></td>`)}
    </tr>`;
  return renderResultTable(label, columns, rows.map(cells));
}

function runSide(run: EvidenceRun, shown: readonly string[]): { label: Html; content: Html } {
  const rows = run.failure === null && html`, ${formatNoun(run.count, 'row')}`;
  const sql = !shown.includes(run.sql.trim()) && html`<pre>${run.sql}</pre>`;
  return { label: html`${run.label}${rows}`, content: html`${sql}${runTable(run)}` };
}

function evidenceHtml({ evidence, sql, repair }: AuditFinding): Html | null {
  const [first, second] = evidence;
  if (first === undefined) return null;
  const shown = [sql ?? '', repair?.sql ?? ''].map((text) => text.trim());
  return renderSides(runSide(first, shown), second === undefined ? null : runSide(second, shown));
}

const RESULTS: Readonly<Record<GoldRepair['result'], string>> = {
  same: 'Repaired, same result',
  changed: 'Repaired, another result',
  'not-executed': 'Repaired, not executed',
};

function repairHtml({ repair, sql }: AuditFinding): Html | null {
  return repair === null ? null : renderQueryPair(['Gold', sql ?? ''], [RESULTS[repair.result], repair.sql]);
}

function findingItem(finding: AuditFinding): Html {
  const { class: name, sentence, example, dbId, question, sql } = finding;
  const { title, level } = AUDIT_CLASSES[name];
  return html`<li data-class="${name}" data-level="${level}" data-database="${dbId ?? ''}">
    <details>
      <summary>
        <span class="question">${sentence}</span>
        <span class="line"
          ><span class="meta">${example !== null && html`${nameHtml(example)} · `}${nameHtml(dbId ?? 'files')}</span
          ><span class="verdict ${level === 'error' && 'bad'}">${title}</span></span
        >
      </summary>
      <div class="inside">
        ${question !== null && html`<p class="asked">${question}</p>`}
        ${finding.repair === null && sql !== null && html`<pre>${sql}</pre>`} ${repairHtml(finding)}
        ${evidenceHtml(finding)}
      </div>
    </details>
  </li>`;
}

function selects(findings: readonly AuditFinding[]): readonly Html[] {
  const met = new Set(findings.map((finding) => finding.class));
  const classes = AUDIT_CLASS_NAMES.filter((name) => met.has(name));
  const databases = [...new Set(findings.flatMap(({ dbId }) => dbId ?? []))].sort();
  return [
    renderSelect(
      'class',
      'Class',
      classes.map((name) => [name, AUDIT_CLASSES[name].title]),
    ),
    renderSelect('level', 'Level', ['error', 'warning', 'note']),
    renderSelect('database', 'Database', databases),
  ];
}

/** The findings with what shows them, grave ones first; found by filters where scripts run. */
export function renderFindings({ findings }: AuditReport): Html {
  if (findings.length === 0) return html`<p class="note">There are none.</p>`;
  const isNote = (finding: AuditFinding): boolean => AUDIT_CLASSES[finding.class].level === 'note';
  const ordered = [...findings.filter((one) => !isNote(one)), ...findings.filter(isNote)];
  const shown = ordered.slice(0, MOST_FINDINGS);
  const part =
    shown.length < ordered.length &&
    html` This page holds the first ${formatCount(shown.length)} of ${formatNoun(ordered.length, 'finding')};
    report.json has them all.`;
  return html`<p class="note">
      Each with what shows it: two runs that differ, of which the rows are those that the other lacks, or the result.
      Notes come last.${part}
    </p>
    <div class="body browser">
      ${renderFilteredList({
        id: 'finding',
        noun: 'finding',
        placeholder: 'SQL, question, id',
        selects: selects(shown),
        items: shown.map(findingItem),
      })}
    </div>`;
}
