import { availableParallelism } from 'node:os';
import { leftOutOf } from '../formats/dataset.js';
import { describeEstimate, type ProposalEstimate } from '../llm/create-proposer.js';
import { countNoun } from '../report/figures.js';
import { firstLeftOut } from '../report/left-out.js';
import type { RunHost } from '../run/run-host.js';
import type { CandidatesRun } from './candidates-run.js';

/** Pairs and columns per second and session, measured on Spider dev (docs/performance.md). */
const PAIRS_PER_SECOND = 430;
const COLUMNS_PER_SECOND = 10;
/** Until models and index are open. */
const START_SECONDS = 5;

export interface RunEstimate {
  readonly databases: number;
  readonly tables: number;
  readonly columns: number;
  readonly examples: number;
  readonly pairs: number;
  /** Null where no language model is asked. */
  readonly proposals: ProposalEstimate | null;
  /** Cold, with an empty score cache. */
  readonly seconds: number;
}

/** What a run will cost at most, before anything heavy is loaded; `decides` is whether it makes its candidates itself. */
function estimateRun(run: CandidatesRun, sessions: number, decides: boolean): RunEstimate {
  const pairs = decides ? run.pairCount : 0;
  // A service's own time is not known.
  const inferred = run.asksJudgments ? 0 : pairs;
  return {
    databases: new Set(run.plan.tasks.map(({ target }) => target.dbId)).size,
    tables: run.plan.tasks.length,
    columns: run.columnCount,
    examples: run.dataset.size,
    pairs,
    proposals: decides ? run.estimateProposals() : null,
    seconds: START_SECONDS + Math.ceil((inferred / PAIRS_PER_SECOND + run.columnCount / COLUMNS_PER_SECOND) / sessions),
  };
}

/** Says what a run is about to do, and what its reader noted and left out: before hours of work, as it may be a wrong file. */
export function announceRun(run: CandidatesRun, host: RunHost, decides = true): void {
  host.note(describeRun(run, decides));
  for (const note of run.dataset.notes ?? []) host.note(`warning: ${note}`);
  const leftOut = leftOutOf(run.dataset);
  for (const sentence of firstLeftOut(leftOut, 'the run’s report.json')) host.note(`warning: ${sentence}`);
}

/** What a run is about to do and may take, in one line for people. */
export function describeRun(run: CandidatesRun, decides = true): string {
  return renderEstimate(estimateRun(run, run.options.jobs ?? availableParallelism(), decides));
}

export function renderEstimate(estimate: RunEstimate): string {
  const { databases, tables, columns, examples, pairs, proposals, seconds } = estimate;
  const minutes = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  const cost =
    pairs === 0
      ? 'no pairs to score'
      : `about ${countNoun(pairs, 'pair')} to score, ${minutes} with an empty score cache`;
  return `${countNoun(examples, 'question')} on ${countNoun(databases, 'database')}: ${countNoun(columns, 'column')} of ${countNoun(tables, 'table')}, ${cost}${proposals === null ? '' : `; ${describeEstimate(proposals)}`}`;
}
