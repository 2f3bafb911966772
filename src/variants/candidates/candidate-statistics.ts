import { CANDIDATES_FILE, type CandidateDecision, loadCandidates } from '../../formats/artifacts/candidates.js';
import { fileWithin } from '../../regular-file.js';
import type { DatasetPaths } from '../../formats/dataset.js';
import { loadDataset } from '../../formats/load-dataset.js';
import {
  type BasicStatistics,
  computeBasicStatistics,
  PUBLISHED_STATISTICS,
  type StatisticRow,
} from '../report/basic-statistics.js';
import { ColumnTallies, type ColumnTally } from '../../report/column-tally.js';
import type { Database } from '../../schema/schema.js';
import { type AdvetaSet, advetaSetOf, SET_FORMATS } from '../../formats/adveta-release.js';
import {
  advetaSetsIn,
  type CandidateForm,
  candidateFormOf,
  type CandidateFormsOption,
  knownCandidates,
  loadCandidatesFrom,
  type Named,
  type NamedTable,
} from './candidate-forms.js';
import { requireExamples } from './candidates-run.js';
import type { FoundCandidates } from './adveta-places.js';
import { planTables } from './plan-tables.js';
import { readRunInputs, requireRunInputs } from './run-inputs.js';
import type { DatasetFormat } from '../../formats/dataset-formats.js';

export interface StatisticsOptions extends CandidateFormsOption {
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
  /** The paper's figures for the annotators' work on this data set's dev set; null if it has none. */
  readonly published: BasicStatistics | null;
  /** The set of ADVETA that was counted, where its lists are; absent for other candidates. */
  readonly set?: AdvetaSet;
  /** The share of people's candidates that the data set has, if it is given. */
  readonly found?: FoundCandidates;
  /** Where a release has lists for several sets and no data set is given: the sets after the first. */
  readonly others?: readonly StatisticsResult[];
}

/** Candidates for the tables of a data set's databases that questions are asked of, as ADVETA's own are. */
async function readForDataset(
  candidates: string,
  paths: DatasetPaths,
  candidateForms: readonly CandidateForm[],
): Promise<CandidateTables & Pick<StatisticsResult, 'found'>> {
  const dataset = await loadDataset(paths);
  requireExamples(dataset, paths);
  const asked = new Set(planTables(dataset, 'all').tasks.map(({ target }) => target.dbId));
  const databases = new Map([...dataset.databases].filter(([id]) => asked.has(id)));
  const all: FoundCandidates[] = [];
  const onFound = (one: FoundCandidates): void => void all.push(one);
  const use = { format: dataset.format, onFound, candidateForms };
  const decisions = knownCandidates(loadCandidatesFrom(candidates, dataset.databases, use), databases, candidates);
  const [found] = all;
  return { decisions, databases, hasAllColumns: true, ...(found === undefined ? {} : { found }) };
}

function runFile(from: string): string {
  return fileWithin(from, CANDIDATES_FILE);
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

function statisticsOf({ decisions, databases, hasAllColumns }: CandidateTables): CandidateStatistics {
  const tallies = new ColumnTallies([]);
  for (const decision of decisions) tallies.add(decision);
  return computeStatistics([...databases.values()], tallies.sorted(), hasAllColumns);
}

/** Returns the paper's figures for a set of its own, by our name of its format. */
function publishedFor(set: AdvetaSet | null, paths: DatasetPaths | null): BasicStatistics | null {
  const ofFormat = paths?.dataset === SET_FORMATS.wtq ? 'wtq' : (paths?.dataset ?? '');
  return PUBLISHED_STATISTICS.get(set ?? ofFormat) ?? null;
}

/** Counts lists as they are, each set of ADVETA by itself. */
function statisticsWithoutDataset(candidates: string, forms: readonly CandidateForm[]): StatisticsResult {
  const sets = advetaSetsIn(candidates);
  const [first, ...others] = (sets ?? []).map((set): StatisticsResult => {
    const statistics = statisticsOf(readCandidateTables(candidates, SET_FORMATS[set], forms));
    return { statistics, published: publishedFor(set, null), set };
  });
  if (first !== undefined) return { ...first, ...(others.length === 0 ? {} : { others }) };
  return { statistics: statisticsOf(readCandidateTables(runFile(candidates), 'spider', forms)), published: null };
}

/**
 * Counts candidates as ADVETA's Table 1 does (§3.2).
 * @throws ConfigError, InputFormatError or AnnotationError when candidates or data set are missing or wrong
 */
export async function candidateStatistics({
  candidates,
  paths,
  candidateForms = [],
}: StatisticsOptions): Promise<StatisticsResult> {
  const own = paths ?? readRunInputs(candidates);
  if (own === null) return statisticsWithoutDataset(candidates, candidateForms);
  if (paths === null) requireRunInputs(candidates, own);
  const { found, ...tables } = await readForDataset(candidates, own, candidateForms);
  const set = advetaSetsIn(candidates) === null ? null : advetaSetOf(own.dataset);
  return {
    statistics: statisticsOf(tables),
    published: publishedFor(set, own),
    ...(set === null ? {} : { set }),
    ...(found === undefined ? {} : { found }),
  };
}

/** Candidates with the tables that they are about. */
interface CandidateTables {
  readonly decisions: readonly CandidateDecision[];
  readonly databases: ReadonlyMap<string, Database>;
  /** False where only columns with candidates are known. */
  readonly hasAllColumns: boolean;
}

interface KnownTable {
  readonly table: Named;
  /** By original name. */
  readonly columns: Map<string, Named>;
}

/** Names alone as a schema; types and keys are not known. */
function toDatabases(tables: Iterable<NamedTable>): ReadonlyMap<string, Database> {
  const byId = new Map<string, Map<string, KnownTable>>();
  for (const table of tables) {
    const known = byId.get(table.dbId) ?? new Map<string, KnownTable>();
    byId.set(table.dbId, known);
    const entry = known.get(table.originalName) ?? { table, columns: new Map<string, Named>() };
    known.set(table.originalName, entry);
    for (const column of table.columns) entry.columns.set(column.originalName, column);
  }
  return new Map([...byId].map(([id, known]) => [id, toDatabase(id, known.values())]));
}

function toDatabase(id: string, entries: Iterable<KnownTable>): Database {
  const tables = Array.from(entries, ({ table: { name, originalName }, columns }) => ({
    name,
    originalName,
    columns: Array.from(columns.values(), (column) => ({ ...column, type: 'others' as const })),
  }));
  return { id, tables, primaryKeys: [], foreignKeys: [] };
}

function tablesOfDecisions(decisions: readonly CandidateDecision[]): readonly NamedTable[] {
  return decisions.map(({ db_id, table, table_original, column, column_original }) => ({
    dbId: db_id,
    name: table,
    originalName: table_original ?? table,
    columns: [{ name: column, originalName: column_original ?? column }],
  }));
}

/**
 * Reads the tables that `--candidates` names, without its data set: those of ADVETA's files, of a project's items, or
 * those that decisions name. Of a release it reads the lists of the format's set.
 * @throws InputFormatError or AnnotationError when a file is not what it should be, or holds no candidate
 */
function readCandidateTables(
  from: string,
  format: DatasetFormat,
  candidateForms: readonly CandidateForm[] = [],
): CandidateTables {
  const tables = candidateFormOf(from, candidateForms)?.tables(from, format) ?? null;
  if (tables !== null) {
    const databases = toDatabases(tables);
    return {
      decisions: loadCandidatesFrom(from, databases, { format, candidateForms }),
      databases,
      hasAllColumns: true,
    };
  }
  const decisions = loadCandidates(from);
  const databases = toDatabases(tablesOfDecisions(decisions));
  return { decisions: knownCandidates(decisions, databases, from), databases, hasAllColumns: false };
}
