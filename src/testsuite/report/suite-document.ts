import { dataName, type ExamplesNamed } from '../../formats/dataset.js';
import {
  type Chapter,
  type FactsSection,
  nameSpan,
  type PlotSection,
  type ReportDocument,
  type TableSection,
} from '../../report/document/document.js';
import { chapterOf, factsOf, headed, orderedBars, shareLane, tableOf } from '../../report/document/sections.js';
import { formatCount, formatNoun } from '../../counts.js';
import { formatBytes } from '../../report/figures.js';
import { countedNeighbors } from '../suite/suite-manifest.js';
import { describeConstraint } from './constraint-text.js';
import type { ReportedNeighbor, ReportedSchema, SuiteCounts, SuiteReport } from './suite-report.js';
import type { CasesSection, CaseStatus, ReportCase } from '../../report/document/case.js';

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
function suiteCases({ left, equivalentUnderData, schemas }: SuiteReport): CasesSection {
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

/** "0.12%", with as many digits as it is small. */
function shareText(share: number): string {
  const percent = 100 * share;
  return `${share === 0 ? 0 : percent.toFixed(percent >= 1 ? 1 : 2)}%`;
}

/** The answer in a sentence: "A wrong query one change away passes in 1 of 859 cases". */
export function suiteHeadline(totals: SuiteCounts): string {
  const counted = countedNeighbors(totals);
  if (totals.shareLeft === null) return 'There are no wrong queries to distinguish';
  if (totals.left === 0) return 'No wrong query one change away passes';
  return `A wrong query one change away passes in 1 of ${formatCount(Math.round(counted / totals.left))} cases`;
}

/** Share of wrong queries that pass on the original database alone, and on the suite; null where there are none. */
function passPlot({ curve, totals, schemas }: SuiteReport): PlotSection | null {
  const before = curve.find(({ tried }) => tried === 0)?.share;
  if (totals.shareLeft === null) return null;
  const lane = (label: string, value: number, tone: 'add' | 'rpl') =>
    shareLane(label, value, null, tone, shareText(value));
  const original = schemas.length === 1 ? 'On the original database alone' : 'On the original databases alone';
  const lanes = [
    ...(before === undefined ? [] : [lane(original, before, 'add')]),
    lane('On the suite', totals.shareLeft, 'rpl'),
  ];
  const most = Math.max(...lanes.map(({ value }) => value));
  return orderedBars('Wrong queries that pass', lanes, 'of all queries one change away', most);
}

function schemaTable(schemas: readonly ReportedSchema[]): TableSection {
  const columns = headed('Schema', 'Gold queries', 'Wrong queries', 'Pass', 'Databases', 'Size');
  const rows = schemas.map((schema) => {
    const { dbId, carriedFrom, golds, left, shareLeft, databases, packedBytes } = schema;
    const count = (value: number) => ({ text: formatCount(value), sort: value });
    const passing = shareLeft === null ? {} : { sub: shareText(shareLeft) };
    return {
      cells: [
        carriedFrom === null ? [nameSpan(dbId)] : { text: [nameSpan(dbId)], sub: `transferred from ${carriedFrom}` },
        count(golds),
        count(countedNeighbors(schema)),
        { ...count(left), ...passing },
        count(databases),
        { text: formatBytes(packedBytes), sort: packedBytes },
      ],
    };
  });
  return tableOf('Databases of each schema', columns, rows, 'schema');
}

function countFacts({ totals }: SuiteReport): FactsSection {
  const { golds, equivalent, equivalentUnderData, databases, databasesPerGold, bytes, packedBytes } = totals;
  const counted = countedNeighbors(totals);
  const perGold = (counted / Math.max(1, golds)).toFixed(1);
  return factsOf([
    ['Wrong queries one change away', `${formatCount(counted)}, ${perGold} per gold query`],
    ['Shown to be equivalent, not counted', formatCount(equivalent)],
    ['Equivalent under the data, not counted', formatCount(equivalentUnderData)],
    ['Databases', `${formatCount(databases)}, ${databasesPerGold.toFixed(1)} compared per gold query`],
    ['On disk', `${formatBytes(packedBytes)}, ${formatBytes(bytes)} unpacked`],
    ['Gold queries that are judged reliably', `${formatCount(totals.reliable)} of ${formatCount(golds)}`],
  ]);
}

/** Share of wrong queries that pass by databases tried: Test-suite accuracy, Figure 5. */
function curveTable({ curve }: SuiteReport): TableSection {
  return tableOf(
    'Wrong queries that pass after so many databases were tried for each schema; 0 is the original alone',
    headed('Databases tried', 'Pass'),
    curve.map(({ tried, share }) => ({ cells: [formatCount(tried), shareText(share)] })),
  );
}

/** Settings as the page calls them; what a later version adds keeps its own name. */
const SETTING_NAMES: Readonly<Record<string, string>> = {
  suiteFormat: 'Format of the suite',
  dataset: 'Data set’s format',
  data: 'Databases keep to constraints',
  randomDatabases: 'Random databases, at most',
  aimedDatabases: 'Targeted databases per query that passes, at most',
  redundancy: 'Databases kept per query, if there are',
  allRound: 'Random databases kept whole, at most',
  sqlite: 'SQLite',
  compressionLevel: 'Level of compression',
};

function settingsFacts({ seed, settings }: SuiteReport): FactsSection {
  const { budget, ...rest } = settings;
  const all: Readonly<Record<string, unknown>> = { ...rest, ...(typeof budget === 'object' ? budget : {}) };
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const facts = Object.entries(all).map(([name, value]) => [SETTING_NAMES[name] ?? name, text(value)] as const);
  return { kind: 'facts', facts: [['Seed', seed], ...facts] };
}

function constraintChapter({ schemas }: SuiteReport): Chapter {
  const items = schemas.flatMap(({ dbId, constraints }) =>
    constraints.map((one) => [nameSpan(dbId), `: ${describeConstraint(one)}`]),
  );
  const note =
    'Every database keeps to what the schema declares and what all rows of the original show, with the evidence.';
  const sections = [{ kind: 'list', items: items.length === 0 ? ['What SQLite itself asks for.'] : items } as const];
  return chapterOf('constraints', 'What the data keeps to', sections, { link: 'Constraints', layout: 'folded', note });
}

/** The report of a suite as a document; `named`: the file of its examples, which a suite itself doesn't keep. */
export function suiteDocument(report: SuiteReport, named: ExamplesNamed = {}): ReportDocument {
  const { totals, schemas, settings, perturbql } = report;
  const counted = countedNeighbors(totals);
  const cases = suiteCases(report);
  const name = dataName({ ...named, dataset: String(settings['dataset']) });
  const note =
    'Queries one change away that no database tells from their gold query, and gold queries whose verdicts want a second look. Many of the former mean the same in ways that nothing here proves.';
  return {
    title: `${name}: test suite`,
    command: 'suite build',
    subject: ['examples ', nameSpan(name)],
    headline: suiteHeadline(totals),
    lede: `${formatNoun(totals.databases, 'database')} on ${formatNoun(schemas.length, 'schema')} catch ${formatCount(counted - totals.left)} of ${formatNoun(counted, 'query', 'queries')} that differ from one of ${formatNoun(totals.golds, 'gold query', 'gold queries')} by one change. A prediction that agrees with its gold query on all of them is hardly wrong.`,
    plot: passPlot(report),
    warnings: [],
    chapters: [
      {
        id: 'cases',
        heading: 'What to look at',
        link: 'Cases',
        ...(cases.cases.length > 0 && { note }),
        sections:
          cases.cases.length > 0
            ? [cases]
            : [{ kind: 'list', items: ['Nothing: every gold query finds rows, and every wrong query is caught.'] }],
      },
      chapterOf('schemas', 'Schemas', [schemaTable(schemas)]),
      constraintChapter(report),
      chapterOf('details', 'Details', [countFacts(report), curveTable(report), settingsFacts(report)], {
        layout: 'folded',
      }),
    ],
    version: perturbql,
  };
}
