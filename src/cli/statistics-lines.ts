import type { CandidateStatistics, StatisticsResult } from '../perturb/candidate-statistics.js';
import type { BasicStatistics, StatisticRow } from '../perturb/report/basic-statistics.js';

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

/** The statistics as a plain table, the paper's own next to them where it has any. */
export function renderStatisticsLines({ statistics, published }: StatisticsResult): readonly string[] {
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
  ];
}
