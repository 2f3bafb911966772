import { LRUCache } from 'lru-cache';
import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import type { TableResult, TableTask } from '../../pipeline.js';
import { groupBy } from '../../run/group-by.js';
import { CandidatePool } from '../relations/names/candidate-pool.js';

/** Databases whose candidates are in memory. */
const POOLS_AT_HAND = 16;

/** Results of the tables of a run in the plan's order, read wherever they are wanted: few of them are in memory. */
export class DecidedTables implements Iterable<TableResult> {
  readonly #tasks: readonly TableTask[];
  readonly #ofDatabase: ReadonlyMap<string, readonly TableTask[]>;
  readonly #read: (id: string) => TableResult;
  readonly #pools = new LRUCache<string, CandidatePool>({ max: POOLS_AT_HAND });

  /** `read` gives the result of a task by its id, the same at each call. */
  constructor(tasks: readonly TableTask[], read: (id: string) => TableResult) {
    this.#tasks = tasks;
    this.#ofDatabase = groupBy(tasks, ({ target }) => target.dbId);
    this.#read = read;
  }

  *[Symbol.iterator](): Generator<TableResult> {
    for (const { id } of this.#tasks) yield this.#read(id);
  }

  *decisions(): Generator<CandidateDecision> {
    for (const { decisions } of this) yield* decisions;
  }

  /** The accepted candidates of one database. */
  readonly poolOf = (dbId: string): CandidatePool => {
    const known = this.#pools.get(dbId);
    if (known !== undefined) return known;
    const pool = new CandidatePool((this.#ofDatabase.get(dbId) ?? []).flatMap(({ id }) => this.#read(id).decisions));
    this.#pools.set(dbId, pool);
    return pool;
  };
}
