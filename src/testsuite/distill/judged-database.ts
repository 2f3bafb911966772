import type { DatabaseOrigin } from './distillation.js';
import type { TableRows } from '../fuzz/fuzzer.js';
import type { GoldCase } from './gold-cases.js';
import type { GoldResult, TrialDatabase } from './trial-database.js';

/** What one database says of one gold. */
export interface GoldJudgment {
  /** Null where the gold has no result within the limits. */
  readonly result: GoldResult | null;
  readonly isDeterminate: boolean;
  /** Neighbors that it tells apart; none where the gold's result is not determinate. */
  readonly told: ReadonlySet<number>;
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

const NO_RESULT: GoldJudgment = { result: null, isDeterminate: false, told: new Set() };

function judgeGold(trial: TrialDatabase, gold: GoldCase): GoldJudgment {
  const result = trial.resultOf(gold);
  if (result === null) return NO_RESULT;
  const isDeterminate = trial.isDeterminate(gold, result, 'all');
  if (!isDeterminate) return { result, isDeterminate, told: new Set() };
  const told = gold.open.filter((n) => trial.judge(gold, result, gold.neighbors[n]!.sql) === 'told');
  return { result, isDeterminate, told: new Set(told) };
}

/** What a database says of all golds, all open neighbors looked at, and its number of rows. */
export function judgeAll(trial: TrialDatabase, cases: readonly GoldCase[]): Pick<JudgedDatabase, 'size' | 'golds'> {
  return { size: trial.size, golds: cases.map((gold) => judgeGold(trial, gold)) };
}

/** Whether a database tells apart all that another one does, and gives rows to the golds that have some there. */
export function saysAsMuch(one: JudgedDatabase, other: JudgedDatabase): boolean {
  return other.golds.every(({ result, isDeterminate, told }, g) => {
    if (!isDeterminate) return true;
    const now = one.golds[g]!;
    return now.isDeterminate && (now.result!.rows > 0 || result!.rows === 0) && [...told].every((n) => now.told.has(n));
  });
}
