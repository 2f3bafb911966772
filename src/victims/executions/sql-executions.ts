/** How far a victim may query the database of a question before it answers. */
export interface ExecutionLimits {
  /** Executions for one question, at least 1. */
  readonly count: number;
  /** Bytes of one result as text; more is cut. */
  readonly bytes: number;
  /** Milliseconds of one query. */
  readonly timeoutMs: number;
}

/** Bytes of one result unless told otherwise: some 2,000 tokens. */
export const EXECUTION_BYTES = 8_192;

/** The number of a victim's executions for a question. */
export interface ExecutionCount {
  /** Executions, those that failed among them. */
  readonly count: number;
  /** Bytes that they gave back, errors among them. */
  readonly bytes: number;
  /** Requests beyond the limit, which were not executed. */
  readonly refused: number;
}

/** The executions of one question, on the database that it is asked of. */
export interface SqlExecutions {
  /** Executions that are left. */
  readonly left: number;
  /**
   * Returns a query's result as JSON: `{"columns": …, "rows": …, "truncated": …}` or `{"error": …}`.
   * @throws the signal's reason when aborted
   */
  execute(sql: string, signal: AbortSignal): Promise<string>;
  /** Counts a request that holds no SQL as an execution, and says so as JSON. */
  refuse(reason: string): string;
}
