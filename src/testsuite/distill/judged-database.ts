import { elementAt, present } from '../../present.js';
import type { DatabaseOrigin } from './distillation.js';
import type { TableRows } from '../../rows/fuzz/fuzzer.js';
import type { GoldCase } from './gold-cases.js';
import type { GoldResult, NeighborVerdict, TrialDatabase } from './trial-database.js';

/** What one database says of one gold. */
export interface GoldJudgment {
  /** Null where the gold has no result within the limits. */
  readonly result: GoldResult | null;
  /** Whether the result counts: it does not depend on the order of rows, and is empty only where the gold's always is. */
  readonly isDeterminate: boolean;
  /** Neighbors that it distinguishes; none where the gold's result is not determinate. */
  readonly told: ReadonlySet<number>;
  /** Neighbors that take too long here to be judged. */
  readonly unknown: ReadonlySet<number>;
}

/** A database with what it says of all golds. */
export interface JudgedDatabase {
  readonly origin: DatabaseOrigin;
  /** Null for the original. */
  readonly rows: TableRows | null;
  /** Number of rows. */
  readonly size: number;
  /** In the sequence of the golds. */
  readonly golds: readonly GoldJudgment[];
}

/** Whether a gold has a result on some database that is not empty. */
export type IsFound = (gold: GoldCase) => boolean;

const NOTHING: ReadonlySet<number> = new Set();

function judgeGold(trial: TrialDatabase, gold: GoldCase, isFound: IsFound): GoldJudgment {
  const result = trial.resultOf(gold);
  const isVoid = result === null || (result.isEmpty && isFound(gold));
  const isDeterminate = !isVoid && trial.isDeterminate(gold, result, 'full');
  if (!isDeterminate) return { result, isDeterminate, told: NOTHING, unknown: NOTHING };
  const verdicts = gold.open.map((n) => [n, trial.judge(gold, result, elementAt(gold.neighbors, n).sql)] as const);
  const having = (wanted: NeighborVerdict): ReadonlySet<number> =>
    new Set(verdicts.flatMap(([n, verdict]) => (verdict === wanted ? [n] : [])));
  return { result, isDeterminate, told: having('told'), unknown: having('unknown') };
}

/** What a database says of all golds, all open neighbors looked at, and its number of rows. */
export function judgeAll(
  trial: TrialDatabase,
  cases: readonly GoldCase[],
  isFound: IsFound,
): Pick<JudgedDatabase, 'size' | 'golds'> {
  return { size: trial.size, golds: cases.map((gold) => judgeGold(trial, gold, isFound)) };
}

/** Whether a database distinguishes all that another one does, and gives rows to the golds that have some there. */
export function saysAsMuch(one: JudgedDatabase, other: JudgedDatabase): boolean {
  return other.golds.every(({ result, isDeterminate, told }, g) => {
    if (!isDeterminate) return true;
    const now = elementAt(one.golds, g);
    return (
      now.isDeterminate &&
      (!present(now.result, 'now.result').isEmpty || present(result, 'result').isEmpty) &&
      [...told].every((n) => now.told.has(n))
    );
  });
}
