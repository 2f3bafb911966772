import { compareText, getOrMake } from '../../present.js';
import type { Bucket, CandidateDecision } from '../../formats/artifacts/candidates.js';
import { columnTallyKey, type ColumnName, compareColumns, decidedColumnName } from '../../report/column-tally.js';
import type { CaseRows, CasesSection, CaseStatus, CaseTable, ReportCase } from '../../report/document/case.js';
import { casesOf } from '../../report/document/sections.js';
import { plainText } from '../../report/document/document.js';
import { formatCount, formatNoun } from '../../counts.js';
import { groupBy } from '../../run/group-by.js';
import type { Database } from '../../schema/schema.js';
import { type CandidatesReportContext, describeReason } from './candidates-report.js';
import { columnText } from './shared-sections.js';

type Status = 'none' | 'add' | 'rpl' | 'both';

/** Columns that lack something come first. */
const STATUSES: readonly (CaseStatus & { readonly id: Status })[] = [
  { id: 'none', label: 'No name accepted', tone: 'bad' },
  { id: 'add', label: 'No replacement', tone: 'bad' },
  { id: 'rpl', label: 'Nothing to add', tone: 'add' },
  { id: 'both', label: 'Replaced and added to', tone: 'good' },
];

/** Rejected names of one reason that a column's case shows. */
const SHOWN_PER_REASON = 2;

/** The decisions about a column. */
interface DecidedColumn {
  readonly name: ColumnName;
  readonly decisions: CandidateDecision[];
}

function groupByColumn(
  decisions: Iterable<CandidateDecision>,
  targets: readonly ColumnName[],
): readonly DecidedColumn[] {
  const columns = new Map(
    targets.map((name): [string, DecidedColumn] => [columnTallyKey(name), { name, decisions: [] }]),
  );
  for (const decision of decisions) {
    const name = decidedColumnName(decision);
    const key = columnTallyKey(name);
    const column = getOrMake(columns, key, () => ({ name, decisions: [] }));
    column.decisions.push(decision);
  }
  return [...columns.values()].sort((a, b) => compareColumns(a.name, b.name));
}

/** The names nearest to the column first. */
function compareDecisions(a: CandidateDecision, b: CandidateDecision): number {
  const near = ({ similarity }: CandidateDecision): number => similarity ?? -2;
  return near(b) - near(a) || compareText(a.candidate, b.candidate) || compareText(a.source, b.source);
}

function sourceText({ source, origin }: CandidateDecision): string {
  if (origin === null) return source;
  return `${source}: ${origin.title.trim() === '' ? origin.table : origin.title}`;
}

const score = (value: number | null): string => (value === null ? '–' : value.toFixed(2));

/** Describes what else decided on a name: the column that it was compared with, and how sure that was. */
function noteOf({ against, column, bucket, goes_with: kind, near }: CandidateDecision): string {
  const other = against !== null && against !== column;
  return [
    ...(kind === undefined ? [] : [GOES_WITH[kind]]),
    ...(other ? [`${AGAINST[bucket]} ${against}`] : []),
    ...(near ? ['borderline'] : []),
  ].join(', ');
}

/** The kind of an addition, as the annotation page says it. */
const GOES_WITH = { column: 'close to its column', row: 'belongs to the row' } as const;

/** How the other column that decided stands to the name. */
const AGAINST: Readonly<Record<Bucket, string>> = { RPL: 'compared with', ADD: 'closest to', rejected: 'because of' };

const HEADS = ['Name', 'Source', 'e1', 'e2'] as const;

function namesOf(label: string, decisions: readonly CandidateDecision[]): CaseRows {
  const notes = decisions.map(noteOf);
  const isNoted = notes.some((note) => note !== '');
  return {
    label,
    columns: isNoted ? [...HEADS, 'Note'] : HEADS,
    rows: decisions.map((one, i) => [
      ...[one.candidate, sourceText(one), score(one.e1), score(one.e2)],
      ...(isNoted ? [notes[i] || '–'] : []),
    ]),
    count: decisions.length,
    differing: [],
  };
}

type Descriptions = Readonly<Record<string, string>>;

/** The first rejected names of each reason, the most frequent reason first. */
function rejectedOf(decisions: readonly CandidateDecision[], descriptions: Descriptions): CaseRows {
  const shown = groupByReason(decisions).flatMap(([reason, own]) =>
    own.slice(0, SHOWN_PER_REASON).map((one) => {
      const note = noteOf(one);
      const because = `${describeReason(reason, descriptions)}${note === '' ? '' : ` (${note})`}`;
      return [one.candidate, sourceText(one), score(one.e1), score(one.e2), because];
    }),
  );
  return { label: 'Rejected', columns: [...HEADS, 'Because'], rows: shown, count: decisions.length, differing: [] };
}

function groupByReason(
  decisions: readonly CandidateDecision[],
): readonly (readonly [reason: string, own: readonly CandidateDecision[]])[] {
  const groups = groupBy(decisions, ({ reason }) => reason);
  return [...groups].sort(([a, first], [b, second]) => second.length - first.length || compareText(a, b));
}

const LACKS: Readonly<Record<Status, string | null>> = {
  none: 'none was accepted',
  add: 'none replaces the column',
  rpl: 'none is to be added next to the column',
  both: null,
};

/** Why a column lacks names; null where it has both kinds. */
function reasonOf(
  status: Status,
  all: number,
  rejected: readonly CandidateDecision[],
  descriptions: Descriptions,
): string | null {
  const lack = LACKS[status];
  if (lack === null) return null;
  if (all === 0) return 'No name was proposed.';
  const [most] = groupByReason(rejected);
  const why =
    most && `; the most frequent reason, of ${formatCount(most[1].length)}: ${describeReason(most[0], descriptions)}`;
  return `Of ${formatNoun(all, 'proposed name')} ${lack}${why ?? ''}.`;
}

function statusOf(rpl: number, add: number): Status {
  if (rpl > 0) return add > 0 ? 'both' : 'rpl';
  return add > 0 ? 'add' : 'none';
}

/** The column's table, the column marked; none where the database is not known. */
function tablesOf(
  { table, tableOriginal, column, columnOriginal }: ColumnName,
  database?: Database,
): readonly CaseTable[] {
  const isIt = (
    one: { readonly name: string; readonly originalName: string },
    name: string,
    original?: string,
  ): boolean => (original === undefined ? one.name === name : one.originalName === original);
  const found = database?.tables.find((one) => isIt(one, table, tableOriginal));
  if (found === undefined) return [];
  return [
    {
      name: table,
      columns: found.columns.map((one) => ({
        name: one.name,
        change: isIt(one, column, columnOriginal) ? ('renamed' as const) : null,
      })),
    },
  ];
}

function caseOf(
  { name, decisions }: DecidedColumn,
  database: Database | undefined,
  descriptions: Descriptions,
): ReportCase {
  const sorted = [...decisions].sort(compareDecisions);
  const of = (bucket: Bucket): CandidateDecision[] => sorted.filter((one) => one.bucket === bucket);
  const [rpl, add, rejected] = [of('RPL'), of('ADD'), of('rejected')];
  const status = statusOf(rpl.length, add.length);
  const { dbId, table, tableOriginal, column, columnOriginal } = name;
  return {
    id: `${dbId}/${tableOriginal ?? table}/${columnOriginal ?? column}`,
    question: plainText(columnText({ table, column })),
    gloss: `${dbId} · ${formatCount(rpl.length)} RPL, ${formatCount(add.length)} ADD, ${formatCount(rejected.length)} rejected`,
    status,
    facets: { database: dbId },
    reason: reasonOf(status, sorted.length, rejected, descriptions),
    sides: [
      {
        label: dbId,
        question: null,
        tables: tablesOf(name, database),
        marks: [],
        queries: [],
        results: [
          ...(rpl.length === 0 ? [] : [namesOf('Replacements (RPL): mean the same', rpl)]),
          ...(add.length === 0 ? [] : [namesOf('Additions (ADD): related, and mean something else', add)]),
          ...(rejected.length === 0 ? [] : [rejectedOf(rejected, descriptions)]),
        ],
      },
    ],
    notes: [],
  };
}

/** Names of a kind beyond which a column tells no more. */
const ENOUGH = 3;

/** How much a column shows: names of both kinds, and several reasons for rejection. */
function tellingRank({ decisions }: DecidedColumn): number {
  const count = (bucket: Bucket): number => decisions.filter((one) => one.bucket === bucket).length;
  const reasons = new Set(decisions.filter((one) => one.bucket === 'rejected').map(({ reason }) => reason)).size;
  const [rpl, add] = [count('RPL'), count('ADD')];
  return (rpl > 0 && add > 0 ? 100 : 0) + [rpl, add, reasons].reduce((sum, n) => sum + Math.min(ENOUGH, n), 0);
}

/**
 * The columns of a run with the names that were accepted for them, and some of those rejected. The order of the
 * decisions does not matter.
 */
export function columnCases(
  decisions: Iterable<CandidateDecision>,
  { databases, targetColumns, reasonDescriptions = {} }: CandidatesReportContext,
): CasesSection {
  const columns = groupByColumn(decisions, targetColumns);
  const byId = new Map(databases.map((database) => [database.id, database]));
  const cases = columns.map((column) => caseOf(column, byId.get(column.name.dbId), reasonDescriptions));
  const ranks = columns.map(tellingRank);
  const best = ranks.indexOf(Math.max(...ranks));
  const further = { noun: 'column', allIn: 'candidates.jsonl' };
  return casesOf(STATUSES, ['database'], cases, cases[best]?.id ?? null, further);
}
