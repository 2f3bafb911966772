import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Verdict } from '../metric.js';
import type { PlainCounterexample } from './plain-counterexample.js';

/** A result as it is shown: the first rows, and how many there are. */
export interface ShownResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  readonly count: number;
}

/** Why a prediction is wrong, on the smallest database that shows it. */
export interface Counterexample {
  /** The suite's database that it was cut down from. */
  readonly database: string;
  /** The rows that are left of the tables that the two queries read. */
  readonly tables: readonly { readonly name: string; readonly content: ShownResult }[];
  readonly gold: ShownResult;
  /** Where the order of rows decides some of the gold's result, so that the one shown is one of several. */
  readonly isGoldPartial?: true;
  /** The prediction as it was executed, with values plugged in. */
  readonly predictedSql: string;
  /** Its result, or why there is none. */
  readonly predicted: ShownResult | { readonly failure: string };
}

export interface SuiteVerdict extends Verdict {
  /** Databases of the suite that the prediction was executed on: fewer than there are where it failed early. */
  readonly databases: number;
  /** Databases before the deciding one that were left out, since the gold has no result there within the limits. */
  readonly withoutGold: number;
  /** The first database of the suite on which it differs from the gold, else null. */
  readonly differsOn: string | null;
  /** Of `plugValues`, which query decided, from 0. */
  readonly alternative: number;
  /** Whether not all ways to plug values were tried. */
  readonly isCut: boolean;
  /** Whether the gold is one that the suite was distilled for; else all databases of the schema are used. */
  readonly isDistilled: boolean;
  /**
   * Null where it was not asked for, where the verdict needs none (correct; text that always fails), and where no few rows
   * show it: a query that looks at too many, or finds too many.
   */
  readonly counterexample: PlainCounterexample | null;
}
