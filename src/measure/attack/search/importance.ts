import type { CandidateDecision } from '../../../formats/artifacts/candidates.js';
import { tryColumn } from './greedy.js';
import { compareStandings, SearchLog, type SearchStrategy, type SearchTask, type Standing } from './table-search.js';

/** The stand-in name of a column whose name is taken away: one that no question has. */
const NO_NAME = 'x';

/**
 * How the model does on the original tables without a column's name. The column itself stays: without it the gold would
 * ask for what is not there, and every answer were wrong.
 */
async function standWithout({ perturber, group, seed }: SearchTask, log: SearchLog, decision: CandidateDecision) {
  const nameless = { ...decision, bucket: 'RPL' as const, candidate: NO_NAME };
  const tables = await perturber.choose(group, 'RPL', seed, [nameless]);
  return tables === null || log.isOver ? null : log.probe(tables);
}

/**
 * As TextFooler (Jin et al. 2020 §3) and BERT-Attack (Li et al. 2020 §3.1) search: columns in the order of their
 * importance, which is how far the model falls where the column has no name; each once, the candidate that does most
 * harm kept, until the model is broken or the budget used up.
 */
export const importance: SearchStrategy = async (task) => {
  const log = new SearchLog(task);
  await log.try(task.first);
  const columns = task.perturber.columnsOf(task.group, task.kind, task.first);
  const weighed: { readonly at: number; readonly standing: Standing | null }[] = [];
  for (const [at, { changes }] of columns.entries()) {
    weighed.push({ at, standing: log.isOver ? null : await standWithout(task, log, changes[0]!.decision) });
  }
  weighed.sort((a, b) => compareStandings(a.standing, b.standing) || a.at - b.at);
  for (const { at } of weighed) await tryColumn(task, log, at, 0);
  return log.result;
};
