import { spacedName } from '../schema/column-name-key.js';
import { columnAt, type ColumnRef, type Database } from '../schema/schema.js';
import type { CandidateDecision } from '../formats/candidates-file.js';
import { elementAt } from '../present.js';

export type PerturbationKind = 'RPL' | 'ADD';

/** Accepted candidates by column, from a run, a file or human annotation. */
export class CandidatePool {
  readonly #byColumn = new Map<string, CandidateDecision[]>();

  constructor(decisions: Iterable<CandidateDecision>) {
    for (const decision of decisions) {
      if (decision.bucket === 'rejected') continue;
      const key = poolKey(decision.db_id, decision.table, decision.column, decision.bucket);
      const list = this.#byColumn.get(key);
      if (list === undefined) this.#byColumn.set(key, [decision]);
      else list.push(decision);
    }
  }

  /** Candidates of one column, in the order they were given; empty where there are none. */
  of(database: Database, ref: ColumnRef, kind: PerturbationKind): readonly CandidateDecision[] {
    const table = elementAt(database.tables, ref.table);
    return this.#byColumn.get(poolKey(database.id, table.name, columnAt(database, ref).name, kind)) ?? [];
  }

  get size(): number {
    return [...this.#byColumn.values()].reduce((sum, list) => sum + list.length, 0);
  }
}

function poolKey(dbId: string, table: string, column: string, kind: PerturbationKind): string {
  return [dbId, decidedColumnKey(table, column), kind].join('\u0000');
}

/** What decisions know a column of a database by: natural names, so columns of one key can't be told apart. */
export function decidedColumnKey(table: string, column: string): string {
  return [spacedName(table), spacedName(column)].join('\u0000');
}
