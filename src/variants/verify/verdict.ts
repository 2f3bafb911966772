import { z } from 'zod';

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

const count = z.int().min(0);

type TallyShape = Readonly<Record<Verdict, z.ZodDefault<typeof count>>>;

/** How many by verdict; none of one that the report's version did not know. */
export const verdictTally = z
  .object(Object.fromEntries(VERDICTS.map((verdict) => [verdict, count.default(0)])) as TallyShape)
  .readonly();

/** How results are compared. */
export const COMPARISON = 'exact values, as a bag; in order where ORDER BY decides (v1)';

/**
 * The results of gold queries whose questions ask something else, and how many of them do not give what their
 * original's gives; those that fail are among a verification's items.
 */
const otherQueries = z.object({ run: count, nonEmpty: count, differing: count }).readonly();
export type OtherQueries = z.infer<typeof otherQueries>;

/** Fields that the reports of all verifications have. */
export const VERIFICATION = {
  /** How results were compared. */
  comparison: z.literal(COMPARISON),
  /** Variants without a database, as the input has no rows for it. */
  withoutDatabase: count,
  /** Of mutants that ask something else; absent where there are none. */
  otherQueries: otherQueries.exactOptional(),
  /** Share of the compared variants whose result has rows, 0 to 1; null of none. */
  nonEmpty: z.number().min(0).max(1).nullable(),
} as const;

/** Fields of a record whose gold does not give what its original's gives. */
export const UNEQUAL = { verdict: z.enum(VERDICTS), detail: z.string().nullable() } as const;
