import type { Verdict } from '../metric.js';
import type { Counterexample } from './counterexample.js';

export interface SuiteVerdict extends Verdict {
  /** Databases of the suite that the prediction was executed on: fewer than there are where it failed early. */
  readonly databases: number;
  /** Databases before the deciding one that were left out, since the gold has no result there within the limits. */
  readonly withoutGold: number;
  /** The first database of the suite on which it differs from the gold, else null. */
  readonly differsOn: string | null;
  /** Of `plugValues`, which query decided, from 0. */
  readonly alternative: number;
  /** True if not all ways to plug values were tried. */
  readonly isCut: boolean;
  /** True if the gold is one that the suite was distilled for; else all databases of the schema are used. */
  readonly isDistilled: boolean;
  /**
   * Null where it was not asked for, where the verdict needs none (correct; text that always fails), and where no few
   * rows show it: a query that looks at too many, or finds too many.
   */
  readonly counterexample: Counterexample | null;
}

/** The note on a gold query's result that is one of several. */
export const ONE_OF_SEVERAL =
  'The order of rows decides some of the gold query’s result: this is one that it may have, and the prediction’s is none of them. The gold query may be at fault, where it leaves a tie open that the question does not; `perturbql audit` lists such ties.';
