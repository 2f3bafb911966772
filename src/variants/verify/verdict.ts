/**
 * The outcomes of a gold query on its perturbed database: `equal` the same rows, in the same order if ORDER BY
 * decides it; `different` other rows; `failed` it does not run there, or its database or the original's can't be read;
 * `tie` other rows, but both results depend on the order of stored rows; `kept-star` the star that --keep-star left
 * returns the added columns as well; `bad-gold` it fails on its own original; `timed-out` the original takes too long
 * or returns too much.
 */
export const VERDICTS = ['equal', 'tie', 'kept-star', 'bad-gold', 'timed-out', 'different', 'failed'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** How many by verdict. */
export type Tally = Readonly<Record<Verdict, number>>;

/** A tally of nothing, to be counted in. */
export function emptyTally(): Record<Verdict, number> {
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
}

/** Verdicts that say that a perturbation is wrong. */
export const FAULTY_VERDICTS: ReadonlySet<Verdict> = new Set<Verdict>(['different', 'failed']);

type Counts = Readonly<Partial<Record<string, number>>>;

/** Checks whether no verdict says that a perturbation is wrong; counts by verdict. */
export function isFaultless(tallies: readonly Counts[]): boolean {
  return [...FAULTY_VERDICTS].every((verdict) => tallies.every((counts) => (counts[verdict] ?? 0) === 0));
}

/** Checks whether a verification found nothing wrong; counts by verdict. */
export function isVerified(tallies: {
  readonly RPL: Counts;
  readonly ADD: Counts;
  readonly mixed?: Counts;
  readonly mutant?: Counts;
}): boolean {
  const { RPL, ADD, mixed = {}, mutant = {} } = tallies;
  return isFaultless([RPL, ADD, mixed, mutant]);
}
