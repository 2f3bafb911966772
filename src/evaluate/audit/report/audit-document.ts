import { dataName } from '../../../formats/data-name.js';
import {
  type Chapter,
  nameSpan,
  type PlotSection,
  type ReportDocument,
  type TableSection,
} from '../../../report/document/document.js';
import { formatCount, formatNoun } from '../../../counts.js';
import { exactPercent } from '../../../report/figures.js';
import { groupBy } from '../../../run/group-by.js';
import { AUDIT_CLASSES, AUDIT_LEVELS, type AuditClassName, type AuditLevel } from '../audit-classes.js';
import type { AuditReport } from '../audit-report.js';
import type { AuditFinding } from '../finding.js';
import { auditCases, CLASSES_BY_LEVEL } from './audit-cases.js';

const levelOf = ({ class: name }: AuditFinding): AuditLevel => AUDIT_CLASSES[name].level;

/** The answer in a sentence: "187 of 1,034 examples have a gold query in doubt, 18.1%". */
export function auditHeadline({ doubtful, examples }: AuditReport): string {
  if (doubtful === 0) return 'No gold query is in doubt';
  const share = exactPercent(doubtful / examples).toFixed(1);
  const all = formatNoun(examples, 'example');
  return `${formatCount(doubtful)} of ${all} ${doubtful === 1 ? 'has' : 'have'} a gold query in doubt, ${share}%`;
}

/** How bad it is, by the worst finding of each example. */
function ledeOf({ findings, golds, databases, databasesWithRows, doubtful, repair }: AuditReport): string {
  const wrong = new Set(findings.flatMap((one) => (levelOf(one) === 'error' ? (one.example ?? []) : []))).size;
  const levels = [
    ...(wrong === 0 ? [] : [`${formatCount(wrong)} with an error: the query is wrong, or its score is chance.`]),
    ...(doubtful === wrong ? [] : [`${formatCount(doubtful - wrong)} with a warning: some verdicts on it are chance.`]),
    ...(repair === null ? [] : [`${formatNoun(repair.repaired, 'gold query', 'gold queries')} repaired.`]),
  ];
  const read = `${formatNoun(golds, 'different gold query', 'different gold queries')} of ${formatNoun(databases, 'database')} were read`;
  const run =
    databasesWithRows === 0 ? 'none was executed' : `executed on the ${formatCount(databasesWithRows)} with rows`;
  return [...levels, `${read}, ${run}.`].join(' ');
}

/** Most classes of the plot. */
const MOST_LANES = 3;

/** How many examples nothing puts in doubt: all of them. */
function cleanPlot({ examples }: AuditReport): PlotSection | null {
  if (examples === 0) return null;
  const all = formatCount(examples);
  const lane = { label: 'Not in doubt', figure: `${all} of ${all}`, tone: 'good', value: 1, ends: null } as const;
  return {
    kind: 'plot',
    mark: 'bar',
    title: 'Examples by their gold query',
    groups: [{ heading: '', lanes: [lane] }],
    axis: { from: 0, to: 1, title: 'without an error or a warning' },
    ticks: [],
  };
}

/** Findings by class, but for notes. */
function classPlot(report: AuditReport): PlotSection | null {
  const { classes } = report;
  const met = CLASSES_BY_LEVEL.filter((name) => AUDIT_CLASSES[name].level !== 'note' && classes[name].findings > 0);
  const lanes = met
    .map((name) => {
      const { title, level } = AUDIT_CLASSES[name];
      const value = classes[name].findings;
      return {
        label: title,
        figure: formatCount(value),
        tone: level === 'error' ? 'bad' : 'add',
        value,
        ends: null,
      } as const;
    })
    .sort((a, b) => b.value - a.value)
    .slice(0, MOST_LANES);
  if (lanes.length === 0) return cleanPlot(report);
  return {
    kind: 'plot',
    mark: 'bar',
    title: 'What was found most',
    groups: [{ heading: '', lanes }],
    axis: { from: 0, to: Math.max(...lanes.map(({ value }) => value)), title: 'examples' },
    ticks: [],
  };
}

const isMet = ({ classes }: AuditReport, name: AuditClassName): boolean =>
  classes[name].findings + classes[name].possible > 0;

function classTable(report: AuditReport): TableSection {
  const met = CLASSES_BY_LEVEL.filter((name) => isMet(report, name));
  return {
    kind: 'table',
    caption: 'Findings by class',
    columns: [
      { head: 'Class', kind: 'words' },
      { head: 'Level', kind: 'words' },
      { head: 'Findings', kind: 'figures' },
      { head: 'Possible', kind: 'figures', title: 'by structure alone: no rows at hand show it' },
    ],
    rows: met.map((name) => {
      const { title, meaning, level } = AUDIT_CLASSES[name];
      const { findings, possible } = report.classes[name];
      return { cells: [{ text: title, sub: meaning }, level, findings, possible] };
    }),
  };
}

function databaseTable({ findings }: AuditReport): TableSection {
  const ofDatabases = groupBy(
    findings.filter(({ dbId }) => dbId !== null),
    ({ dbId }) => dbId ?? '',
  );
  const rows = [...ofDatabases].map(([dbId, own]) => ({
    dbId,
    counts: AUDIT_LEVELS.map((level) => own.filter((finding) => levelOf(finding) === level).length),
  }));
  const weight = (counts: readonly number[]): number => (counts[0] ?? 0) + (counts[1] ?? 0);
  rows.sort((a, b) => weight(b.counts) - weight(a.counts) || (a.dbId < b.dbId ? -1 : 1));
  return {
    kind: 'table',
    caption: 'Findings by database',
    searched: 'database',
    columns: [
      { head: 'Database', kind: 'words' },
      ...['Errors', 'Warnings', 'Notes'].map((head) => ({ head, kind: 'figures' as const })),
    ],
    rows: rows.map(({ dbId, counts }) => ({ cells: [[nameSpan(dbId)], ...counts] })),
  };
}

function detailChapter(report: AuditReport): Chapter {
  const { dataset, examples, golds, databases, databasesWithRows, skipped, repair } = report;
  const clean = CLASSES_BY_LEVEL.filter((name) => !isMet(report, name));
  return {
    id: 'details',
    heading: 'Details',
    layout: 'folded',
    sections: [
      {
        kind: 'facts',
        facts: [
          ['Data set’s format', dataset],
          ['Examples', formatCount(examples)],
          ['Different gold queries', formatCount(golds)],
          ['Databases', `${formatCount(databases)}, ${formatCount(databasesWithRows)} of them with rows`],
          ['Examples left out', formatCount(skipped.length)],
          ...(repair === null ? [] : ([['Repaired data set', [nameSpan(repair.folder)]]] as const)),
          ...(clean.length === 0
            ? []
            : ([['Not found', clean.map((name) => AUDIT_CLASSES[name].title).join(', ')]] as const)),
        ],
      },
    ],
  };
}

/** An audit as a document. */
export function auditDocument(report: AuditReport, version: string): ReportDocument {
  const { findings, possible } = report;
  const name = dataName(report);
  const hasFindings = findings.length > 0;
  const hasCases = hasFindings || possible.length > 0;
  return {
    title: `${name}: audit of gold queries`,
    command: 'audit',
    subject: ['examples ', nameSpan(name)],
    headline: auditHeadline(report),
    lede: ledeOf(report),
    plot: classPlot(report),
    warnings: report.notes,
    chapters: [
      {
        id: 'findings',
        heading: 'Findings',
        ...(hasCases && {
          note: `What is in doubt is marked. Of two results, each shows the rows that the other lacks.${possible.length === 0 ? '' : ' Behind them are those that are but possible, by structure alone: none of these counts as in doubt.'}`,
        }),
        sections: hasCases
          ? [auditCases(findings, possible)]
          : [{ kind: 'list', items: ['None: no gold query shows a fault on the rows at hand.'] }],
      },
      ...(hasCases
        ? [
            {
              id: 'classes',
              heading: 'By class',
              note: 'A finding is shown by rows, or certain by its structure. What only the structure tells is possible.',
              sections: [classTable(report)],
            },
          ]
        : []),
      ...(hasFindings ? [{ id: 'databases', heading: 'By database', sections: [databaseTable(report)] }] : []),
      detailChapter(report),
    ],
    version,
  };
}
