import type { ErrorPlace } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import type { ExecutionMode, ExecutionSettings } from '../execution/execution-tasks.js';
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

/** How results are compared, and what becomes of queries before. */
export interface SuiteSettings extends ExecutionSettings {
  readonly mode: ExecutionMode;
}

/** A gold query and a prediction, once for all pairs that are alike. */
export interface SuitePair {
  readonly gold: string;
  readonly predicted: string;
  /** True if a counterexample is wanted where it is wrong. */
  readonly isExplained: boolean;
}

/** The pairs of one schema, as a thread gets them. */
export interface SuiteTask {
  /** The suite's folder. */
  readonly suite: string;
  readonly database: Database;
  readonly pairs: readonly SuitePair[];
  readonly settings: SuiteSettings;
  /** True if the thread keeps the schema's databases open for further tasks. */
  readonly keeps: boolean;
}

export type PairVerdict = Omit<SuiteVerdict, 'id'>;

/** A `PerturbqlError` of a thread: between threads an error is no more of its class. */
interface SuiteFault {
  readonly message: string;
  readonly fix: string;
  readonly where: ErrorPlace;
}

/** A verdict for each pair of a task, in their order. */
export type SuiteReply = { readonly verdicts: readonly PairVerdict[] } | { readonly fault: SuiteFault };
