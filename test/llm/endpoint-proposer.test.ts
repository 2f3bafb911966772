import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EndpointSettings } from '../../src/chat/chat-endpoint.js';
import { ConfigError, EndpointError } from '../../src/errors.js';
import { EndpointProposer, type EndpointProposerSettings } from '../../src/llm/endpoint-proposer.js';
import { ModelAsker } from '../../src/llm/model-asker.js';
import { LlmSource } from '../../src/llm/llm-source.js';
import type { Candidate } from '../../src/stage.js';
import { type BehaviorName, type MisbehavingServer, startServer } from '../chat/misbehaving-server.js';
import { column, COLUMNS, listeningContext, namesFor, namesForTable, temporaryFolder } from './llm-fixture.js';

const KEY = 'sk-very-secret-1234567890';

async function serving(...script: BehaviorName[]): Promise<MisbehavingServer> {
  const server = await startServer(...script);
  server.words = namesFor;
  return server;
}

function proposerOf(
  { baseUrl }: Pick<MisbehavingServer, 'baseUrl'>,
  given: Partial<EndpointSettings> = {},
  told: Partial<EndpointProposerSettings> = {},
): EndpointProposer & { dispose(): Promise<void> } {
  const usual = { baseUrl, model: 'm', keyVariable: 'MODEL_KEY', backoffMs: 1, timeoutMs: 10_000, concurrency: 1 };
  const settings = { endpoint: { ...usual, ...given }, prompt: null, sendValues: false, prices: null, ...told };
  const asker = new ModelAsker(settings.endpoint, { MODEL_KEY: KEY });
  onTestFinished(() => asker.dispose());
  return Object.assign(new EndpointProposer(settings, asker), { dispose: () => asker.dispose() });
}

const sourceOf = (proposer: EndpointProposer, keep = 20): LlmSource => new LlmSource(proposer, keep, () => null);
const namesOf = (lists: readonly (readonly Candidate[])[]): string[][] =>
  lists.map((list) => list.map(({ name, proposedFor }) => `${name}: ${proposedFor}`));

const OF_NAME = ['name a: RPL', 'near name: ADD'];
const OF_AGE = ['age a: RPL', 'near age: ADD'];
const OF_TOWN = ['home town a: RPL', 'near home town: ADD'];

describe('a request', () => {
  it('tells names and types of the table, and neither cells nor questions', async () => {
    const server = await serving();
    const proposals = await sourceOf(proposerOf(server)).propose(COLUMNS, listeningContext());
    expect(namesOf(proposals)).toEqual([OF_NAME, OF_AGE, OF_TOWN]);
    const [{ headers, body }] = server.seen as [(typeof server.seen)[0]];
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    const said = server.seen.map(({ body: { messages } }) => JSON.stringify(messages)).join();
    expect(said).toContain('The table \\"singer\\" of the database \\"concert singer\\"');
    expect(said).toContain('- name (text)\\n- age (number)\\n- home town (text)');
    for (const cell of ['Ann Lee', 'Hara', '31', 'Oslo', 'How old']) expect(said).not.toContain(cell);
  });

  it('tells sample values where they may be sent, and never questions', async () => {
    const server = await serving();
    const proposer = proposerOf(server, {}, { sendValues: true });
    await sourceOf(proposer).propose([column(1)], listeningContext());
    const said = server.seen[0]!.body.messages.at(-1)!.content;
    expect(said).toContain("- name (text, such as 'Ann Lee', 'O''Hara')\n- age (number, such as '31')");
    expect(said).not.toContain('How old');
    expect(proposer.fingerprint).not.toBe(proposerOf(server).fingerprint);
  });

  it('has the prompt of a file, whose text is in the fingerprint', async () => {
    const server = await serving();
    const prompt = join(temporaryFolder(), 'prompt.txt');
    writeFileSync(prompt, 'Names for {column} among:\n{columns}\n');
    const proposer = proposerOf(server, {}, { prompt });
    await proposer.propose(column(1), listeningContext());
    expect(server.seen[0]!.body.messages).toEqual([
      { role: 'user', content: 'Names for age among:\n- name (text)\n- age (number)\n- home town (text)' },
    ]);
    writeFileSync(prompt, 'Other names for {column} among:\n{columns}\n');
    const prints = [proposer, proposerOf(server, {}, { prompt }), proposerOf(server)].map((one) => one.fingerprint);
    expect(new Set(prints).size).toBe(3);
    expect(prints.join()).not.toContain(KEY);
  });

  it.each([
    ['Names for {column}.', /lacks \{columns\}/],
    ['{columns} {column} {values}', /unknown placeholder \{values\}/],
  ])('is refused with the prompt %j', (text, message) => {
    const prompt = join(temporaryFolder(), 'prompt.txt');
    writeFileSync(prompt, text);
    expect(() => proposerOf({ baseUrl: 'http://host/v1' }, {}, { prompt })).toThrow(ConfigError);
    expect(() => proposerOf({ baseUrl: 'http://host/v1' }, {}, { prompt })).toThrow(message);
  });

  it('is one of at most so many at a time, for all tables together', async () => {
    const server = await serving();
    server.otherwise = () => 'slow';
    const source = sourceOf(proposerOf(server, { concurrency: 2 }));
    await Promise.all([source.propose(COLUMNS, listeningContext()), source.propose(COLUMNS, listeningContext())]);
    expect(server.peak).toBe(2);
  });
});

describe('faults that pass', () => {
  it.each<BehaviorName>(['429', '429-soon', '500', '503', 'reset', 'cut', 'error-200'])(
    'are tried again: %s',
    async (name) => {
      const server = await serving(name);
      const context = listeningContext();
      const proposals = await sourceOf(proposerOf(server)).propose(COLUMNS, context);
      expect(namesOf(proposals)).toEqual([OF_NAME, OF_AGE, OF_TOWN]);
      expect(server.seen).toHaveLength(4);
      expect(context.warnings()).toEqual([]);
    },
  );

  it('are tried again after the time limit', async () => {
    const server = await serving('hang');
    const names = await proposerOf(server, { timeoutMs: 1_000 }).propose(column(1), listeningContext());
    expect(names?.replacements).toEqual(['age a']);
  });

  it.each<[BehaviorName, RegExp]>([
    ['500', /gives no proposals: status 500: oops \(2 calls\)/],
    ['429-hour', /asks to wait 3600 s/],
    ['html', /not JSON/],
    ['huge', /longer than 16 MB/],
  ])('end the run when they stay, at no further call: %s', async (name, message) => {
    const server = await serving('ok');
    server.otherwise = () => name;
    const cacheFile = join(temporaryFolder(), 'answers.sqlite');
    const proposer = proposerOf(server, { maxAttempts: 2, cacheFile });
    const failed = sourceOf(proposer).propose(COLUMNS, listeningContext());
    await expect(failed).rejects.toThrow(EndpointError);
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toMatchObject({ where: { id: 'concert_singer/Singer/Age' } });
    expect(server.seen.length).toBeLessThanOrEqual(3);
    await proposer.dispose();
    const before = server.seen.length;
    server.otherwise = () => 'ok';
    await sourceOf(proposerOf(server, { cacheFile })).propose(COLUMNS, listeningContext());
    expect(server.seen.length - before).toBe(2);
  });
});

describe('answers that are none', () => {
  it.each<[string, string]>([
    ['names in prose', 'You could call it years of life, or time lived.'],
    ['JSON that ends too soon', '{"replacements": ["years'],
    ['one list alone', '{"replacements": ["years old"]}'],
    ['SQL', 'SELECT 1'],
  ])('cost their column its proposals, and are not asked for again: %s', async (_, words) => {
    const server = await serving();
    server.words = (seen) => (server.seen.length === 2 ? words : namesFor(seen));
    const context = listeningContext();
    const proposer = proposerOf(server);
    expect(namesOf(await sourceOf(proposer).propose(COLUMNS, context))).toEqual([OF_NAME, [], OF_TOWN]);
    expect(server.seen).toHaveLength(3);
    expect(context.warnings()).toEqual([
      'concert_singer/Singer/Age has no proposals: the answer is not the JSON object asked for',
    ]);
    expect(proposer.describe()).toBe(
      '3 columns asked about (0 from the cache, 1 without a usable answer); calls: 3, tokens: 300',
    );
  });

  it.each<[BehaviorName, RegExp]>([
    ['length', /limit of tokens/],
    ['blank', /empty/],
    ['refusal', /must not/],
    ['filter', /filter/],
    ['400-long', /context length/],
    ['413', /payload/],
    ['400', /temperature/],
  ])('cost their column its proposals: %s', async (name, message) => {
    const server = await serving('ok', name);
    const context = listeningContext();
    expect(namesOf(await sourceOf(proposerOf(server)).propose(COLUMNS, context))).toEqual([OF_NAME, [], OF_TOWN]);
    expect(context.warnings()).toEqual([expect.stringMatching(message)]);
  });

  it('are cut where they are too many', async () => {
    const server = await serving();
    const many = Array.from({ length: 50_000 }, (_, i) => `name ${i}`);
    server.words = () => JSON.stringify({ replacements: many, additions: ['height'] });
    const [names] = namesOf(await sourceOf(proposerOf(server), 2).propose([column(1)], listeningContext()));
    expect(names).toEqual(['name 0: RPL', 'name 1: RPL', 'height: ADD']);
  });
});

describe('one call for a table', () => {
  const byTable = { namesPerCall: 'table' } as const;

  it('asks for the names of all its columns at once, however many are wanted, without cells and questions', async () => {
    const server = await startServer();
    server.words = namesForTable;
    const proposer = proposerOf(server, {}, byTable);
    expect(namesOf(await sourceOf(proposer).propose(COLUMNS, listeningContext()))).toEqual([OF_NAME, OF_AGE, OF_TOWN]);
    expect(namesOf(await sourceOf(proposer).propose([column(1)], listeningContext()))).toEqual([OF_AGE]);
    expect(server.seen).toHaveLength(1);
    const said = server.seen[0]!.body.messages.at(-1)!.content;
    expect(said).toContain('- name (text)\n- age (number)\n- home town (text)');
    for (const cell of ['Ann Lee', 'Oslo', 'How old']) expect(said).not.toContain(cell);
    expect(proposer.describe()).toBe('1 tables for names asked about (0 from the cache); calls: 1, tokens: 100');
    expect(proposer.fingerprint).not.toBe(proposerOf(server).fingerprint);
  });

  it('leaves a column that the answer lacks without proposals, and takes the first names of one that it has twice', async () => {
    const server = await startServer();
    const named = (name: string, word: string) => ({ column: name, replacements: [word], additions: [] });
    server.words = () =>
      JSON.stringify({ columns: [named('Age', 'years'), named('age', 'time'), named('height', 'x')] });
    const context = listeningContext();
    expect(namesOf(await sourceOf(proposerOf(server, {}, byTable)).propose(COLUMNS, context))).toEqual([
      [],
      ['years: RPL'],
      [],
    ]);
    expect(context.warnings()).toEqual([
      'concert_singer/Singer/Name has no proposals: the answer about its table lacks it',
      'concert_singer/Singer/Hometown has no proposals: the answer about its table lacks it',
    ]);
  });

  it.each(['{"columns": [{"column": "age", "replacements": []}]}', '{"replacements": [], "additions": []}', 'years'])(
    'costs the table its proposals where the answer is none: %s',
    async (words) => {
      const server = await startServer();
      server.words = () => words;
      const context = listeningContext();
      const proposals = await sourceOf(proposerOf(server, {}, byTable)).propose(COLUMNS, context);
      expect(proposals).toEqual([[], [], []]);
      expect(server.seen).toHaveLength(1);
      expect(context.warnings()).toEqual([
        'concert_singer/Singer has no proposals: the answer is not the JSON object asked for',
      ]);
    },
  );

  it('takes the prompt of a file, which asks about no single column', () => {
    const prompt = join(temporaryFolder(), 'prompt.txt');
    const told = { prompt, ...byTable };
    writeFileSync(prompt, 'Names for:\n{columns}');
    expect(() => proposerOf({ baseUrl: 'http://host/v1' }, {}, told)).not.toThrow();
    writeFileSync(prompt, 'Names for {column} of:\n{columns}');
    expect(() => proposerOf({ baseUrl: 'http://host/v1' }, {}, told)).toThrow(/unknown placeholder \{column\}/);
  });
});

describe('a service that refuses', () => {
  it.each<[BehaviorName, RegExp]>([
    ['401', /status 401: Incorrect API key: \[secret\]/],
    ['404', /no such model/],
    ['429-quota', /quota/],
  ])('ends the run at once: %s', async (name, message) => {
    const server = await serving();
    server.otherwise = () => name;
    const failed = sourceOf(proposerOf(server)).propose(COLUMNS, listeningContext());
    await expect(failed).rejects.toThrow(ConfigError);
    await expect(failed).rejects.toThrow(message);
    expect(server.seen).toHaveLength(1);
  });

  it('ends the run when three columns are rejected before any answer', async () => {
    const server = await serving();
    server.otherwise = () => '400';
    await expect(sourceOf(proposerOf(server)).propose(COLUMNS, listeningContext())).rejects.toThrow(ConfigError);
  });
});

describe('the key', () => {
  it('is hidden where a service repeats it in names', async () => {
    const server = await serving();
    server.words = ({ headers }) => JSON.stringify({ replacements: [headers.authorization], additions: [] });
    const cacheFile = join(temporaryFolder(), 'answers.sqlite');
    const proposer = proposerOf(server, { cacheFile });
    const [names] = namesOf(await sourceOf(proposer).propose([column(1)], listeningContext()));
    expect(names).toEqual(['[secret]: RPL']);
    await proposer.dispose();
    expect(readFileSync(cacheFile).includes(KEY)).toBe(false);
  });

  it('must be there', () => {
    const settings = { keyVariable: 'OTHER_KEY' };
    expect(() => proposerOf({ baseUrl: 'http://host/v1' }, settings)).toThrow(/OTHER_KEY is not set/);
  });
});

describe('the budget', () => {
  it('ends the run, which goes on with another', async () => {
    const server = await serving();
    const cacheFile = join(temporaryFolder(), 'answers.sqlite');
    const first = proposerOf(server, { cacheFile, budget: { calls: 2 } });
    await expect(sourceOf(first).propose(COLUMNS, listeningContext())).rejects.toThrow(/budget of calls/);
    await first.dispose();
    const second = proposerOf(server, { cacheFile, budget: { calls: 1 } });
    const proposals = await sourceOf(second).propose(COLUMNS, listeningContext());
    expect(namesOf(proposals)).toEqual([OF_NAME, OF_AGE, OF_TOWN]);
    expect(second.describe()).toBe('3 columns asked about (2 from the cache); calls: 1, tokens: 100');
  });
});

it('stops when it is told to', async () => {
  const server = await serving();
  server.otherwise = () => 'hang';
  const stop = new AbortController();
  const asked = sourceOf(proposerOf(server)).propose(COLUMNS, { ...listeningContext(), signal: stop.signal });
  setTimeout(() => stop.abort(new Error('enough')), 20);
  await expect(asked).rejects.toThrow('enough');
});
