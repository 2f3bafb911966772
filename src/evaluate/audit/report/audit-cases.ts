import type {
  CaseQuery,
  CaseRows,
  CasesSection,
  CaseStatus,
  NameMark,
  ReportCase,
} from '../../../report/document/case.js';
import { bareName, tokensOf } from '../../../report/document/query-html.js';
import { lowestRanked } from '../../../report/document/lowest-ranked.js';
import { formatNoun } from '../../../counts.js';
import { cellOf } from '../../../sql/execution/plain-value.js';
import { AUDIT_CLASS_NAMES, AUDIT_CLASSES, AUDIT_LEVELS, type AuditClassName } from '../audit-classes.js';
import type { AuditFinding, EvidenceRun, GoldRepair } from '../finding.js';

const TONES = { error: 'bad', warning: 'add', note: 'soft' } as const;

/** Classes in the order in which findings are listed: errors, warnings, notes. */
export const CLASSES_BY_LEVEL: readonly AuditClassName[] = AUDIT_LEVELS.flatMap((level) =>
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
  return {
    kind: 'cases',
    noun: 'finding',
    statuses: STATUSES,
    statusLabel: 'Class',
    facets: [
      { id: 'level', label: 'Level' },
      ...(possible.length === 0 ? [] : [{ id: 'certainty', label: 'Certainty' }]),
      { id: 'database', label: 'Database' },
    ],
    cases,
    open: lowestRanked(cases, effort)?.id ?? null,
  };
}
