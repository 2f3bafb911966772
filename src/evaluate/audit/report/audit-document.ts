import { dataName } from '../../../formats/dataset.js';
import {
  type Chapter,
  nameSpan,
  type PlotSection,
  type ReportDocument,
  type Section,
  type TableSection,
} from '../../../report/document/document.js';
import { barPlot, casesOf, chapterOf, factsOf, headed, shareLane, tableOf } from '../../../report/document/sections.js';
import { formatCount, formatNoun } from '../../../counts.js';
import { exactPercent } from '../../../report/figures.js';
import { groupBy } from '../../../run/group-by.js';
import {
  AUDIT_CLASS_NAMES,
  AUDIT_CLASSES,
  AUDIT_LEVELS,
  type AuditClassName,
  type AuditLevel,
} from '../audit-classes.js';
import type { AuditReport } from '../audit-report.js';
import type { AuditFinding, EvidenceRun, GoldRepair } from '../finding.js';
import {
  type CaseQuery,
  type CaseRows,
  type CasesSection,
  type CaseStatus,
  lowestRanked,
  type NameMark,
  type ReportCase,
} from '../../../report/document/case.js';
import { bareName, tokensOf } from '../../../report/document/query-html.js';
import { cellOf } from '../../../sql/execution/query-outcome.js';

const TONES = { error: 'bad', warning: 'add', note: 'soft' } as const;

/** Classes in the order in which findings are listed: errors, warnings, notes. */
const CLASSES_BY_LEVEL: readonly AuditClassName[] = AUDIT_LEVELS.flatMap((level) =>
  AUDIT_CLASS_NAMES.filter((name) => AUDIT_CLASSES[name].level === level),
);

const STATUSES: readonly CaseStatus[] = CLASSES_BY_LEVEL.map((id) => {
  const { title, level } = AUDIT_CLASSES[id];
  return { id, label: title, tone: TONES[level] };
});

const REPAIRS: Readonly<Record<GoldRepair['result'], CaseQuery['verdicts'][number]>> = {
  same: { label: 'Repaired: same result', tone: 'good' },
  changed: { label: 'Repaired: another result', tone: 'good' },
  'not-executed': { label: 'Repaired, not executed', tone: 'soft' },
};

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/**
 * Returns the parts of a query that a sentence cites: quoted texts, columns as "table.column", and names in certain
 * places.
 */
const CITED = /'((?:[^']|'')*)'|"([^"]*)"|\w+\.(\w+)|^([\w, ]+) (?:is|are) neither|ties (.+?), so that/g;

/** Classes that are about LIMIT, whatever else they cite. */
const ABOUT_LIMIT = new Set<AuditClassName>(['limit-tie', 'unordered-limit', 'null-order']);

/** The place in the gold query that a finding is about, as far as its sentence cites it. */
function marksOf({ class: name, sentence, sql }: AuditFinding): readonly NameMark[] {
  const cited = [...sentence.matchAll(CITED)].map((found) => found.slice(1).find((part) => part !== undefined) ?? '');
  const words = new Set(cited.flatMap((text) => [text, ...text.split(/[^\w]+/)]).map((text) => text.toLowerCase()));
  if (ABOUT_LIMIT.has(name)) words.add('limit');
  words.delete('as');
  const met = new Set(tokensOf(sql ?? '').filter((token) => token.trim() !== '' && words.has(bareName(token))));
  return [...met].map((token) => ({ name: token, as: 'stale', title: AUDIT_CLASSES[name].title }));
}

/** The rows of a run; of two runs those that the other lacks are all that there are. */
function resultOf({ columns, rows, count, failure }: EvidenceRun, isOneOfTwo: boolean): readonly CaseRows[] {
  if (failure !== null) return [];
  const cells = rows.map((row) => row.map(cellOf));
  return [{ label: 'Result', columns, rows: cells, count, differing: isOneOfTwo ? [...cells.keys()] : [] }];
}

/** The gold query, and next to it its repair or what it was compared with. */
function sidesOf(finding: AuditFinding): ReportCase['sides'] {
  const { sql, repair, evidence } = finding;
  const [first, second] = evidence;
  const other = repair?.sql ?? second?.sql ?? null;
  const side = { question: null, tables: [] };
  const query = (text: string | null, against: string | null, more: Partial<CaseQuery> = {}): CaseQuery => ({
    label: 'SQL',
    sql: text,
    against,
    note: null,
    verdicts: [],
    ...more,
  });
  const failed = (run: EvidenceRun | undefined): Partial<CaseQuery> =>
    run?.failure == null ? {} : { note: capital(run.failure) };
  const gold = {
    ...side,
    label: first === undefined || second === undefined ? 'Gold query' : `Gold query, ${first.label}`,
    marks: marksOf(finding),
    queries: sql === null ? [] : [query(sql, other, failed(first))],
    results: first === undefined ? [] : resultOf(first, second !== undefined),
  };
  if (other === null) return [gold];
  const verdicts = repair === null ? [] : [REPAIRS[repair.result]];
  const isSame = sql !== null && other.trim() === sql.trim();
  const compared = {
    ...side,
    label: second === undefined ? 'Repaired' : capital(second.label),
    marks: [],
    queries: [
      isSame ? query(null, null, { note: 'The same query.' }) : query(other, sql, { verdicts, ...failed(second) }),
    ],
    results: second === undefined ? [] : resultOf(second, true),
  };
  return [gold, compared];
}

/** True of cases that only the structure of the query tells of. */
const POSSIBLE = 'possible';

function caseOf(finding: AuditFinding): ReportCase {
  const { isShown, class: name, sentence, example, dbId, question, evidence } = finding;
  const [first, second] = evidence;
  const counts = first !== undefined && second !== undefined && first.count !== second.count;
  const id = isShown ? finding.id : `${finding.id}/${POSSIBLE}`;
  return {
    id,
    question: question ?? sentence,
    gloss: [example, dbId].filter((part) => part !== null).join(' · ') || 'files',
    status: name,
    facets: {
      level: AUDIT_CLASSES[name].level,
      certainty: isShown ? 'found' : POSSIBLE,
      ...(dbId !== null && { database: dbId }),
    },
    reason: sentence,
    sides: sidesOf(finding),
    notes: counts ? [`${formatNoun(first.count, 'row')} against ${formatNoun(second.count, 'row')}.`] : [],
  };
}

/** How much a reader has to take in to see what is wrong; what two results show comes before all else. */
function effort({ sides, question, reason, status, facets }: ReportCase): number {
  const doubt = facets['certainty'] === POSSIBLE ? 100_000 : 0;
  const rank = doubt + (STATUSES.find(({ id }) => id === status)?.tone === 'bad' ? 0 : 2_000);
  const results = sides.flatMap(({ results: own }) => own);
  const shown = results.filter(({ rows }) => rows.length > 0).length;
  const cells = results.reduce((sum, { rows, columns }) => sum + rows.length * columns.length, 0);
  const texts = [question, reason ?? '', ...sides.flatMap(({ queries }) => queries.map(({ sql }) => sql ?? ''))];
  return rank + 1_000 * (2 - shown) + 20 * cells + texts.reduce((sum, text) => sum + text.length, 0);
}

/** Findings with what shows them, then those that are but possible; the one that is read most easily is open. */
export function auditCases(findings: readonly AuditFinding[], possible: readonly AuditFinding[] = []): CasesSection {
  const cases = [...findings, ...possible].map(caseOf);
  const facets = ['level', ...(possible.length === 0 ? [] : ['certainty']), 'database'];
  const section = casesOf(STATUSES, facets, cases, lowestRanked(cases, effort)?.id ?? null);
  return { ...section, noun: 'finding', statusLabel: 'Class' };
}

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
  const lane = shareLane('Not in doubt', 1, null, 'good', `${all} of ${all}`);
  return barPlot('Examples by their gold query', [lane], 'without an error or a warning');
}

/** Findings by class, but for notes. */
function classPlot(report: AuditReport): PlotSection | null {
  const { classes } = report;
  const met = CLASSES_BY_LEVEL.filter((name) => AUDIT_CLASSES[name].level !== 'note' && classes[name].findings > 0);
  const lanes = met
    .map((name) => {
      const { title, level } = AUDIT_CLASSES[name];
      const value = classes[name].findings;
      return shareLane(title, value, null, level === 'error' ? 'bad' : 'add', formatCount(value));
    })
    .sort((a, b) => b.value - a.value)
    .slice(0, MOST_LANES);
  if (lanes.length === 0) return cleanPlot(report);
  const plot = barPlot('What was found most', lanes, 'examples');
  return { ...plot, axis: { ...plot.axis, to: Math.max(...lanes.map(({ value }) => value)) } };
}

const isMet = ({ classes }: AuditReport, name: AuditClassName): boolean =>
  classes[name].findings + classes[name].possible > 0;

function classTable(report: AuditReport): TableSection {
  const met = CLASSES_BY_LEVEL.filter((name) => isMet(report, name));
  const columns = [
    ...headed('Class'),
    ...headed('Level', 'Findings', ['Possible', 'by structure alone: no rows at hand show it']),
  ];
  const rows = met.map((name) => {
    const { title, meaning, level } = AUDIT_CLASSES[name];
    const { findings, possible } = report.classes[name];
    return { cells: [{ text: title, sub: meaning }, level, findings, possible] };
  });
  return tableOf('Findings by class', columns, rows);
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
  return tableOf(
    'Findings by database',
    headed('Database', 'Errors', 'Warnings', 'Notes'),
    rows.map(({ dbId, counts }) => ({ cells: [[nameSpan(dbId)], ...counts] })),
    'database',
  );
}

function detailChapter(report: AuditReport): Chapter {
  const { dataset, examples, golds, databases, databasesWithRows, skipped, repair } = report;
  const clean = CLASSES_BY_LEVEL.filter((name) => !isMet(report, name));
  const facts = factsOf([
    ['Data set’s format', dataset],
    ['Examples', formatCount(examples)],
    ['Different gold queries', formatCount(golds)],
    ['Databases', `${formatCount(databases)}, ${formatCount(databasesWithRows)} of them with rows`],
    ['Examples left out', formatCount(skipped.length)],
    repair && ['Repaired data set', [nameSpan(repair.folder)]],
    clean.length > 0 && ['Not found', clean.map((name) => AUDIT_CLASSES[name].title).join(', ')],
  ]);
  return chapterOf('details', 'Details', [facts], { layout: 'folded' });
}

const CLASSES_NOTE =
  'A finding is shown by rows, or certain by its structure. What only the structure tells is possible.';

/** An audit as a document. */
export function auditDocument(report: AuditReport, version: string): ReportDocument {
  const { findings, possible } = report;
  const name = dataName(report);
  const hasCases = findings.length + possible.length > 0;
  const behind =
    possible.length === 0
      ? ''
      : ' Behind them are those that are but possible, by structure alone: none of these counts as in doubt.';
  const note = `What is in doubt is marked. Of two results, each shows the rows that the other lacks.${behind}`;
  const none: Section = { kind: 'list', items: ['None: no gold query shows a fault on the rows at hand.'] };
  return {
    title: `${name}: audit of gold queries`,
    command: 'audit',
    subject: ['examples ', nameSpan(name)],
    headline: auditHeadline(report),
    lede: ledeOf(report),
    plot: classPlot(report),
    warnings: report.notes,
    chapters: [
      hasCases
        ? chapterOf('findings', 'Findings', [auditCases(findings, possible)], { note })
        : chapterOf('findings', 'Findings', [none]),
      ...(hasCases ? [chapterOf('classes', 'By class', [classTable(report)], { note: CLASSES_NOTE })] : []),
      ...(findings.length > 0 ? [chapterOf('databases', 'By database', [databaseTable(report)])] : []),
      detailChapter(report),
    ],
    version,
  };
}
