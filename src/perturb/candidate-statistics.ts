import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatasetPaths } from '../formats/dataset.js';
import { loadDataset } from '../formats/load-dataset.js';
import {
  type BasicStatistics,
  computeBasicStatistics,
  PUBLISHED_STATISTICS,
  type StatisticRow,
} from './report/basic-statistics.js';
import { ColumnTallies, type ColumnTally } from '../report/column-tally.js';
import type { Database } from '../schema/schema.js';
import { ADVETA_PREFIX } from './candidate-forms.js';
import { type CandidateTables, readCandidateTables, withDecisions } from './candidate-tables.js';
import { requireExamples } from './candidates-run.js';
import { planTables } from './plan-tables.js';
import { readRunInputs, requireRunInputs } from './run-inputs.js';

export interface StatisticsOptions {
  /** A run folder, a `candidates.jsonl`, an annotation project, or `adveta:DIR`. */
  readonly candidates: string;
  /** The data set that the candidates are about; null = what they tell themselves, a run's its own. */
  readonly paths: DatasetPaths | null;
}

/** The basic statistics of ADVETA's Table 1 for candidates, and the counts behind its averages. */
export interface CandidateStatistics extends BasicStatistics {
  /** Columns with at least one candidate. */
  readonly perturbedColumns: StatisticRow;
  /** Candidates, a name once per column. */
  readonly candidates: StatisticRow;
  /** Distinct candidates; `uniqueColumns` has the columns' own names too. */
  readonly uniqueCandidates: StatisticRow;
}

export interface StatisticsResult {
  readonly statistics: CandidateStatistics;
  /** What the paper prints for the annotators' work on this data set's dev set; null where it has no such figures. */
  readonly published: BasicStatistics | null;
}

/** Candidates for the tables of a data set's databases that questions are asked of, as ADVETA's own are. */
async function readForDataset(candidates: string, paths: DatasetPaths): Promise<CandidateTables> {
  const dataset = await loadDataset(paths);
  requireExamples(dataset, paths);
  const asked = new Set(planTables(dataset, 'all').tasks.map(({ target }) => target.dbId));
  return withDecisions(candidates, new Map([...dataset.databases].filter(([id]) => asked.has(id))));
}

function runFile(from: string): string {
  return statSync(from, { throwIfNoEntry: false })?.isDirectory() === true ? join(from, 'candidates.jsonl') : from;
}

function totals(columns: readonly ColumnTally[], path: 'RPL' | 'ADD'): readonly [number, number, number] {
  const perturbed = columns.filter(({ accepted }) => accepted[path].size > 0);
  const names = perturbed.flatMap(({ accepted }) => [...accepted[path]]);
  return [perturbed.length, names.length, new Set(names).size];
}

function computeStatistics(
  databases: readonly Database[],
  columns: readonly ColumnTally[],
  hasAllColumns: boolean,
): CandidateStatistics {
  const [rpl, add] = [totals(columns, 'RPL'), totals(columns, 'ADD')];
  const basic = computeBasicStatistics(databases, columns);
  const row = (which: 0 | 1 | 2): StatisticRow => ({ original: null, rpl: rpl[which], add: add[which] });
  return {
    ...basic,
    // Columns without candidates are not known, so neither is their number.
    ...(hasAllColumns ? {} : { averageColumnsPerTable: { original: null, rpl: null, add: null } }),
    perturbedColumns: row(0),
    candidates: row(1),
    uniqueCandidates: row(2),
  };
}

/**
 * Counts candidates as ADVETA's Table 1 does (§3.2).
 * @throws ConfigError, InputFormatError or AnnotationError when candidates or data set are missing or wrong
 */
export async function candidateStatistics({ candidates, paths }: StatisticsOptions): Promise<StatisticsResult> {
  const own = paths ?? readRunInputs(candidates);
  if (own !== null && paths === null) requireRunInputs(candidates, own);
  const tables = own === null ? readCandidateTables(runFile(candidates)) : await readForDataset(candidates, own);
  const tallies = new ColumnTallies([]);
  for (const decision of tables.decisions) tallies.add(decision);
  return {
    statistics: computeStatistics([...tables.databases.values()], tallies.sorted(), tables.hasAllColumns),
    published: PUBLISHED_STATISTICS.get(publishedName(candidates, own)) ?? null,
  };
}

/** The data set by the paper's name; ADVETA's own files here are those of Spider. */
function publishedName(candidates: string, paths: DatasetPaths | null): string {
  if (candidates.startsWith(ADVETA_PREFIX)) return 'spider';
  return paths?.dataset === 'squall' ? 'wtq' : (paths?.dataset ?? '');
}
