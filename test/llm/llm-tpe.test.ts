import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EndpointSettings } from '../../src/chat/chat-endpoint.js';
import { ConfigError, EndpointError } from '../../src/errors.js';
import { LlmTpe, readEntity } from '../../src/llm/llm-tpe.js';
import { ModelAsker } from '../../src/llm/model-asker.js';
import type { TargetTable } from '../../src/stage.js';
import { TableNameTpe } from '../../src/tpe/table-name-tpe.js';
import { type BehaviorName, type MisbehavingServer, startServer } from '../chat/misbehaving-server.js';
import { column, listeningContext, temporaryFolder } from './llm-fixture.js';

const SINGER = column(0).target;
const CONCERTS: TargetTable = { ...SINGER, table: { ...SINGER.table, name: 'concerts', originalName: 'Concerts' } };

async function serving(...script: BehaviorName[]): Promise<MisbehavingServer> {
  const server = await startServer(...script);
  server.words = ({ body }) =>
    JSON.stringify({ entity: `Pop ${/table "(.*?)"/.exec(body.messages.at(-1)?.content ?? '')?.[1] ?? ''}` });
  return server;
}

function tpeOf(
  { baseUrl }: Pick<MisbehavingServer, 'baseUrl'>,
  given: Partial<EndpointSettings> = {},
  told: { readonly entityPrompt?: string; readonly sendValues?: boolean } = {},
): LlmTpe {
  const asker = new ModelAsker({ baseUrl, model: 'm', backoffMs: 1, timeoutMs: 10_000, concurrency: 1, ...given }, {});
  onTestFinished(() => asker.dispose());
  return new LlmTpe({ sendValues: false, ...told }, asker, new TableNameTpe());
}

describe('the primary entity by a language model', () => {
  it('is what the model says, asked once for a table, without cells and questions', async () => {
    const server = await serving();
    const tpe = tpeOf(server);
    expect(await tpe.predict([SINGER, CONCERTS, SINGER], listeningContext())).toEqual([
      'pop singer',
      'pop concerts',
      'pop singer',
    ]);
    expect(await tpe.predict([SINGER], listeningContext())).toEqual(['pop singer']);
    expect(server.seen).toHaveLength(2);
    const said = JSON.stringify(server.seen.map(({ body }) => body.messages));
    expect(said).toContain('- name (text)');
    for (const cell of ['Ann Lee', 'Oslo', 'How old']) expect(said).not.toContain(cell);
  });

  it('may be told sample values, and has the prompt of a file; both are in the fingerprint', async () => {
    const server = await serving();
    const entityPrompt = join(temporaryFolder(), 'prompt.txt');
    writeFileSync(entityPrompt, 'A row of "{table}"?\n{columns}');
    const tpe = tpeOf(server, {}, { entityPrompt, sendValues: true });
    await tpe.predict([SINGER], listeningContext());
    expect(server.seen[0]?.body.messages.at(-1)?.content).toContain(
      'A row of "singer"?\n- name (text, such as \'Ann Lee\'',
    );
    const prints = [tpe, tpeOf(server), tpeOf(server, {}, { sendValues: true })].map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(3);
    writeFileSync(entityPrompt, 'A row of "{table}"?');
    expect(() => tpeOf(server, {}, { entityPrompt })).toThrow(ConfigError);
  });

  it.each<BehaviorName>(['429', '500', 'reset', 'cut', 'cut-silently', 'choiceless'])(
    'is asked again after %s',
    async (name) => {
      const server = await serving(name);
      const context = listeningContext();
      expect(await tpeOf(server).predict([SINGER], context)).toEqual(['pop singer']);
      expect(context.warnings()).toEqual([]);
    },
  );

  it.each([
    'A singer.',
    '{"entity": ""}',
    '{"entity": 3}',
    '{"entity": "a", "why": "b"}',
    `{"entity": "${'a'.repeat(61)}"}`,
  ])('is the table’s name where the answer is none: %s', async (words) => {
    const server = await serving();
    server.words = () => words;
    const context = listeningContext();
    expect(await tpeOf(server).predict([CONCERTS], context)).toEqual(['concert']);
    expect(context.warnings()).toEqual([
      'concert_singer/Concerts has no primary entity by the model: the answer is not the JSON object asked for',
    ]);
  });

  it('ends the run where the service gives no answer', async () => {
    const server = await serving();
    server.otherwise = () => '500';
    const failed = tpeOf(server, { maxAttempts: 2 }).predict([SINGER, CONCERTS], listeningContext());
    await expect(failed).rejects.toThrow(EndpointError);
    await expect(failed).rejects.toThrow(/gives no primary entity by the model: status 500/);
    expect(server.seen).toHaveLength(2);
  });

  it('is read from a fenced answer behind thoughts', () => {
    expect(readEntity('<think>rows…</think>\n```json\n{"entity": " Student "}\n```')).toBe('student');
  });
});
