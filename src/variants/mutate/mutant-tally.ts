/** How often, by reason. */
type Reasons = Readonly<Record<string, number>>;

/** The outcomes of one relation's mutations. */
interface RelationTally {
  /** Mutants kept. */
  readonly cases: number;
  /** Cases that it was applied to and gave a mutation of. */
  readonly applied: number;
  /** Cases that it gives nothing for. */
  readonly notApplicable: Reasons;
  /** Changes tried on whose schema the gold has no form; the case may have others. */
  readonly unexpressible: Reasons;
  /** Mutations that were not kept. */
  readonly dropped: Reasons;
}

/** By relation; composed ones under their names together, "CRm+PI". */
export type Tallies = Readonly<Record<string, RelationTally>>;

interface OpenTally {
  cases: number;
  applied: number;
  readonly notApplicable: Record<string, number>;
  readonly unexpressible: Record<string, number>;
  readonly dropped: Record<string, number>;
}

function count(counts: Record<string, number>, reason: string, by: number): void {
  counts[reason] = (counts[reason] ?? 0) + by;
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

  addNotApplicable(relation: string, reason: string): void {
    count(this.#of(relation).notApplicable, reason, 1);
  }

  addUnexpressible(relation: string, reason: string, by: number): void {
    count(this.#of(relation).unexpressible, reason, by);
  }

  addDropped(relation: string, reason: string): void {
    count(this.#of(relation).dropped, reason, 1);
  }

  /** Adds what another tally counted. */
  add(tallies: Tallies): void {
    for (const [relation, other] of Object.entries(tallies)) {
      const own = this.#of(relation);
      own.cases += other.cases;
      own.applied += other.applied;
      for (const kind of ['notApplicable', 'unexpressible', 'dropped'] as const) {
        for (const [reason, by] of Object.entries(other[kind])) count(own[kind], reason, by);
      }
    }
  }

  get tallies(): Tallies {
    return this.#tallies;
  }

  #of(relation: string): OpenTally {
    return (this.#tallies[relation] ??= { cases: 0, applied: 0, notApplicable: {}, unexpressible: {}, dropped: {} });
  }
}
