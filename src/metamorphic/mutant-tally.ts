/** How often, by reason. */
export type Reasons = Readonly<Record<string, number>>;

/** What became of one relation's mutations. */
export interface RelationTally {
  /** Mutants kept. */
  readonly cases: number;
  /** Cases that it was applied to and gave a mutation of. */
  readonly applied: number;
  /** Cases that it gives nothing for. */
  readonly notApplicable: Reasons;
  /** Mutations that were not kept. */
  readonly dropped: Reasons;
}

/** By relation; composed ones under their names together, "CRm+PI". */
export type Tallies = Readonly<Record<string, RelationTally>>;

interface OpenTally {
  cases: number;
  applied: number;
  readonly notApplicable: Record<string, number>;
  readonly dropped: Record<string, number>;
}

/** Counts what becomes of mutations, by relation. */
export class MutantTally {
  readonly #tallies: Record<string, OpenTally> = {};

  addKept(relation: string): void {
    this.#of(relation).cases++;
  }

  addApplied(relation: string): void {
    this.#of(relation).applied++;
  }

  addNotApplicable(relation: string, reason: string, by = 1): void {
    const { notApplicable } = this.#of(relation);
    notApplicable[reason] = (notApplicable[reason] ?? 0) + by;
  }

  addDropped(relation: string, reason: string, by = 1): void {
    const { dropped } = this.#of(relation);
    dropped[reason] = (dropped[reason] ?? 0) + by;
  }

  /** Adds what another tally counted. */
  add(tallies: Tallies): void {
    for (const [relation, { cases, applied, notApplicable, dropped }] of Object.entries(tallies)) {
      const own = this.#of(relation);
      own.cases += cases;
      own.applied += applied;
      for (const [reason, by] of Object.entries(notApplicable)) this.addNotApplicable(relation, reason, by);
      for (const [reason, by] of Object.entries(dropped)) this.addDropped(relation, reason, by);
    }
  }

  get tallies(): Tallies {
    return this.#tallies;
  }

  #of(relation: string): OpenTally {
    return (this.#tallies[relation] ??= { cases: 0, applied: 0, notApplicable: {}, dropped: {} });
  }
}
