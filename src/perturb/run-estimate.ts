import { availableParallelism } from 'node:os';
import { leftOutOf } from '../formats/dataset.js';
import { describeEstimate, type ProposalEstimate } from '../llm/create-proposer.js';
import { countNoun } from '../report/figures.js';
import { firstLeftOut } from '../report/left-out.js';
import type { RunHost } from '../run/run-host.js';
import type { CandidatesRun } from './candidates-run.js';
import { drawnPairs } from './drawn-pairs.js';
import type { VariantPlan } from './variant-plan.js';

/** Pairs and columns per second and session, measured on Spider dev (docs/performance.md). */
const PAIRS_PER_SECOND = 430;
const COLUMNS_PER_SECOND = 10;
/** Of drawn names those that are near enough to be scored: 4 % to 16 %, measured on Spider dev and the examples. */
const NEAR_SHARE = 0.1;
/** Until models and index are open. */
const START_SECONDS = 5;

/** What a run does. */
export interface RunWork {
  /** Whether it makes its candidates itself. */
  readonly decides: boolean;
  /** The variants whose names it draws and checks; null where it draws none. */
  readonly variants: VariantPlan | null;
}

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
  /** Cold, with an empty score cache. */
  readonly seconds: number;
}

/** What a run will cost at most, before anything heavy is loaded. */
function estimateRun(run: CandidatesRun, sessions: number, { decides, variants }: RunWork): RunEstimate {
  const drawn = variants === null ? 0 : drawnPairs(run, variants);
  const pairs = (decides ? run.pairCount : 0) + Math.ceil(drawn * NEAR_SHARE);
  const decided = decides ? run.columnCount : 0;
  // A service's own time is not known.
  const inferred = run.asksJudgments ? 0 : pairs;
  return {
    databases: new Set(run.plan.tasks.map(({ target }) => target.dbId)).size,
    tables: run.plan.tasks.length,
    columns: run.columnCount,
    examples: run.dataset.size,
    pairs,
    compared: decides ? 0 : drawn,
    proposals: decides ? run.estimateProposals() : null,
    seconds: START_SECONDS + Math.ceil((inferred / PAIRS_PER_SECOND + decided / COLUMNS_PER_SECOND) / sessions),
  };
}

/** Says what a run is about to do, and what its reader noted and left out: before hours of work, as it may be a wrong file. */
export function announceRun(run: CandidatesRun, host: RunHost, work: RunWork): void {
  host.note(describeRun(run, work));
  for (const note of run.dataset.notes ?? []) host.note(`warning: ${note}`);
  const leftOut = leftOutOf(run.dataset);
  for (const sentence of firstLeftOut(leftOut, 'the run’s report.json')) host.note(`warning: ${sentence}`);
}

/** What a run is about to do and may take, in one line for people. */
export function describeRun(run: CandidatesRun, work: RunWork): string {
  return renderEstimate(estimateRun(run, run.options.jobs ?? availableParallelism(), work));
}

export function renderEstimate(estimate: RunEstimate): string {
  const { databases, tables, columns, examples, pairs, compared, proposals, seconds } = estimate;
  const minutes = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  const names = compared === 0 ? '' : `up to ${countNoun(compared, 'pair')} of new names to compare, `;
  const cost =
    pairs === 0
      ? 'no pairs to score'
      : `${names}about ${countNoun(pairs, 'pair')} to score, ${minutes} with an empty score cache`;
  return `${countNoun(examples, 'question')} on ${countNoun(databases, 'database')}: ${countNoun(columns, 'column')} of ${countNoun(tables, 'table')}, ${cost}${proposals === null ? '' : `; ${describeEstimate(proposals)}`}`;
}
