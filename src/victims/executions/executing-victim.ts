import { Hono } from 'hono';
import { z } from 'zod';
import type { ToldPrompt } from '../../chat/told-prompt.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import type { Victim, VictimAnswer, VictimContext, VictimQuestion } from '../victim.js';
import { QuestionExecutions } from './question-executions.js';
import type { ExecutionLimits, SqlExecutions } from './sql-executions.js';
import { createToken } from '../../http/access-token.js';
import { ApiError, sendError } from '../../http/api-error.js';
import { hostNamesOf, LOOPBACK, type RunningServer, serveLocally } from '../../http/local-server.js';
import { readBody } from '../../http/request-body.js';
import { requireHost, requireOwnOrigin } from '../../http/request-guards.js';
import { MAX_SQL_LENGTH } from '../../sql/execution/refusal.js';

/** Largest body in bytes. */
const LARGEST_BODY = 4 * MAX_SQL_LENGTH;

const requestFormat = z.looseObject({ sql: z.string() });

interface OpenQuestion {
  readonly executions: SqlExecutions;
  /** Aborted when the question is answered. */
  readonly signal: AbortSignal;
}

/** Executes SQL for programs on this machine: each question has an address of its own for as long as it is open. */
class SqlProxy {
  /** By the secret in the address. */
  readonly #open = new Map<string, OpenQuestion>();
  #server: Promise<RunningServer> | null = null;

  /** The address of a question's database, while `work` goes on. */
  async serve<T>(executions: SqlExecutions, work: (url: string) => Promise<T>): Promise<T> {
    this.#server ??= serveLocally(this.#app(), LOOPBACK, 0);
    const { url } = await this.#server;
    const [token, over] = [createToken(), new AbortController()];
    this.#open.set(token, { executions, signal: over.signal });
    try {
      return await work(`${url}/sql/${token}`);
    } finally {
      this.#open.delete(token);
      over.abort();
    }
  }

  async close(): Promise<void> {
    await (await this.#server)?.close();
  }

  #app(): Hono {
    const app = new Hono();
    app.use(requireHost(hostNamesOf(LOOPBACK), 'perturbql attack'), requireOwnOrigin);
    app.post('/sql/:token', async (c) => {
      const open = this.#open.get(c.req.param('token'));
      if (open === undefined) throw new ApiError('not-found', 'no question is open at this address');
      const { sql } = await readBody(c, requestFormat, LARGEST_BODY);
      const text = await open.executions.execute(sql, AbortSignal.any([open.signal, c.req.raw.signal]));
      return c.body(text, 200, { 'content-type': 'application/json' });
    });
    app.notFound((c) => sendError(c, new ApiError('not-found', 'POST {"sql": …} to the address in "sql_url"')));
    app.onError((error, c) =>
      sendError(c, error instanceof ApiError ? error : new ApiError('internal', 'the query was not executed')),
    );
    return app;
  }
}

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
