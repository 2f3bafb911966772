import { itemAt, zip } from '../../present.js';
import type { DatabaseOrigin } from '../suite/suite-manifest.js';
import type { TableRows } from '../../rows/fuzz/fuzzer.js';
import type { PartialDenotation } from '../denotation/partial-denotation.js';
import type { GoldCase, PlacedNeighbor } from './gold-cases.js';
import type { GoldResult, NeighborVerdict, TrialDatabase } from './trial-database.js';

/** One database's judgment of one gold query. */
export interface GoldJudgment {
  /** Null where the gold has no result within the limits. */
  readonly result: GoldResult | null;
  /**
   * True if the result counts: it does not depend on the order of rows, and is empty only where the gold's always is.
   */
  readonly isDeterminate: boolean;
  /** The determinate part if not all of a result with rows is determinate. */
  readonly partial: PartialDenotation | null;
  /** Neighbors that it distinguishes, by what is determinate of the gold's result. */
  readonly told: ReadonlySet<PlacedNeighbor>;
  /** Neighbors that take too long here to be judged. */
  readonly unknown: ReadonlySet<PlacedNeighbor>;
}

/** A database with what it says of all gold queries. */
export interface JudgedDatabase {
  readonly origin: DatabaseOrigin;
  /** Null for the original. */
  readonly rows: TableRows | null;
  /** Number of rows. */
  readonly size: number;
  /** In the sequence of the gold queries. */
  readonly golds: readonly GoldJudgment[];
}

/** For each gold query, what all databases say of it, in their sequence. */
export function judgmentsByGold(databases: readonly JudgedDatabase[]): readonly (readonly GoldJudgment[])[] {
  return (databases[0]?.golds ?? []).map((_, g) => databases.map(({ golds }) => itemAt(golds, g)));
}

/** Checks whether a gold has a result on some database that is not empty. */
export type IsFound = (gold: GoldCase) => boolean;

const NOTHING: ReadonlySet<PlacedNeighbor> = new Set();

function judgeGold(
  trial: TrialDatabase,
  gold: GoldCase,
  isFound: IsFound,
  known: GoldJudgment | undefined,
): GoldJudgment {
  const result = trial.resultOf(gold);
  const isVoid = result === null || (result.isEmpty && isFound(gold));
  const isDeterminate = !isVoid && trial.isDeterminate(gold, result, 'full');
  const hasRows = result !== null && !result.isEmpty;
  const partial = hasRows && !isDeterminate ? trial.partialOf(gold, 'full') : null;
  if (result === null || (!isDeterminate && partial === null)) {
    return { result, isDeterminate, partial, told: NOTHING, unknown: NOTHING };
  }
  const verdictOf = ({ sql }: PlacedNeighbor): NeighborVerdict =>
    partial === null ? trial.judge(gold, result, sql) : trial.judgePartly(gold, partial, sql);
  const told = isDeterminate && known?.isDeterminate === true ? known.told : NOTHING;
  const verdicts = gold.open.map((one) => [one, told.has(one) ? 'told' : verdictOf(one)] as const);
  const having = (wanted: NeighborVerdict): ReadonlySet<PlacedNeighbor> =>
    new Set(verdicts.flatMap(([one, verdict]) => (verdict === wanted ? [one] : [])));
  return { result, isDeterminate, partial, told: having('told'), unknown: having('unknown') };
}

/**
 * Returns a database's judgments of all gold queries, with all open neighbors looked at, and its number of rows. If it
 * has some rows of another one and is known to distinguish all that the other does from gold queries whose whole result
 * counts on both, as a reduced one, those are not run again.
 */
export function judgeAll(
  trial: TrialDatabase,
  cases: readonly GoldCase[],
  isFound: IsFound,
  known: readonly GoldJudgment[] = [],
): Pick<JudgedDatabase, 'size' | 'golds'> {
  return { size: trial.size, golds: cases.map((gold, g) => judgeGold(trial, gold, isFound, known[g])) };
}

/**
 * Checks whether a database distinguishes all that another one does, and gives rows to the gold queries that have some
 * there.
 */
export function saysAsMuch(one: JudgedDatabase, other: JudgedDatabase): boolean {
  return zip(other.golds, one.golds).every(([{ result, isDeterminate, partial, told }, now]) => {
    if (!isDeterminate && partial === null) return true;
    return (
      (now.isDeterminate || (!isDeterminate && now.partial !== null)) &&
      (now.result?.isEmpty === false || result?.isEmpty === true) &&
      [...told].every((one) => now.told.has(one))
    );
  });
}

const NOT_COUNTED = { partial: null, told: new Set<PlacedNeighbor>() } as const;

/**
 * One gold's judgments, those by a part of its result only where they count: all of them for a gold whose result is
 * determinate on no database that gives it rows, else those that distinguish neighbors that no other does. Not even these
 * where LIMIT takes some of tied rows: of the longest, all may be right.
 */
function countOf(judgments: readonly GoldJudgment[]): readonly GoldJudgment[] {
  const whole = judgments.filter(({ isDeterminate }) => isDeterminate);
  if (!whole.some(({ result }) => result !== null && result.rows > 0)) return judgments;
  const told = new Set(whole.flatMap((judgment) => [...judgment.told]));
  return judgments.map((judgment) => {
    if (judgment.partial === null) return judgment;
    const more = [...judgment.told].filter((one) => !told.has(one));
    const counts = more.length > 0 && !judgment.partial.isCut;
    return { ...judgment, ...(counts ? { told: new Set(more) } : NOT_COUNTED) };
  });
}

/** Databases of which a part of a gold's result counts only where it is needed. */
export function countPartial(databases: readonly JudgedDatabase[]): readonly JudgedDatabase[] {
  const counted = judgmentsByGold(databases).map(countOf);
  return databases.map((database, d) => ({ ...database, golds: counted.map((own) => itemAt(own, d)) }));
}
