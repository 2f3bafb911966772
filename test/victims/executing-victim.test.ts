import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openConnection } from '../../src/sql/execution/open-connection.js';
import type { QuerySource } from '../../src/sql/execution/query-protocol.js';
import { CommandVictim } from '../../src/victims/command-victim.js';
import { EndpointVictim } from '../../src/victims/endpoint-victim.js';
import { executingVictim } from '../../src/victims/executions/executing-victim.js';
import type { ExecutionLimits } from '../../src/victims/executions/sql-executions.js';
import type { Victim, VictimAnswer, VictimQuestion } from '../../src/victims/victim.js';
import { type MisbehavingServer, type Seen, startServer } from '../chat/misbehaving-server.js';
import { ask, listening, temporaryFolder } from './victim-fixture.js';

const LIMITS: ExecutionLimits = { count: 5, bytes: 2_000, timeoutMs: 10_000 };
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

/** A question to 300 singers, under the names of perturbed tables. */
function perturbedQuestion(text = 'How many?'): VictimQuestion & { readonly databaseFile: string } {
  const file = join(temporaryFolder(), 'singers.sqlite');
  const sqlite = openConnection(file);
  sqlite.exec('CREATE TABLE singer (OldName TEXT, Age NUMERIC)');
  const insert = sqlite.prepare('INSERT INTO singer VALUES (?, ?)');
  for (let i = 0; i < 300; i++) insert.run(`Singer ${i}`, i);
  sqlite.close();
  const setup = ['CREATE TEMP VIEW singer AS SELECT OldName AS Name, Age FROM main.singer'];
  return { ...ask(text), databaseFile: file, sourceOf: () => ({ file, setup }) };
}

function owned(victim: Victim, limits: Partial<ExecutionLimits>, overHttp: boolean): Victim {
  const executing = executingVictim(victim, { ...LIMITS, ...limits }, { overHttp });
  onTestFinished(() => executing.dispose?.());
  return executing;
}

interface Call {
  readonly name?: string;
  readonly arguments?: unknown;
}

const executeSql = (sql: string): Call => ({ name: 'execute_sql', arguments: JSON.stringify({ sql }) });

/** A chat model that makes these calls, a message each, then answers. */
async function startAgent(messages: readonly (readonly Call[])[]): Promise<MisbehavingServer> {
  const server = await startServer();
  const made = ({ body }: Seen): number => body.messages.filter(({ role }) => role === 'assistant').length;
  server.otherwise = (_, seen) => (made(seen) < messages.length && seen.body['tools'] !== undefined ? 'call' : 'ok');
  server.words = (seen) => {
    const calls = messages[made(seen)];
    if (calls === undefined || seen.body['tools'] === undefined) return 'SELECT 42';
    return JSON.stringify(
      calls.map((called, i) => ({ id: `c${made(seen)}.${i}`, type: 'function', function: called })),
    );
  };
  return server;
}

interface Conversation {
  readonly answer: VictimAnswer;
  /** What its calls gave, in their order. */
  readonly told: readonly Record<string, unknown>[];
  readonly server: MisbehavingServer;
}

async function converse(
  messages: readonly (readonly Call[])[],
  limits: Partial<ExecutionLimits> = {},
  question: VictimQuestion = perturbedQuestion(),
): Promise<Conversation> {
  const server = await startAgent(messages);
  const victim = owned(new EndpointVictim({ baseUrl: server.baseUrl, model: 'm', backoffMs: 1 }), limits, false);
  const answer = await victim.answer(question, listening());
  const sent = server.seen.at(-1)?.body.messages.filter(({ role }) => role === 'tool') ?? [];
  return { answer, told: sent.map(({ content }) => JSON.parse(content) as Record<string, unknown>), server };
}

describe('a chat model that may execute SQL', () => {
  it('calls a tool, reads what it gives, and answers', async () => {
    const query = "SELECT Name, Age + 0.5, NULL, x'0a', 9007199254740993 FROM singer LIMIT 2";
    const { answer, told, server } = await converse([[executeSql(query)]]);
    expect(told).toEqual([
      {
        columns: ['Name', 'Age + 0.5', 'NULL', "x'0a'", '9007199254740993'],
        rows: [
          ['Singer 0', 0.5, null, "x'0a'", '9007199254740993'],
          ['Singer 1', 1.5, null, "x'0a'", '9007199254740993'],
        ],
        truncated: false,
      },
    ]);
    const bytes = Buffer.byteLength(server.seen[1]!.body.messages.at(-1)!.content);
    expect(answer).toMatchObject({
      sql: 'SELECT 42',
      usage: { calls: 2, promptTokens: 160, completionTokens: 40, cached: false },
      executions: { count: 1, bytes, refused: 0 },
    });
    expect(server.seen[0]!.body['tools']).toMatchObject([{ type: 'function', function: { name: 'execute_sql' } }]);
    expect(server.seen[1]!.body.messages.slice(-2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'c0.0', type: 'function', function: executeSql(query) }] },
      { role: 'tool', tool_call_id: 'c0.0' },
    ]);
  });

  it('finds the names of the perturbed tables alone', async () => {
    const { told } = await converse([
      [
        executeSql("SELECT name FROM pragma_table_info('singer')"),
        executeSql('SELECT name, sql FROM "sqlite_master" WHERE type = \'table\''),
        executeSql('SELECT s.sql FROM main.sqlite_schema AS s'),
        executeSql('SELECT OldName FROM singer'),
      ],
    ]);
    const [columns, master, schema, old] = told;
    expect(columns).toMatchObject({ rows: [['Name'], ['Age']] });
    expect(master).toMatchObject({ rows: [['singer', 'CREATE TABLE singer (\n  Name TEXT,\n  Age NUMERIC\n)']] });
    expect(JSON.stringify(schema)).not.toContain('OldName');
    expect(old).toEqual({ error: 'no such column: OldName' });
  });

  it('is asked for its answer without the tool once its executions are used up', async () => {
    const often = Array.from({ length: 9 }, () => [executeSql('SELECT 1'), executeSql('SELECT 2')]);
    const { answer, told, server } = await converse(often, { count: 3 });
    expect(answer).toMatchObject({ sql: 'SELECT 42', executions: { count: 3, refused: 1 } });
    expect(told.at(-1)).toEqual({ error: 'no executions are left: answer now' });
    expect(server.seen.map(({ body }) => 'tools' in body)).toEqual([true, true, false]);
  });

  it('is told of each call that fails, which counts', async () => {
    const failing: readonly [Call, string | RegExp][] = [
      [executeSql('DELETE FROM singer'), /^only SELECT, VALUES and WITH are executed/],
      [executeSql('WITH x AS (SELECT 1) DELETE FROM main.singer'), /^only SELECT, VALUES and WITH are executed/],
      [executeSql('SELECT 1; DROP TABLE singer'), /^only one statement/],
      [executeSql('SELECT frm'), 'no such column: frm'],
      [executeSql(ENDLESS), 'the query was stopped after 0.3 s'],
      [{ name: 'execute_sql', arguments: '{"sql": "SELECT' }, /^the arguments are malformed/],
      [{ name: 'execute_sql', arguments: '{"query": "SELECT 1"}' }, /^the arguments are malformed/],
      [{ name: 'execute_sql', arguments: { q: 1 } }, /^the arguments are malformed/],
      [{ name: 'drop_all', arguments: '{}' }, 'there is no such tool, only execute_sql'],
      [{}, 'there is no such tool, only execute_sql'],
    ];
    const question = perturbedQuestion();
    const before = readFileSync(question.databaseFile);
    const calls = [...failing.map(([call]) => [call]), [executeSql('SELECT 7 AS x')]];
    const { answer, told } = await converse(calls, { count: 20, timeoutMs: 300 }, question);
    expect(told).toEqual([
      ...failing.map(([, message]) => ({ error: expect.stringMatching(message) as string })),
      { columns: ['x'], rows: [[7]], truncated: false },
    ]);
    expect(answer).toMatchObject({ sql: 'SELECT 42', executions: { count: calls.length, refused: 0 } });
    expect(readFileSync(question.databaseFile).equals(before)).toBe(true);
  });

  it('gets as much of a result as the bytes allow, of many rows and of a large cell', async () => {
    const queries = ['SELECT * FROM singer AS a, singer AS b', "SELECT replace(hex(zeroblob(900000)), '00', 'x')"];
    const { answer, told } = await converse([queries.map(executeSql)], { bytes: 500 });
    expect(told).toMatchObject([{ truncated: true }, { rows: [], truncated: true }]);
    expect((told[0] as { rows: unknown[] }).rows.length).toBeGreaterThan(5);
    expect(answer.executions!.bytes).toBeLessThanOrEqual(1_000);
  });

  it('is asked nothing again that is in the cache', async () => {
    const question = perturbedQuestion();
    const server = await startAgent([[executeSql('SELECT count(*) FROM singer')]]);
    const settings = { baseUrl: server.baseUrl, model: 'm', cacheFile: join(temporaryFolder(), 'cache.sqlite') };
    const answers: VictimAnswer[] = [];
    for (let turn = 0; turn < 2; turn++) {
      const victim = executingVictim(new EndpointVictim(settings), LIMITS, { overHttp: false });
      answers.push(await victim.answer(question, listening()));
      await victim.dispose?.();
    }
    expect(server.seen).toHaveLength(2);
    const cached = { ...answers[0]!.usage!, calls: 0, cached: true };
    expect(answers[1]).toEqual({ ...answers[0], usage: cached });
  });

  it('is told where a question has no database', async () => {
    const { told } = await converse([[executeSql('SELECT 1')]], {}, ask('How many?'));
    expect(told).toEqual([{ error: 'this question has no database' }]);
  });
});

interface AgentWords {
  readonly url: string;
  readonly results: readonly unknown[];
}

const AGENT = fileURLToPath(new URL('agent-model.mjs', import.meta.url));

describe('a program that may execute SQL', () => {
  it('has an address for each question, until it is answered', async () => {
    const victim = owned(new CommandVictim({ command: [process.execPath, AGENT] }), { count: 3 }, true);
    const queries = ['SELECT count(*) AS n FROM singer', 'DELETE FROM singer', 'SELECT Name FROM singer', 'SELECT 1'];
    const questions = ['a', 'b'].map((id) => ({ ...perturbedQuestion(queries.join('\n')), id }));
    const answers = await Promise.all(questions.map((question) => victim.answer(question, listening())));
    const said = answers.map(({ sql }) => JSON.parse(sql!.slice("SELECT '".length, -1)) as AgentWords);
    for (const [i, { results }] of said.entries()) {
      expect(results[0]).toEqual({ columns: ['n'], rows: [[300]], truncated: false });
      expect(results[1]).toMatchObject({ error: expect.stringMatching(/^only SELECT/) as string });
      expect(results[2]).toMatchObject({ truncated: true });
      expect(results[3]).toEqual({ error: 'no executions are left: answer now' });
      expect(answers[i]!.executions).toMatchObject({ count: 3, refused: 1 });
    }
    const [{ url }] = said as [AgentWords];
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect(new Set(said.map((one) => one.url)).size).toBe(2);
    const late = await fetch(url, { method: 'POST', body: '{"sql": "SELECT 1"}' });
    expect([late.status, await late.json()]).toMatchObject([404, { error: { code: 'not-found' } }]);
  });

  it('may be stopped while a query runs, which ends with it', async () => {
    const stop = new AbortController();
    const question = perturbedQuestion(ENDLESS);
    const sourceOf = (): QuerySource => {
      setTimeout(() => stop.abort(new Error('enough')), 50);
      return { file: question.databaseFile };
    };
    const victim = owned(new CommandVictim({ command: [process.execPath, AGENT] }), { timeoutMs: 600_000 }, true);
    const answer = victim.answer({ ...question, sourceOf }, listening(stop.signal));
    await expect(answer).rejects.toThrow('enough');
    await victim.dispose?.();
  });
});
