import { PerturbqlError } from '../../../errors.js';
import { sha256Of } from '../../../run/sha256.js';
import type { TableSet } from '../table-set.js';
import { SearchLog, type SearchStrategy, type SearchTask } from './table-search.js';

/** Draws for each question of the budget: where candidates are few, most draws give tables that were there before. */
const DRAWS_PER_QUERY = 5;

/** A seed for each draw of a search. */
function drawSeed(seed: number, draw: number): number {
  return Number.parseInt(sha256Of(`${seed}:draw ${draw}`).slice(0, 12), 16);
}

async function redraw({ perturber, group, kind, seed }: SearchTask, draw: number): Promise<TableSet | null> {
  try {
    return await perturber.draw(group, kind, drawSeed(seed, draw));
  } catch (error) {
    if (error instanceof PerturbqlError) return null;
    throw error;
  }
}

/** Draws tables at random until the model is broken or the budget used up. */
export const worstOfK: SearchStrategy = async (task) => {
  const log = new SearchLog(task);
  await log.try(task.first);
  if (task.first.changes.length === 0) return log.result;
  for (let draw = 1; !log.isOver && draw <= task.budget * DRAWS_PER_QUERY; draw++) {
    const tables = await redraw(task, draw);
    if (tables !== null) await log.try(tables);
  }
  return log.result;
};
