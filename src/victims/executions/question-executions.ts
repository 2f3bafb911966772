import { PerturbqlError } from '../../errors.js';
import { isSqliteError } from '../../sql/execution/open-connection.js';
import type { QueryLimits } from '../../sql/execution/query-outcome.js';
import type { QueryRunner } from '../../sql/execution/query-runner.js';
import { renderError, renderOutcome } from './result-text.js';
import { placeQuery, type QueriedTables } from './schema-catalog.js';
import type { ExecutionCount, ExecutionLimits, SqlExecutions } from './sql-executions.js';

const NONE_LEFT = 'no executions are left: answer now';
/** Bytes that a result may take in memory for each of its text. */
const MEMORY_FACTOR = 64;

/** Rows and memory in which a text of so many bytes is sure to have ended. */
function queryLimits({ bytes, timeoutMs }: ExecutionLimits): QueryLimits & { readonly cuts: true } {
  return { timeoutMs, maxRows: bytes, maxBytes: bytes * MEMORY_FACTOR, cuts: true };
}

/** Executes what a victim asks for one question, and counts it. */
export class QuestionExecutions implements SqlExecutions {
  readonly #tables: QueriedTables;
  readonly #limits: ExecutionLimits;
  readonly #runner: QueryRunner;
  #count = 0;
  #bytes = 0;
  #refused = 0;

  constructor(tables: QueriedTables, limits: ExecutionLimits, runner: QueryRunner) {
    this.#tables = tables;
    this.#limits = limits;
    this.#runner = runner;
  }

  get left(): number {
    return this.#limits.count - this.#count;
  }

  get spent(): ExecutionCount {
    return { count: this.#count, bytes: this.#bytes, refused: this.#refused };
  }

  async execute(sql: string, signal: AbortSignal): Promise<string> {
    if (!this.#take()) return this.#tell(renderError(NONE_LEFT));
    return this.#tell(await this.#run(sql, signal));
  }

  refuse(reason: string): string {
    return this.#tell(renderError(this.#take() ? reason : NONE_LEFT));
  }

  #take(): boolean {
    const isLeft = this.left > 0;
    if (isLeft) this.#count++;
    else this.#refused++;
    return isLeft;
  }

  #tell(text: string): string {
    this.#bytes += Buffer.byteLength(text);
    return text;
  }

  async #run(sql: string, signal: AbortSignal): Promise<string> {
    const placed = this.#place(sql);
    if (typeof placed === 'string') return renderError(placed);
    const { bytes, timeoutMs } = this.#limits;
    const outcome = await this.#runner.run({ ...placed.source, sql: placed.sql }, signal, queryLimits(this.#limits));
    return renderOutcome(outcome, bytes, timeoutMs);
  }

  /** A text says why there is no database. */
  #place(sql: string): NonNullable<ReturnType<typeof placeQuery>> | string {
    try {
      return placeQuery(sql, this.#tables) ?? 'this question has no database';
    } catch (error) {
      if (error instanceof PerturbqlError || isSqliteError(error)) return error.message;
      throw error;
    }
  }
}
