import type { ToldPrompt } from '../../chat/told-prompt.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import type { Victim, VictimAnswer, VictimContext, VictimQuestion } from '../victim.js';
import { QuestionExecutions } from './question-executions.js';
import type { ExecutionLimits } from './sql-executions.js';
import { SqlProxy } from './sql-proxy.js';

/** A victim that may query the databases of its questions before it answers. It owns the processes that do. */
export class ExecutingVictim implements Victim {
  readonly id: string;
  readonly fingerprint: string;
  readonly concurrency: number;
  readonly #victim: Victim;
  readonly #limits: ExecutionLimits;
  readonly #runner: QueryRunner;
  readonly #proxy: SqlProxy | null;

  /** `overHttp`: its questions come with an address to query at. */
  constructor(victim: Victim, limits: ExecutionLimits, { overHttp }: { readonly overHttp: boolean }) {
    const { count, bytes, timeoutMs } = limits;
    this.#victim = victim;
    this.#limits = limits;
    this.#runner = new QueryRunner();
    this.#proxy = overHttp ? new SqlProxy() : null;
    this.id = victim.id;
    this.fingerprint = `${victim.fingerprint}+executions-1:count=${count},bytes=${bytes},ms=${timeoutMs}`;
    this.concurrency = victim.concurrency;
  }

  /** @inheritdoc */
  async answer(question: VictimQuestion, context: VictimContext): Promise<VictimAnswer> {
    const executions = new QuestionExecutions(question, this.#limits, this.#runner);
    const ask = (sqlUrl?: string): Promise<VictimAnswer> =>
      this.#victim.answer({ ...question, executions, ...(sqlUrl === undefined ? {} : { sqlUrl }) }, context);
    const answer = await (this.#proxy === null ? ask() : this.#proxy.serve(executions, ask));
    return { ...answer, executions: executions.spent };
  }

  /** @inheritdoc */
  async tell(question: VictimQuestion): Promise<ToldPrompt | null> {
    return (await this.#victim.tell?.(question)) ?? null;
  }

  /** Disposes of the victim, and ends the processes. */
  async dispose(): Promise<void> {
    try {
      await this.#victim.dispose?.();
    } finally {
      await this.#proxy?.close();
      await this.#runner.close();
    }
  }
}
