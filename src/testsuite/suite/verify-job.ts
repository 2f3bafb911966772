/** One schema for a worker thread: check its databases, and what its gold queries and left neighbors give on them. */
export interface VerifyJob {
  readonly suite: string;
  readonly dbId: string;
}

/**
 * The possible faults of a suite: its files, the result of a gold query, a neighbor that is distinguished though it is
 * listed as left or as equivalent, or a generated database that breaks a constraint of the data.
 */
export const SUITE_FAULTS = ['missing', 'damaged', 'denotation', 'told-apart', 'constraint'] as const;

/** A part of a suite that does not hold on this machine. */
export interface SuiteFault {
  readonly dbId: string;
  readonly kind: (typeof SUITE_FAULTS)[number];
  /** A file, or a database by its name. */
  readonly place: string;
  /** The query that gives something else; null where a file is missing or damaged. */
  readonly sql: string | null;
  readonly detail: string;
}

export interface VerifyResult {
  readonly databases: number;
  readonly golds: number;
  /** Gold queries executed, times the databases they are compared on. */
  readonly goldRuns: number;
  /** Time that a thread took for them. */
  readonly goldSeconds: number;
  readonly neighborRuns: number;
  readonly faults: readonly SuiteFault[];
}
