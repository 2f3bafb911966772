import type { CandidateDecision } from '../../../formats/artifacts/candidates.js';
import { createRng, shuffled } from '../../../seeded-rng.js';
import type { ChangedColumns } from '../table-perturber.js';
import { SearchLog, type SearchStrategy, type SearchTask } from './table-search.js';

function decisionsOf(columns: readonly ChangedColumns[]): readonly CandidateDecision[] {
  return columns.map(({ changes }) => changes[0]!.decision);
}

/** Tries every other candidate of one column with those of the others kept; whether one is worse for the model. */
export async function tryColumn(task: SearchTask, log: SearchLog, at: number, pass: number): Promise<boolean> {
  const { perturber, group, kind, seed } = task;
  const columns = perturber.columnsOf(group, kind, log.worst);
  const column = columns[at];
  if (column === undefined) return false;
  const decisions = decisionsOf(columns);
  const rng = createRng(seed, `${group.id}:${kind}:greedy ${pass}.${at}`);
  let isWorse = false;
  for (const alternative of shuffled(column.alternatives, rng)) {
    if (log.isOver) break;
    const tables = await perturber.choose(group, kind, seed, decisions.with(at, alternative));
    if (tables !== null && (await log.try(tables))) isWorse = true;
  }
  return isWorse;
}

/**
 * Changes one column's candidate at a time, column by column, and keeps what does the model most harm; goes on while a
 * pass over the columns finds something, until the model is broken or the budget used up.
 */
export const greedy: SearchStrategy = async (task) => {
  const log = new SearchLog(task);
  await log.try(task.first);
  const count = task.perturber.columnsOf(task.group, task.kind, task.first).length;
  let isWorse = count > 0;
  for (let pass = 0; isWorse && !log.isOver; pass++) {
    isWorse = false;
    for (let at = 0; at < count && !log.isOver; at++) {
      if (await tryColumn(task, log, at, pass)) isWorse = true;
    }
  }
  return log.result;
};
