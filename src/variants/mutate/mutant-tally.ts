/** How often, by reason. */
type Reasons = Record<string, number>;

/** The outcomes of one relation's mutations. */
interface RelationTally {
  /** Mutants kept. */
  cases: number;
  /** Cases that it was applied to and gave a mutation of. */
  applied: number;
  /** Cases that it gives nothing for. */
  readonly notApplicable: Reasons;
  /** Changes tried on whose schema the gold has no form; the case may have others. */
  readonly unexpressible: Reasons;
  /** Mutations that were not kept. */
  readonly dropped: Reasons;
}

/** By relation; composed ones under their names together, "CRm+PI". */
export type Tallies = Readonly<Record<string, Readonly<RelationTally>>>;

const REASONED = ['notApplicable', 'unexpressible', 'dropped'] as const;

/** Counts what becomes of mutations, by relation. */
export class MutantTally {
  readonly #tallies: Record<string, RelationTally> = {};

  /** Counts a mutant that is kept, or a case that gave some. */
  count(relation: string, what: 'cases' | 'applied', by = 1): void {
    this.#of(relation)[what] += by;
  }

  countReason(relation: string, what: (typeof REASONED)[number], reason: string, by = 1): void {
    const counts = this.#of(relation)[what];
    counts[reason] = (counts[reason] ?? 0) + by;
  }

  /** Adds what another tally counted. */
  add(tallies: Tallies): void {
    for (const [relation, other] of Object.entries(tallies)) {
      this.count(relation, 'cases', other.cases);
      this.count(relation, 'applied', other.applied);
      for (const what of REASONED) {
        for (const [reason, by] of Object.entries(other[what])) this.countReason(relation, what, reason, by);
      }
    }
  }

  get tallies(): Tallies {
    return this.#tallies;
  }

  #of(relation: string): RelationTally {
    return (this.#tallies[relation] ??= { cases: 0, applied: 0, notApplicable: {}, unexpressible: {}, dropped: {} });
  }
}
