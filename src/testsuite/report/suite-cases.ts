import type { CasesSection, CaseStatus, ReportCase } from '../../report/document/case.js';
import type { ReportedNeighbor, ReportedSchema, SuiteReport } from './suite-report.js';

type Status = 'left' | 'indeterminate' | 'partial' | 'empty' | 'unread' | 'equivalent';

const STATUSES: readonly (CaseStatus & { readonly id: Status })[] = [
  { id: 'left', label: 'Passes everywhere', tone: 'bad' },
  { id: 'indeterminate', label: 'Gold query depends on row order', tone: 'add' },
  { id: 'empty', label: 'Gold query finds nothing', tone: 'add' },
  { id: 'unread', label: 'Gold query can’t be executed', tone: 'add' },
  { id: 'partial', label: 'Judged by a part of the result', tone: 'soft' },
  { id: 'equivalent', label: 'Equivalent under the data', tone: 'soft' },
];

const GOLD_REASONS = {
  indeterminate:
    'Its result depends on the order of rows on every database (ties at a LIMIT, or columns that are not grouped): a query that means the same may give another result.',
  partial:
    'The order of rows decides some of its result. What counts: the number of rows, the columns that do not depend on it, and that all values are among those that some order gives.',
  empty: 'It finds no row on any database: a wrong prediction that finds nothing agrees with it everywhere.',
} as const;

const PLAIN = { against: null, note: null, verdicts: [] } as const;

function goldCase(status: Status, dbId: string, sql: string, reason: string, at: number): ReportCase {
  const side = { label: 'Gold query', question: null, tables: [], marks: [], results: [] };
  return {
    id: `${status}/${dbId}/${at}`,
    question: sql,
    gloss: dbId,
    status,
    facets: { database: dbId },
    reason,
    sides: [{ ...side, queries: [{ label: 'Gold SQL', sql, ...PLAIN }] }],
    notes: [],
  };
}

function neighborCase(status: Status, at: number, one: ReportedNeighbor): ReportCase {
  const { dbId, gold, neighbor, kind, detail, reason } = one;
  const side = { question: null, tables: [], marks: [], results: [] };
  return {
    id: `${status}/${dbId}/${at}`,
    question: detail,
    gloss: `${kind} · ${dbId}`,
    status,
    facets: { change: kind, database: dbId },
    reason,
    sides: [
      { ...side, label: 'Gold query', queries: [{ label: 'SQL', sql: gold, ...PLAIN }] },
      { ...side, label: 'One change away', queries: [{ label: 'SQL', sql: neighbor, ...PLAIN, against: gold }] },
    ],
    notes: [],
  };
}

function goldCases(schema: ReportedSchema): readonly ReportCase[] {
  const { dbId, indeterminateGolds, partialGolds, emptyGolds, unreadGolds } = schema;
  const plain = (status: keyof typeof GOLD_REASONS, goldQueries: readonly string[]): readonly ReportCase[] =>
    goldQueries.map((sql, at) => goldCase(status, dbId, sql, GOLD_REASONS[status], at));
  return [
    ...plain('indeterminate', indeterminateGolds),
    ...plain('partial', partialGolds),
    ...plain('empty', emptyGolds),
    ...unreadGolds.map(({ sql, reason }, at) => goldCase('unread', dbId, sql, reason, at)),
  ];
}

/** Returns cases that a suite's builder may look at: wrong queries that pass, gold queries that are hard to judge. */
export function suiteCases({ left, equivalentUnderData, schemas }: SuiteReport): CasesSection {
  return {
    kind: 'cases',
    noun: 'case',
    statuses: STATUSES,
    facets: [
      { id: 'change', label: 'Change' },
      { id: 'database', label: 'Schema' },
    ],
    cases: [
      ...left.map((one, at) => neighborCase('left', at, one)),
      ...schemas.flatMap(goldCases),
      ...equivalentUnderData.map((one, at) => neighborCase('equivalent', at, one)),
    ],
    open: null,
  };
}
