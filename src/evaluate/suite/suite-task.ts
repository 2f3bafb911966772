import type { ErrorPlace } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import type { ExecutionMode, ExecutionSettings } from '../execution/execution-mode.js';
import type { SuiteVerdict } from './suite-verdict.js';

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
