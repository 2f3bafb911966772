import { availableParallelism } from 'node:os';
import { describeEstimate, type ProposalEstimate } from '../llm/create-proposer.js';
import type { CandidatesRun } from './candidates-run.js';

/** Pairs scored per column, pairs and columns per second and session, measured on Spider dev (docs/performance.md). */
const PAIRS_PER_COLUMN = 57;
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
  const { rpl, add } = run.resources.recipe;
  const judged = decides && (rpl.rule.kind === 'entailment' || add.rule.kind === 'entailment');
  const pairs = judged ? run.columnCount * PAIRS_PER_COLUMN : 0;
  return {
    databases: new Set(run.plan.tasks.map(({ target }) => target.dbId)).size,
    tables: run.plan.tasks.length,
    columns: run.columnCount,
    examples: run.dataset.size,
    pairs,
    proposals: decides ? run.estimateProposals() : null,
    seconds: START_SECONDS + Math.ceil((pairs / PAIRS_PER_SECOND + run.columnCount / COLUMNS_PER_SECOND) / sessions),
  };
}

/** What a run is about to do and may take, in one line for people. */
export function describeRun(run: CandidatesRun, decides = true): string {
  return renderEstimate(estimateRun(run, run.options.jobs ?? availableParallelism(), decides));
}

export function renderEstimate(estimate: RunEstimate): string {
  const { databases, tables, columns, examples, pairs, proposals, seconds } = estimate;
  const minutes = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  const cost =
    pairs === 0 ? 'no pairs to score' : `about ${pairs} pairs to score, ${minutes} with an empty score cache`;
  return `${examples} questions on ${databases} databases: ${columns} columns of ${tables} tables, ${cost}${proposals === null ? '' : `; ${describeEstimate(proposals)}`}`;
}
