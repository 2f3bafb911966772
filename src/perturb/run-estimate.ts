import { availableParallelism } from 'node:os';
import type { CandidatesRun } from './candidates-run.js';

/** Pairs scored per column and inferences per second and session, measured on Spider dev (docs/performance.md). */
const PAIRS_PER_COLUMN = 135;
const INFERENCES_PER_SECOND = 320;

export interface RunEstimate {
  readonly databases: number;
  readonly tables: number;
  readonly columns: number;
  readonly examples: number;
  readonly pairs: number;
  /** Cold, with an empty score cache. */
  readonly seconds: number;
}

/** What a run will cost at most, before anything heavy is loaded. */
function estimateRun(run: CandidatesRun, sessions: number): RunEstimate {
  const judged =
    run.resources.recipe.rpl.rule.kind === 'entailment' || run.resources.recipe.add.rule.kind === 'entailment';
  const pairs = judged ? run.columnCount * PAIRS_PER_COLUMN : 0;
  return {
    databases: new Set(run.plan.tasks.map(({ target }) => target.dbId)).size,
    tables: run.plan.tasks.length,
    columns: run.columnCount,
    examples: run.dataset.size,
    pairs,
    seconds: Math.ceil(pairs / (INFERENCES_PER_SECOND * sessions)) + 5,
  };
}

/** What a run is about to do and may take, in one line for people. */
export function describeRun(run: CandidatesRun): string {
  return renderEstimate(estimateRun(run, run.options.workers ?? availableParallelism()));
}

export function renderEstimate(estimate: RunEstimate): string {
  const { databases, tables, columns, examples, pairs, seconds } = estimate;
  const minutes = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `${examples} questions on ${databases} databases: ${columns} columns of ${tables} tables, about ${pairs} pairs to score, ${minutes} with an empty score cache`;
}
