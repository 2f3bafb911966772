import { Hono } from 'hono';
import { z } from 'zod';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import type { Victim, VictimAnswer, VictimQuestion } from '../victim.js';
import { wrapVictim } from '../wrapped-victim.js';
import type { ExecutionCount, ExecutionLimits, SqlExecutions } from './sql-executions.js';
import { createToken } from '../../http/access-token.js';
import { ApiError, sendError } from '../../http/api-error.js';
import { hostNamesOf, LOOPBACK, type RunningServer, serveLocally } from '../../http/local-server.js';
import { readBody, requireHost, requireOwnOrigin } from '../../http/request-checks.js';
import {
  MAX_SQL_LENGTH,
  type QueryLimits,
  type QueryOutcome,
  type QueryRows,
  type Refusal,
  type ResultValue,
} from '../../sql/execution/query-outcome.js';
import { PerturbqlError } from '../../errors.js';
import { whereReadable } from '../../sql/sql-fault.js';
import { isSqliteError } from '../../sql/execution/open-connection.js';
import { type DeclaredTypes, renderCreateTable } from '../../sql/create-tables.js';
import type { Database } from '../../schema/schema.js';
import { foldName, renderString } from '../../sql/dialect.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';
import { isTrivia, type Token, tokenize, unquote } from '../../sql/tokenizer.js';

/** SQLite's table of a database's tables, https://sqlite.org/schematab.html */
const CATALOGS = new Set(['sqlite_master', 'sqlite_schema']);
/** The same of perturbed tables, which are TEMP views: SQLite's own names the original's columns. */
const PERTURBED_CATALOG = 'perturbql_schema';

function tokensOf(sql: string): readonly Token[] {
  return whereReadable(() => tokenize(sql).filter((token) => !isTrivia(token)), []); // SQLite says what is wrong with it
}

const nameOf = (token: Token | undefined): string => (token === undefined ? '' : foldName(unquote(token)));

function withPerturbedCatalog(sql: string, tokens: readonly Token[]): string {
  let [rewritten, from] = ['', 0];
  for (const [at, token] of tokens.entries()) {
    if (!CATALOGS.has(nameOf(token)) || token.quote === 'single') continue;
    const [qualifier, dot] = at < 2 ? [] : tokens.slice(at - 2, at);
    const isQualified = dot?.text === '.' && nameOf(qualifier) === 'main';
    rewritten += sql.slice(from, (isQualified ? qualifier : token)?.start) + PERTURBED_CATALOG;
    from = token.end;
  }
  return rewritten + sql.slice(from);
}

function catalogScript(schema: Database, types: DeclaredTypes | undefined): string {
  const rows = schema.tables.map(({ originalName, isView = false }, t) => {
    const [kind, name] = [renderString(isView ? 'view' : 'table'), renderString(originalName)];
    return `(${kind}, ${name}, ${name}, 0, ${renderString(renderCreateTable(schema, t, types))})`;
  });
  const columns = 'type TEXT, name TEXT, tbl_name TEXT, rootpage INT, sql TEXT';
  const inserted = rows.length === 0 ? '' : `INSERT INTO ${PERTURBED_CATALOG} VALUES ${rows.join(', ')};`;
  return `CREATE TEMP TABLE ${PERTURBED_CATALOG} (${columns}); ${inserted}`;
}

/** Tables, and what a query on them reads. */
type QueriedTables = Pick<VictimQuestion, 'schema' | 'types' | 'sourceOf'>;

/**
 * A query as it is to be executed; null where there is no database. One that asks for names sees those of the schema.
 */
function placeQuery(
  sql: string,
  { schema, types, sourceOf }: QueriedTables,
): { readonly sql: string; readonly source: QuerySource } | null {
  const tokens = tokensOf(sql);
  const asksCatalog = tokens.some((token) => CATALOGS.has(nameOf(token)));
  const asksNames = asksCatalog || tokens.some((token) => nameOf(token).startsWith('pragma_'));
  // All columns are there for a star.
  const source = sourceOf?.(asksNames ? '*' : sql) ?? null;
  if (source === null) return null;
  const { setup } = source;
  if (!asksCatalog || setup === undefined) return { sql, source };
  return {
    sql: withPerturbedCatalog(sql, tokens),
    source: { ...source, setup: [...setup, catalogScript(schema, types)] },
  };
}

const REFUSALS: Readonly<Record<Refusal, string>> = {
  empty: 'there is no SQL',
  'nul-character': 'the SQL holds a NUL character',
  'too-long': 'the SQL is too long',
  'several-statements': 'only one statement is executed at a time',
  'not-a-select':
    "only SELECT, VALUES and WITH are executed; the columns of a table: SELECT name, type FROM pragma_table_info('table')",
};

function renderValue(value: ResultValue): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === null || typeof value === 'string') return value;
  return value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : Buffer.from(value.text).toString(); // not UTF-8
}

/** As many rows as the bytes allow for. */
function renderRows({ columns, rows, isCut = false }: QueryRows, bytes: number): string {
  const shown: string[] = [];
  let room = bytes - Buffer.byteLength(JSON.stringify({ columns, rows: [], truncated: false }));
  for (const row of rows) {
    const text = JSON.stringify(row.map(renderValue));
    room -= Buffer.byteLength(text) + 1;
    if (room < 0) break;
    shown.push(text);
  }
  const truncated = isCut || shown.length < rows.length;
  return `{"columns":${JSON.stringify(columns)},"rows":[${shown.join(',')}],"truncated":${truncated}}`;
}

/** An error as whoever asked for a query gets it. */
function renderError(message: string): string {
  return JSON.stringify({ error: message });
}

/** Renders a query's outcome as JSON: rows of at most about so many bytes, or an error. */
export function renderOutcome(outcome: QueryOutcome, bytes: number, timeoutMs: number): string {
  switch (outcome.kind) {
    case 'rows':
      return renderRows(outcome, bytes);
    case 'timed-out':
      return renderError(`the query was stopped after ${timeoutMs / 1000} s`);
    case 'too-large':
      return renderError('the result is too large');
    case 'refused':
      return renderError(REFUSALS[outcome.reason]);
    case 'failed':
      return renderError(outcome.message.slice(0, bytes));
  }
}

const NONE_LEFT = 'no executions are left: answer now';
/** Bytes that a result may take in memory for each of its text. */
const MEMORY_FACTOR = 64;

/** Rows and memory in which a text of so many bytes is sure to have ended. */
function queryLimits({ bytes, timeoutMs }: ExecutionLimits): QueryLimits & { readonly cuts: true } {
  return { timeoutMs, maxRows: bytes, maxBytes: bytes * MEMORY_FACTOR, cuts: true };
}

/** Executes what a victim asks for one question, and counts it. */
class QuestionExecutions implements SqlExecutions {
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

/**
 * A victim that may query the databases of its questions before it answers. It owns the processes that do. `overHttp`:
 * its questions come with an address to query at.
 */
export function executingVictim(
  victim: Victim,
  limits: ExecutionLimits,
  { overHttp }: { readonly overHttp: boolean },
): Victim {
  const { count, bytes, timeoutMs } = limits;
  const runner = new QueryRunner();
  const proxy = overHttp ? new SqlProxy() : null;
  return wrapVictim(victim, {
    suffix: `executions-1:count=${count},bytes=${bytes},ms=${timeoutMs}`,
    async answer(question, context) {
      const executions = new QuestionExecutions(question, limits, runner);
      const ask = (sqlUrl?: string): Promise<VictimAnswer> =>
        victim.answer({ ...question, executions, ...(sqlUrl === undefined ? {} : { sqlUrl }) }, context);
      const answer = await (proxy === null ? ask() : proxy.serve(executions, ask));
      return { ...answer, executions: executions.spent };
    },
    async close() {
      await proxy?.close();
      await runner.close();
    },
  });
}
