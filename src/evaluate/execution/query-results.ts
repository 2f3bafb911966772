import type { Database } from '../../schema/schema.js';
import { executableSql } from '../../sql/execution/executable-sql.js';
import type { QueryOutcome } from '../../sql/execution/query-outcome.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';
import type { QueryRunner } from '../../sql/execution/query-runner.js';
import { joinComparisons } from '../exact/query-structure.js';

/** Values of results kept in memory for queries that are asked for again. */
const MAX_VALUES = 5_000_000;

interface Entry {
  readonly outcome: Promise<QueryOutcome>;
  /** Values; 0 while it runs. */
  size: number;
}

function sizeOf(outcome: QueryOutcome): number {
  return outcome.kind === 'rows' ? 1 + outcome.rows.length * Math.max(1, outcome.columns.length) : 1;
}

/**
 * The outcomes of queries on databases, each query run once: gold comes with many predictions, and predictions often
 * are the gold or one another. Those longest unused are forgotten when their results become too many.
 */
export class QueryResults {
  readonly #runner: QueryRunner;
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  constructor(runner: QueryRunner) {
    this.#runner = runner;
  }

  /**
   * The outcome of a query; the same object for the same query while it is kept.
   * @throws what `QueryRunner.run` throws
   */
  async of(sql: string, database: Database, source: QuerySource, signal: AbortSignal): Promise<QueryOutcome> {
    const key = JSON.stringify([source, sql]);
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known); // now the last to be forgotten
      return known.outcome;
    }
    const joined = joinComparisons(sql);
    const executable = joined.includes('"') ? executableSql(joined, database) : joined;
    const entry: Entry = { outcome: this.#runner.run({ ...source, sql: executable }, signal), size: 0 };
    this.#entries.set(key, entry);
    return this.#settle(key, entry);
  }

  async #settle(key: string, entry: Entry): Promise<QueryOutcome> {
    try {
      const outcome = await entry.outcome;
      entry.size = sizeOf(outcome);
      this.#size += entry.size;
      this.#forget();
      return outcome;
    } catch (error) {
      this.#entries.delete(key); // aborted: the next may ask again
      throw error;
    }
  }

  #forget(): void {
    for (const [key, { size }] of this.#entries) {
      if (this.#size <= MAX_VALUES) return;
      if (size === 0) continue; // still running
      this.#entries.delete(key);
      this.#size -= size;
    }
  }
}
