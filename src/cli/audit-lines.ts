import { AUDIT_CLASS_NAMES, AUDIT_CLASSES } from '../evaluate/audit/audit-classes.js';
import type { AuditReport } from '../evaluate/audit/audit-report.js';
import { leftOutOf } from '../formats/dataset.js';
import { countNoun, formatCount } from '../counts.js';
import { firstLeftOut } from '../report/left-out.js';
import { alignColumns } from '../report/text-table.js';

/** Findings of a level that are printed. */
const MAX_LISTED = 10;

function classRows({ classes }: AuditReport): readonly (readonly string[])[] {
  const met = AUDIT_CLASS_NAMES.filter((name) => classes[name].findings + classes[name].possible > 0);
  return met.map((name) => {
    const { findings, possible } = classes[name];
    return [
      `  ${name}`,
      AUDIT_CLASSES[name].level,
      formatCount(findings).padStart(8),
      formatCount(possible).padStart(8),
    ];
  });
}

/** The first findings of a level, with their examples. */
function findingLines({ findings }: AuditReport, level: 'error' | 'warning'): readonly string[] {
  const own = findings.filter((finding) => AUDIT_CLASSES[finding.class].level === level);
  if (own.length === 0) return [];
  return [
    '',
    ...own
      .slice(0, MAX_LISTED)
      .map(({ example, class: name, sentence }) => `  ${example ?? 'files'} ${name}: ${sentence}`),
    ...(own.length > MAX_LISTED ? [`  and ${countNoun(own.length - MAX_LISTED, `more ${level}`)}`] : []),
  ];
}

/** An audit for a terminal: counts by class, and the first errors and warnings. */
export function renderAudit(report: AuditReport, out: string | undefined): readonly string[] {
  const { examples, golds, databases, databasesWithRows, doubtful, skipped, notes, repair } = report;
  const rows = classRows(report);
  return [
    `${countNoun(examples, 'example')}, ${countNoun(golds, 'different gold query', 'different gold queries')}, ${countNoun(databases, 'database')}, ${formatCount(databasesWithRows)} with rows`,
    `${countNoun(doubtful, 'example')} in doubt`,
    ...(rows.length === 0 ? [] : ['', ...alignColumns([['  class', 'level', 'findings', 'possible'], ...rows])]),
    ...findingLines(report, 'error'),
    ...findingLines(report, 'warning'),
    ...(skipped.length === 0 ? [] : [`${countNoun(skipped.length, 'example')} left out by the reader`]),
    ...firstLeftOut(leftOutOf({ skipped }), out === undefined ? '--json, or --out' : `${out}/report.json`).map(
      (sentence) => `note: ${sentence}`,
    ),
    ...notes.map((note) => `note: ${note}`),
    ...(repair === null
      ? []
      : [`${countNoun(repair.repaired, 'gold query', 'gold queries')} repaired: ${repair.folder}`]),
    ...(out === undefined ? [] : [`report: ${out}/report.html, ${out}/report.json`]),
  ];
}
