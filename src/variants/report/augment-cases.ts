import {
  type CaseColumn,
  type CaseSide,
  type CasesSection,
  type CaseStatus,
  type CaseTable,
  lowestRanked,
  type NameMark,
  type ReportCase,
} from '../../report/document/case.js';
import { casesOf } from '../../report/document/sections.js';
import { tokensOf } from '../../report/document/query-html.js';
import { formatCount, formatNoun } from '../../counts.js';
import {
  type AugmentReport,
  compareSamples,
  isQueryChanged,
  type ReportedSample,
  type SampleColumn,
} from './augment-report.js';

const STATUSES: readonly CaseStatus[] = [
  { id: 'changed', label: 'Gold SQL changed', tone: 'rpl' },
  { id: 'kept', label: 'Gold SQL unchanged', tone: 'soft' },
];

const AFTER = {
  RPL: 'Columns renamed (RPL)',
  ADD: 'Columns added (ADD)',
  mixed: 'Columns renamed and added (mixed)',
} as const;

const KEPT = {
  RPL: 'As before: it names no renamed column.',
  ADD: 'As before: an added column is never the answer.',
  mixed: 'As before: it names no renamed column.',
} as const;

/** Changes that a line of the list names. */
const NAMED = 3;

function glossOf({ kind, changes, elsewhere = 0 }: ReportedSample): string {
  const texts = changes.map(({ column, to, change }) => `${column} ${(change ?? kind) === 'ADD' ? '+' : '→'} ${to}`);
  // Keys that are linked change alike.
  const distinct = [...new Set(texts)];
  const more = Math.max(0, distinct.length - NAMED) + elsewhere;
  const named = distinct.slice(0, NAMED).join('; ');
  return `${kind}: ${named}${more === 0 ? '' : `; and ${formatCount(more)} more`}`;
}

/** A column before the change; null for one that was added. */
function columnBefore({ name, change, was }: SampleColumn): CaseColumn | null {
  if (change === 'added') return null;
  return { name: was ?? name, change: change === 'renamed' ? 'renamed' : null };
}

function tablesOf({ tables }: ReportedSample): readonly [before: readonly CaseTable[], after: readonly CaseTable[]] {
  const nameOf = ({ table, tableOriginal }: ReportedSample['tables'][number]): string =>
    tableOriginal === undefined ? table : `${table} (${tableOriginal})`;
  const columnsOf = (table: ReportedSample['tables'][number]): CaseColumn[] =>
    table.columns.map(columnBefore).filter((column) => column !== null);
  return [
    tables.map((table) => ({ name: nameOf(table), columns: columnsOf(table) })),
    tables.map((table) => ({
      name: nameOf(table),
      columns: table.columns.map(({ name, change }) => ({ name, change: change === 'none' ? null : change })),
    })),
  ];
}

const isLiteral = (token: string): boolean => token.startsWith("'");

/** Names that took each other's place in two queries; null where these differ in more than names. */
function renamedIn({
  queryBefore,
  queryAfter,
}: ReportedSample): readonly (readonly [from: string, to: string])[] | null {
  const [first, second] = [tokensOf(queryBefore), tokensOf(queryAfter)];
  if (first.length !== second.length) return null;
  const pairs = first.map((token, i): readonly [string, string] => [token, second[i] ?? '']);
  const changed = pairs.filter(([from, to]) => from !== to);
  return changed.some((pair) => pair.some(isLiteral)) ? null : changed;
}

function marksOf(pairs: readonly (readonly [string, string])[]): readonly [NameMark[], NameMark[]] {
  const unique = [...new Map(pairs.map((pair) => [pair.join('\n'), pair])).values()];
  return [
    unique.map(([from, to]) => ({ name: from, as: 'renamed', title: `renamed to ${to}` })),
    unique.map(([from, to]) => ({ name: to, as: 'renamed', title: `was ${from}` })),
  ];
}

function sidesOf(sample: ReportedSample): readonly [CaseSide, CaseSide] {
  const { kind, queryBefore, queryAfter } = sample;
  const pairs = renamedIn(sample);
  const [before, after] = marksOf(pairs ?? []);
  const [tablesBefore, tablesAfter] = tablesOf(sample);
  const query = { label: 'Gold SQL', verdicts: [], note: null } as const;
  const side = { question: null, results: [] } as const;
  return [
    {
      ...side,
      label: 'Original tables',
      tables: tablesBefore,
      marks: before,
      queries: [{ ...query, sql: queryBefore, against: pairs === null ? queryAfter : null }],
    },
    {
      ...side,
      label: AFTER[kind],
      tables: tablesAfter,
      marks: after,
      queries: [
        {
          ...query,
          sql: queryAfter,
          against: pairs === null ? queryBefore : null,
          note: isQueryChanged(sample) ? null : KEPT[kind],
        },
      ],
    },
  ];
}

function caseOf(sample: ReportedSample): ReportCase {
  const { id, question, kind, dbId, elsewhere = 0 } = sample;
  const others = `${formatNoun(elsewhere, 'column')} of other tables ${elsewhere === 1 ? 'is' : 'are'} changed, too.`;
  return {
    id,
    question,
    gloss: glossOf(sample),
    status: isQueryChanged(sample) ? 'changed' : 'kept',
    facets: { condition: kind, database: dbId },
    reason: null,
    sides: sidesOf(sample),
    notes: [`${id}.`, ...(elsewhere === 0 ? [] : [others])],
  };
}

/** How much there is to read before the change is seen: long queries, and wide tables. */
function readingLength({ question, queryBefore, queryAfter, tables }: ReportedSample): number {
  const names = tables.flatMap(({ columns }) => columns.map(({ name }) => name));
  const texts = [question, queryBefore, queryAfter, ...names];
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** The variant that shows best what was done: several names of its query changed, and it is soon read. */
function tellingSample(samples: readonly ReportedSample[]): ReportedSample | undefined {
  const renamed = (sample: ReportedSample): number => new Set(renamedIn(sample)?.map(([from]) => from)).size;
  const rank = (sample: ReportedSample): number => readingLength(sample) - 10_000 * Math.min(2, renamed(sample));
  return lowestRanked(samples, rank);
}

/** The variants that a report holds, those whose gold SQL changed first. */
export function augmentCases({ samples: { RPL, ADD, mixed = [] } }: AugmentReport): CasesSection {
  const samples = [...RPL, ...ADD, ...mixed].sort(compareSamples);
  const open = tellingSample(samples)?.id ?? null;
  return casesOf(STATUSES, ['condition', 'database'], samples.map(caseOf), open, { noun: 'variant' });
}
