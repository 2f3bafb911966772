import { formatCount } from '../counts.js';
import type { CandidateStatistics, StatisticsResult } from '../variants/candidates/candidate-statistics.js';
import { describeFound } from '../variants/candidates/adveta-places.js';
import type { AdvetaSet } from '../formats/adveta-release.js';
import type { BasicStatistics, StatisticRow } from '../variants/report/basic-statistics.js';

/** The rows of the table: what they are called, and whether they are averages. */
const ROWS = [
  ['totalTables', 'tables', 0],
  ['averageColumnsPerTable', 'columns per table', 2],
  ['perturbedColumns', 'perturbed columns', 0],
  ['averagePerturbedColumnsPerTable', 'perturbed columns per table', 2],
  ['candidates', 'candidates', 0],
  ['averageCandidatesPerColumn', 'candidates per column', 2],
  ['uniqueCandidates', 'unique candidates', 0],
  ['uniqueColumns', 'unique columns', 0],
  ['uniqueVocabulary', 'unique vocabulary', 0],
] as const satisfies readonly (readonly [keyof CandidateStatistics, string, number])[];

const KINDS = ['original', 'rpl', 'add'] as const satisfies readonly (keyof StatisticRow)[];
const HEADINGS = ['original', 'RPL', 'ADD'] as const;
const WIDTH = 10;

function cellsOf(row: StatisticRow | undefined, decimals: number): string {
  const cells = KINDS.map((kind) => row?.[kind]?.toFixed(decimals) ?? '-');
  return cells.map((cell) => cell.padStart(WIDTH)).join('');
}

/** The paper's names for the sets of ADVETA. */
const SET_NAMES: Readonly<Record<AdvetaSet, string>> = { spider: 'Spider', wtq: 'WTQ', wikisql: 'WikiSQL' };

/** The statistics as plain tables, the paper's own next to them where it has any: one for each set of a release. */
export function renderStatisticsLines({ others = [], ...first }: StatisticsResult): readonly string[] {
  if (others.length === 0) return renderTable(first);
  return [first, ...others].flatMap((result, i) => [
    ...(i === 0 ? [] : ['']),
    headingOf(result),
    ...renderTable(result),
  ]);
}

function headingOf({ set, statistics, published }: StatisticsResult): string {
  const name = set === undefined ? '' : SET_NAMES[set];
  const [here, paper] = [statistics.totalTables.original, published?.totalTables.original];
  if (here === null || paper == null || here >= paper) return name;
  const figures = [here, paper].map((count) => formatCount(count));
  return `${name}: ${figures.join(' of the paper’s ')} tables, so averages compare and totals don’t`;
}

function renderTable({ statistics, published, found }: StatisticsResult): readonly string[] {
  const longest = Math.max(...ROWS.map(([, label]) => label.length));
  const headings = HEADINGS.map((heading) => heading.padStart(WIDTH)).join('');
  const ofPaper = (name: keyof CandidateStatistics, decimals: number): string =>
    published === null ? '' : `   ${cellsOf(published[name as keyof BasicStatistics], decimals)}`;
  const header = `${' '.repeat(longest)}${headings}${published === null ? '' : `   ${headings}  (the paper’s Table 1)`}`;
  return [
    header,
    ...ROWS.map(
      ([name, label, decimals]) =>
        `${label.padEnd(longest)}${cellsOf(statistics[name], decimals)}${ofPaper(name, decimals)}`,
    ),
    ...(found === undefined ? [] : [describeFound(found)]),
  ];
}
