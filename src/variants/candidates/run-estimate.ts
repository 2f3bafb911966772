import { leftOutOf } from '../../formats/dataset.js';
import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import { describeEstimate, type ProposalEstimate } from '../../llm/create-proposer.js';
import { countNoun, formatCount } from '../../counts.js';
import { renderSeconds } from '../../report/figures.js';
import { firstLeftOut } from '../../report/left-out.js';
import type { RunHost } from '../../run/run-host.js';
import type { Example } from '../../schema/schema.js';
import { type VariantPlan, variantSlots } from '../augment/variant-plan.js';
import { CandidatePool } from '../relations/names/candidate-pool.js';
import { type CandidatesRun, PAIRS_PER_COLUMN } from './candidates-run.js';
import { drawnPairs, NO_PAIRS } from './drawn-pairs.js';

/** CPU seconds of the parts of a run, of all threads and processes (docs/performance.md). */
const COST = {
  /** Until inputs are read, without questions. */
  start: 1,
  perQuestion: 0.004,
  /** Names and index. */
  loading: 2,
  /** The bank, where columns are decided. */
  opening: 2,
  perColumn: 0.04,
  /** The sessions of the judge and, where columns are decided, of the encoder: the cache holds what a warm run asks. */
  sessions: 1,
  encoding: 1.5,
  perPair: 0.0024,
  /** A few pairs at a time, as names are drawn one after another. */
  perDrawnPair: 0.0035,
  perCompared: 0.000_003,
  perVariant: 0.001,
  /** A variant that is written with a database and verified. */
  perDatabase: 0.007,
};

/** The work of a run. */
export interface RunWork {
  /** Candidates that are given; null where it makes its own. */
  readonly given: readonly CandidateDecision[] | null;
  /** The variants whose names it draws and checks; null where it draws none. */
  readonly variants: VariantPlan | null;
  /** True if it writes databases for them. */
  readonly databases: boolean;
}

/** The work of `candidates`. */
export const DECIDES: RunWork = { given: null, variants: null, databases: false };

export interface RunEstimate {
  readonly databases: number;
  readonly tables: number;
  readonly columns: number;
  readonly examples: number;
  /** To be scored. */
  readonly pairs: number;
  /** Of drawn names, where they come from candidates that are given; some of them are near enough to be scored. */
  readonly compared: number;
  /** Null where no language model is asked. */
  readonly proposals: ProposalEstimate | null;
  /** CPU seconds cold, with an empty score cache. */
  readonly seconds: number;
  /** Warm: every score is in the cache. */
  readonly warmSeconds: number;
}

/** CPU seconds of making, writing and verifying variants, apart from what is scored. */
function secondsOfVariants({ dataset }: CandidatesRun, { variants, databases }: RunWork, met: number): number {
  if (variants === null) return 0;
  const made = dataset.size * variantSlots(variants).length;
  return met * COST.perCompared + made * (COST.perVariant + (databases ? COST.perDatabase : 0));
}

/** CPU seconds of deciding columns, with names and index loaded for it: warm, and what an empty score cache adds. */
export function secondsOfDecisions(columns: number): { readonly warm: number; readonly scoring: number } {
  if (columns === 0) return { warm: 0, scoring: 0 };
  return {
    warm: COST.loading + COST.opening + columns * COST.perColumn,
    scoring: COST.sessions + COST.encoding + columns * PAIRS_PER_COLUMN * COST.perPair,
  };
}

/** Estimates the cost of a run, before models and index are loaded. */
async function estimateRun(run: CandidatesRun, work: RunWork): Promise<RunEstimate> {
  const { given, variants } = work;
  const pool = given === null ? null : new CandidatePool(given);
  const drawn = variants === null ? NO_PAIRS : await drawnPairs(run, variants, pool);
  const decidedPairs = given === null ? run.pairCount : 0;
  const pairs = decidedPairs + drawn.scored;
  const deciding = given === null && run.columnCount > 0 ? COST.opening + run.columnCount * COST.perColumn : 0;
  const reading = COST.start + run.dataset.size * COST.perQuestion;
  const warm = reading + COST.loading + deciding + secondsOfVariants(run, work, drawn.met);
  const scoring =
    COST.sessions +
    (given === null ? COST.encoding : 0) +
    decidedPairs * COST.perPair +
    drawn.scored * COST.perDrawnPair;
  // A service's own time is not known.
  const cold = pairs === 0 || run.asksJudgments ? warm : warm + scoring;
  return {
    databases: new Set(run.plan.tasks.map(({ target }) => target.dbId)).size,
    tables: run.plan.tasks.length,
    columns: run.columnCount,
    examples: run.dataset.size,
    pairs,
    compared: given === null ? 0 : drawn.met,
    proposals: given === null ? run.estimateProposals() : null,
    seconds: Math.ceil(cold),
    warmSeconds: Math.ceil(warm),
  };
}

/**
 * Says what a run is about to do, and what its reader noted and left out: before hours of work, as it may be a wrong
 * file.
 */
export async function announceRun(run: CandidatesRun, host: RunHost, work: RunWork): Promise<void> {
  host.note(await describeRun(run, work));
  for (const note of run.dataset.notes ?? []) host.note(`warning: ${note}`);
  const leftOut = leftOutOf(run.dataset);
  for (const sentence of firstLeftOut(leftOut, 'the run’s report.json')) host.note(`warning: ${sentence}`);
}

/** Why there is no column to decide on where only those of gold queries are; empty where there is one. */
function describeNoColumns({ plan, dataset, options, columnCount }: CandidatesRun): string {
  if (columnCount > 0 || options.columns !== 'mentioned') return '';
  const isOfViews = ({ id, dbId }: Example): boolean =>
    plan.mentions.get(id)?.tables.some((t) => dataset.databases.get(dbId)?.tables[t]?.isView === true) === true;
  const ofViews = [...dataset.examples()].filter(isOfViews).length;
  const why =
    ofViews === 0
      ? ''
      : `: ${formatCount(ofViews)} of ${countNoun(dataset.size, 'gold query', 'gold queries')} read views`;
  return `; no gold query names a column of a table that can be perturbed${why} (--columns all decides on all columns)`;
}

/** Describes the work a run is about to do and the time it may take, in one line for people. */
export async function describeRun(run: CandidatesRun, work: RunWork): Promise<string> {
  const estimate = renderEstimate(await estimateRun(run, work));
  return `${estimate}${describeNoColumns(run)}`;
}

export function renderEstimate(estimate: RunEstimate): string {
  const { databases, tables, columns, examples, pairs, compared, proposals, seconds, warmSeconds } = estimate;
  const names = compared === 0 ? '' : `up to ${countNoun(compared, 'pair')} of new names to compare, `;
  const cost =
    pairs === 0
      ? `no pairs to score, about ${renderSeconds(seconds)} of CPU time`
      : `${names}about ${countNoun(pairs, 'pair')} to score, ${renderSeconds(seconds)} of CPU time with an empty score cache, ${renderSeconds(warmSeconds)} where it has them all`;
  return `${countNoun(examples, 'question')} on ${countNoun(databases, 'database')}: ${countNoun(columns, 'column')} of ${countNoun(tables, 'table')}, ${cost}${proposals === null ? '' : `; ${describeEstimate(proposals)}`}`;
}
