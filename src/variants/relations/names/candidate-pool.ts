import type { CandidateDecision } from '../../../formats/artifacts/candidates.js';
import type { ColumnRef, Database } from '../../../schema/schema.js';
import { DecisionsByColumn } from './decisions-by-column.js';

export type PerturbationKind = 'RPL' | 'ADD';

/** Accepted candidates by column, from a run, a file or human annotation. */
export class CandidatePool {
  readonly #byKind: Readonly<Record<PerturbationKind, DecisionsByColumn>>;
  /** Number of candidates. */
  readonly size: number;

  constructor(decisions: Iterable<CandidateDecision>) {
    const accepted = [...decisions].filter(({ bucket }) => bucket !== 'rejected');
    const of = (kind: PerturbationKind): DecisionsByColumn =>
      new DecisionsByColumn(accepted.filter(({ bucket }) => bucket === kind));
    this.#byKind = { RPL: of('RPL'), ADD: of('ADD') };
    this.size = accepted.length;
  }

  /** Candidates of one column, in the order they were given; empty where there are none. */
  of(database: Database, ref: ColumnRef, kind: PerturbationKind): readonly CandidateDecision[] {
    return this.#byKind[kind].of(database, ref);
  }
}
