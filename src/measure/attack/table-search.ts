import type { PerturbationKind } from '../../variants/relations/names/candidate-pool.js';
import type { TablePerturber } from './table-perturber.js';
import type { AttackGroup, TableSet } from './table-set.js';
import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import { createRng, shuffled } from '../../seeded-rng.js';
import { PerturbqlError } from '../../errors.js';
import { sha256Of } from '../../run/sha256.js';

/** How well a model does on tables. */
export interface Standing {
  /** Answers that are right. */
  readonly correct: number;
  /** Components of exact match that agree with the gold; tells near misses from far ones. */
  readonly matched: number;
}

/** A search for tables that break a model's answers. */
export interface SearchTask {
  readonly group: AttackGroup;
  readonly kind: PerturbationKind;
  readonly seed: number;
  /** The first draw: what the strategy `random` would take. */
  readonly first: TableSet;
  /** Most table sets that the model is asked of. */
  readonly budget: number;
  readonly perturber: TablePerturber;
  /** Asks the model. */
  readonly stand: (tables: TableSet) => Promise<Standing>;
}

/** The result of a search. */
interface SearchResult {
  /** The worst tables found; of equally bad ones the first. */
  readonly tables: TableSet;
  /** Table sets that the model was asked of. */
  readonly queries: number;
}

/** How tables are searched for; stops at the first on which no answer is right. */
export type SearchStrategy = (task: SearchTask) => Promise<SearchResult>;

/** Worst first; where nothing is known last. */
function compareStandings(one: Standing | null, other: Standing | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one.correct - other.correct || one.matched - other.matched;
}

/** Keeps account of a search: what was tried, what is worst, and whether to go on. */
class SearchLog {
  readonly #task: SearchTask;
  readonly #tried = new Set<string>();
  #probes = 0;
  #best: { readonly tables: TableSet; readonly standing: Standing } | null = null;

  constructor(task: SearchTask) {
    this.#task = task;
  }

  /** True if the model is broken, or the budget used up. */
  get isOver(): boolean {
    return this.#best?.standing.correct === 0 || this.#queries >= this.#task.budget;
  }

  /** The worst tables so far. @throws RangeError before the first trial */
  get worst(): TableSet {
    if (this.#best === null) throw new RangeError('nothing was tried');
    return this.#best.tables;
  }

  get result(): SearchResult {
    return { tables: this.worst, queries: this.#queries };
  }

  get #queries(): number {
    return this.#tried.size + this.#probes;
  }

  /** Asks the model of tables that are no perturbation: they are never kept, but count. */
  async probe(tables: TableSet): Promise<Standing> {
    this.#probes++;
    return this.#task.stand(tables);
  }

  /** Asks the model of tables unless it was before; whether they are worse than all others so far. */
  async try(tables: TableSet): Promise<boolean> {
    if (this.#tried.has(tables.key)) return false;
    this.#tried.add(tables.key);
    const standing = await this.#task.stand(tables);
    if (this.#best !== null && compareStandings(standing, this.#best.standing) >= 0) return false;
    this.#best = { tables, standing };
    return true;
  }
}

/** Tries every other candidate of one column with those of the others kept; whether one is worse for the model. */
async function tryColumn(task: SearchTask, log: SearchLog, at: number, pass: number): Promise<boolean> {
  const { perturber, group, kind, seed } = task;
  const columns = perturber.columnsOf(group, kind, log.worst);
  const column = columns[at];
  if (column === undefined) return false;
  const decisions = columns.map(({ changes }) => changes[0]!.decision);
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
