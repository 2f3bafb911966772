import type { PerturbationKind } from '../../../variants/relations/names/candidate-pool.js';
import type { TablePerturber } from '../table-perturber.js';
import type { AttackGroup, TableSet } from '../table-set.js';

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
export interface SearchResult {
  /** The worst tables found; of equally bad ones the first. */
  readonly tables: TableSet;
  /** Table sets that the model was asked of. */
  readonly queries: number;
}

/** How tables are searched for; stops at the first on which no answer is right. */
export type SearchStrategy = (task: SearchTask) => Promise<SearchResult>;

/** Worst first; where nothing is known last. */
export function compareStandings(one: Standing | null, other: Standing | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one.correct - other.correct || one.matched - other.matched;
}

/** Keeps account of a search: what was tried, what is worst, and whether to go on. */
export class SearchLog {
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
