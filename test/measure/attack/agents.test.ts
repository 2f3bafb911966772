import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attack, previewAttack } from '../../../src/measure/attack/attack.js';
import type { AttackInput } from '../../../src/measure/attack/attack-options.js';
import { attackLines } from '../../../src/measure/attack/report/attack-document.js';
import { ConfigError } from '../../../src/errors.js';
import type { Database } from '../../../src/schema/schema.js';
import type { VictimAnswer } from '../../../src/victims/victim.js';
import { type MisbehavingServer, type Seen, startServer } from '../../chat/misbehaving-server.js';
import { DATA, DATABASES, EXAMPLES, goldOn, inputOf, perfectVictim } from './attack-fixture.js';

const example = ({ body }: Seen) =>
  EXAMPLES.find(({ question }) => body.messages.some(({ content }) => content === question))!;

/** What the tables are called in the database that was queried: the columns of each, a call a table. */
function schemaFound(seen: Seen): Database {
  const original = DATABASES.get(example(seen).dbId)!;
  const results = seen.body.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  const tables = original.tables.map((table, t) => {
    const { rows } = JSON.parse(results[t]!) as { rows: string[][] };
    const type = 'text' as const;
    return { ...table, columns: rows.map(([name]) => ({ name: name!, originalName: name!, type })) };
  });
  return { ...original, tables };
}

/** A model that sees nothing but the question: it looks up all columns, and then is right. */
async function startAgent(): Promise<MisbehavingServer> {
  const server = await startServer();
  const hasAsked = ({ body }: Seen): boolean => body.messages.some(({ role }) => role === 'tool');
  server.otherwise = (_, seen) => (hasAsked(seen) ? 'ok' : 'call');
  server.words = (seen) => {
    const { id, dbId } = example(seen);
    if (hasAsked(seen)) return goldOn(id, schemaFound(seen));
    const queries = DATABASES.get(dbId)!.tables.map(
      ({ originalName }) => `SELECT name FROM pragma_table_info('${originalName}')`,
    );
    return JSON.stringify(
      queries.map((sql, i) => ({
        id: `c${i}`,
        type: 'function',
        function: { name: 'execute_sql', arguments: JSON.stringify({ sql }) },
      })),
    );
  };
  return server;
}

function agentInput({ baseUrl }: MisbehavingServer, more: Partial<AttackInput> = {}): AttackInput {
  const settings = {
    baseUrl,
    model: 'm',
    concurrency: 1,
    sendValues: true,
    template: { system: null, user: '{question}' },
  };
  const executions = { count: 9, bytes: 4_000, timeoutMs: 20_000 };
  return inputOf(perfectVictim(), {
    databases: DATA.databases,
    seeds: [0],
    victim: { kind: 'endpoint', settings, executions },
    ...more,
  });
}

const answersIn = (out: string): VictimAnswer[] =>
  readFileSync(join(out, 'answers.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as VictimAnswer);

describe('an agent that looks up columns in the database of its question', () => {
  it('is right on all tables, and what it executed is in the report', async () => {
    const server = await startAgent();
    const input = agentInput(server);
    const { report, open } = await attack(input);
    expect(open).toBe(0);
    expect(report.scores.map(({ condition, accuracy }) => [condition, accuracy])).toEqual(
      ['original', 'RPL', 'ADD', 'original', 'RPL', 'ADD'].map((condition) => [condition, 1]),
    );
    expect(report.cases.some(({ perturbed }) => perturbed.some(({ changes }) => changes.length > 0))).toBe(true);
    const answers = answersIn(input.out);
    const counts = answers.map(({ executions }) => executions!.count);
    expect(report.usage.executions).toMatchObject({
      answers: answers.length,
      count: { total: counts.reduce((a, b) => a + b), max: Math.max(...counts) },
      refused: { total: 0, mean: 0, max: 0 },
    });
    expect(attackLines(report).join('\n')).toMatch(/executed before an answer: \d\.\d queries \(at most \d\), /);
    expect(readFileSync(join(input.out, 'report.html'), 'utf8')).toContain('Queries executed before answers');
  });

  it('goes on where it was stopped, and is asked nothing twice', async () => {
    const server = await startAgent();
    const input = agentInput(server);
    const stop = new AbortController();
    const { words } = server;
    server.words = (seen) => {
      if (server.seen.length === 12) stop.abort(new Error('enough'));
      return words(seen);
    };
    const host = { signal: stop.signal, progress: () => undefined, note: () => undefined };
    await expect(attack(input, host)).rejects.toThrow('enough');
    const { report, open } = await attack(input);
    expect([open, report.scores.map(({ accuracy }) => accuracy)]).toEqual([0, [1, 1, 1, 1, 1, 1]]);
    // Each question is two requests; the one that was under way is asked again.
    expect(server.seen.length).toBeLessThanOrEqual(2 * report.usage.questions + 2);
    const one = agentInput(await startAgent());
    await attack(one);
    expect(answersIn(input.out)).toEqual(answersIn(one.out));
  });

  it('is another victim with other limits', async () => {
    const input = agentInput(await startAgent());
    await attack(input);
    if (input.victim.kind !== 'endpoint') throw new TypeError('another victim');
    const victim = { ...input.victim, executions: { ...input.victim.executions!, count: 8 } };
    await expect(attack({ ...input, victim })).rejects.toThrow(/victim/);
  });
});

describe('executions', () => {
  it('are told before anything is asked', async () => {
    const lines = await previewAttack(agentInput(await startServer()));
    const [, distinct] = /(\d+) of them distinct/.exec(lines.join('\n'))!;
    expect(lines).toContain(
      `at most ${Number(distinct) * 9} queries before answers: 9 a question, each of at most 4,000 bytes`,
    );
  });

  it('need a database', async () => {
    const server = await startServer();
    const asked = attack(agentInput(server, { databases: null }));
    await expect(asked).rejects.toBeInstanceOf(ConfigError);
    await expect(asked).rejects.toThrow('no database is there that the model could query');
    expect(server.seen).toHaveLength(0);
  });
});
