import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EndpointVictim, type EndpointVictimSettings } from '../../src/victims/endpoint-victim.js';
import { ConfigError, VictimError } from '../../src/errors.js';
import { createRng } from '../../src/seeded-rng.js';
import { type BehaviorName, type MisbehavingServer, sqlFor, startServer } from '../chat/misbehaving-server.js';
import { answersOf, ask, listening, outcomes, temporaryFolder } from './victim-fixture.js';

const KEY = 'sk-very-secret-1234567890';

function victimOf(
  { baseUrl }: Pick<MisbehavingServer, 'baseUrl'>,
  settings: Partial<EndpointVictimSettings> = {},
): EndpointVictim {
  const given = { baseUrl, model: 'm', keyVariable: 'MODEL_KEY', backoffMs: 1, timeoutMs: 10_000, ...settings };
  const victim = new EndpointVictim(given, { MODEL_KEY: KEY });
  onTestFinished(() => victim.dispose());
  return victim;
}

const questions = (count: number) => Array.from({ length: count }, (_, i) => ask(`question ${i}`, `q${i}`));

describe('a request', () => {
  it('is a chat completion with schema, question and key', async () => {
    const server = await startServer();
    const settings = { headers: { 'X-Team': 'a' }, parameters: { max_tokens: 9, stream: true } };
    const answers = await answersOf(victimOf(server, settings), [ask('How many?')]);
    const [{ url, headers, body }] = server.seen as [(typeof server.seen)[0]];
    expect([url, headers.authorization, headers['x-team']]).toEqual(['/v1/chat/completions', `Bearer ${KEY}`, 'a']);
    expect(body).toEqual({
      temperature: 0,
      max_tokens: 9,
      model: 'm',
      stream: false,
      messages: [
        {
          role: 'system',
          content: 'You translate questions into SQLite SQL. Answer with one SQL query and nothing else.',
        },
        { role: 'user', content: 'CREATE TABLE singer (\n  Name TEXT,\n  Age NUMERIC\n);\n\n-- How many?' },
      ],
    });
    expect(answers.get('How many?')).toEqual({
      id: 'How many?',
      sql: sqlFor('How many?'),
      raw: sqlFor('How many?'),
      cleaned: [],
      rest: [],
      failure: null,
      usage: { calls: 1, promptTokens: 80, completionTokens: 20, cached: false },
    });
  });

  it('may go without key, temperature and system message, to a whole path with a query', async () => {
    const server = await startServer('parts');
    const baseUrl = `${server.baseUrl}/chat/completions?api-version=2024-10`;
    const template = { system: null, user: '-- {question}' };
    const victim = victimOf({ baseUrl }, { keyVariable: null, temperature: null, template });
    expect(outcomes(await answersOf(victim, [ask('a')]))).toEqual({ a: sqlFor('a') });
    const { url, headers, body } = server.seen[0]!;
    expect(url).toBe('/v1/chat/completions?api-version=2024-10');
    expect(headers.authorization).toBeUndefined();
    expect(body).toEqual({ model: 'm', stream: false, messages: [{ role: 'user', content: '-- a' }] });
  });

  it('may carry its key in another header', async () => {
    const server = await startServer();
    await answersOf(victimOf(server, { keyHeader: 'api-key' }), [ask('a')]);
    expect(server.seen[0]!.headers['api-key']).toBe(KEY);
    expect(server.seen[0]!.headers.authorization).toBeUndefined();
  });

  it('is one of at most so many at a time', async () => {
    const server = await startServer();
    server.otherwise = () => 'slow';
    await answersOf(victimOf(server, { concurrency: 3 }), questions(12));
    expect(server.peak).toBe(3);
  });
});

describe('settings', () => {
  it.each<[string, Partial<EndpointVictimSettings>, RegExp]>([
    ['no URL', { baseUrl: 'localhost' }, /no http/],
    ['another protocol', { baseUrl: 'file:///etc' }, /no http/],
    ['a password in the URL', { baseUrl: 'http://me:hunter2@host/v1' }, /user name or password/],
    ['a variable that is not set', { keyVariable: 'OTHER_KEY' }, /OTHER_KEY is not set/],
    ['no concurrency', { concurrency: 0 }, /at least 1/],
    ['no attempt', { maxAttempts: 0 }, /at least 1/],
    ['a time limit that no timer can hold', { timeoutMs: 3e9 }, /time limit/],
    ['a header with a line end', { headers: { a: 'b\nc' } }, /header/],
  ])('are refused with %s', (_, settings, message) => {
    expect(() => victimOf({ baseUrl: 'http://host/v1' }, settings)).toThrow(ConfigError);
    expect(() => victimOf({ baseUrl: 'http://host/v1' }, settings)).toThrow(message);
  });

  it('are in the fingerprint where they change answers, without secrets', () => {
    const fingerprintOf = (settings: Partial<EndpointVictimSettings>): string =>
      victimOf({ baseUrl: 'http://host/v1?key=url-secret' }, settings).fingerprint;
    const usual = fingerprintOf({});
    expect(usual).toMatch(
      /^endpoint-2:http:\/\/host\/v1\/chat\/completions,model=m,prompt=[0-9a-f]{64},settings=[0-9a-f]{16},values=false$/,
    );
    const others = [
      { model: 'n' },
      { temperature: 1 },
      { parameters: { seed: 1 } },
      { template: { system: null, user: '{question}' } },
    ];
    expect(new Set([usual, ...others.map(fingerprintOf)]).size).toBe(5);
    expect(fingerprintOf({ concurrency: 9, budget: { calls: 1 }, headers: { a: 'secret' } })).toBe(usual);
  });
});

describe('faults that pass', () => {
  it.each<BehaviorName>([
    '429',
    '429-now',
    '429-soon',
    '429-date',
    '500',
    '503',
    'reset',
    'cut',
    'cut-chunks',
    'cut-silently',
    'error-200',
    'error-200-text',
    'error-200-502',
    'choiceless',
  ])('are tried again: %s', async (name) => {
    const server = await startServer(name);
    const context = listening();
    const answers = await answersOf(victimOf(server), [ask('a')], context);
    expect(outcomes(answers)).toEqual({ a: sqlFor('a') });
    expect(answers.get('a')?.usage?.calls).toBe(2);
    expect(context.events).toEqual([{ kind: 'count', name: expect.stringContaining('repeated') as string, by: 1 }]);
  });

  it.each<BehaviorName>(['html', 'stream', 'shapeless'])(
    'are tried again where it has answered before: %s',
    async (name) => {
      const server = await startServer('ok', name);
      const answers = await answersOf(victimOf(server, { concurrency: 1 }), [ask('a'), ask('b')]);
      expect(outcomes(answers)).toEqual({ a: sqlFor('a'), b: sqlFor('b') });
      expect(answers.get('b')?.usage?.calls).toBe(2);
    },
  );

  it.each<[BehaviorName, RegExp]>([
    ['html', /\/chat\/completions is no chat service: status 200, text\/html: <html>Welcome<\/html>$/],
    ['stream', /no chat service: status 200, text\/event-stream: data: \{"choices": \[\]\}$/],
    ['shapeless', /no chat service: status 200, application\/json: \{"choices"/],
  ])('end the run at the first call where another service answers: %s', async (name, message) => {
    const server = await startServer();
    server.otherwise = () => name;
    const victim = victimOf(server, { concurrency: 1, backoffMs: 60_000 });
    const failed = answersOf(victim, questions(50));
    await expect(failed).rejects.toThrow(ConfigError);
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toMatchObject({ fix: expect.stringMatching(/^Check the base URL/) as string });
    expect(server.seen).toHaveLength(1);
  });

  it('are told of where they make the run stand still', async () => {
    const server = await startServer('503');
    const stop = new AbortController();
    const context = listening(stop.signal);
    const asked = answersOf(victimOf(server, { backoffMs: 60_000 }), [ask('a')], context);
    while (context.events.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    stop.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    expect(context.events[0]).toMatchObject({
      kind: 'warning',
      message: expect.stringMatching(/gives no answer yet and is asked again: status 503: <h1>Bad gateway/) as string,
    });
  });

  it.each<BehaviorName>(['hang', 'hang-on-the-way'])('are tried again after the time limit: %s', async (name) => {
    const server = await startServer(name);
    const answers = await answersOf(victimOf(server, { timeoutMs: 1_500 }), [ask('a')]);
    expect(outcomes(answers)).toEqual({ a: sqlFor('a') });
  });

  it.each<[BehaviorName, string, RegExp]>([
    ['429', 'rate-limited', /status 429: slow down \(3 calls\)/],
    ['500', 'server-error', /status 500: oops/],
    ['503', 'server-error', /status 503: <h1>Bad gateway/],
    ['reset', 'connection', /fetch failed/],
    ['cut', 'connection', /terminated|closed/],
    ['cut-silently', 'bad-reply', /not JSON: \{"choices"/],
    ['error-200', 'error-reply', /status 200: the provider failed/],
    ['choiceless', 'bad-reply', /no choices/],
  ])('fail the question when they do not pass: %s', async (name, kind, message) => {
    const server = await startServer(name, name, name);
    const answers = await answersOf(victimOf(server, { maxAttempts: 3, concurrency: 1 }), [ask('a'), ask('b')]);
    expect(outcomes(answers)).toEqual({ a: `<${kind}>`, b: sqlFor('b') });
    expect(answers.get('a')?.failure?.message).toMatch(message);
    expect(server.seen).toHaveLength(4);
  });

  it('are not tried again where one attempt is all', async () => {
    const server = await startServer('500');
    expect(outcomes(await answersOf(victimOf(server, { maxAttempts: 1 }), [ask('a')]))).toEqual({
      a: '<server-error>',
    });
    expect(server.seen).toHaveLength(1);
  });

  it('are not waited for longer than allowed', async () => {
    const server = await startServer('429-hour');
    const answers = await answersOf(victimOf(server), [ask('a')]);
    expect(answers.get('a')?.failure).toEqual({
      kind: 'rate-limited',
      message: 'status 429 (asks to wait 3600 s): slow down',
    });
  });

  it('end the run when question after question fails', async () => {
    const server = await startServer();
    server.otherwise = () => 'cut-silently';
    const victim = victimOf(server, { maxAttempts: 2, maxFailuresInARow: 3, concurrency: 2 });
    await expect(answersOf(victim, questions(50))).rejects.toThrow(/4 questions in a row failed.*not JSON/);
    expect(server.seen.length).toBeLessThan(15);
  });

  it('cost a question with all its variants, and no other', async () => {
    const server = await startServer();
    server.otherwise = (index) => (index < 8 ? '500' : 'ok');
    const asked = [...Array.from({ length: 8 }, (_, seed) => ask(`a${seed}`, `dev:0~RPL~${seed}`)), ask('b', 'dev:1')];
    const victim = victimOf(server, { maxAttempts: 1, maxFailuresInARow: 3, concurrency: 1 });
    expect(outcomes(await answersOf(victim, asked))).toMatchObject({
      'dev:0~RPL~7': '<server-error>',
      'dev:1': sqlFor('b'),
    });
  });

  it('end the run at the first call when nobody listens', async () => {
    const server = await startServer();
    await server.close();
    const victim = victimOf(server, { maxAttempts: 6, concurrency: 1 });
    const failed = answersOf(victim, questions(5));
    await expect(failed).rejects.toThrow(VictimError);
    await expect(failed).rejects.toThrow(/^no question was answered at http:.*: fetch failed: .*ECONNREFUSED/);
    expect(victim.spent.calls).toBe(1);
  });

  it('are tried again when nobody listens any more', async () => {
    const server = await startServer();
    const victim = victimOf(server, { maxAttempts: 3, concurrency: 1 });
    await answersOf(victim, [ask('a')]);
    await server.close();
    expect(outcomes(await answersOf(victim, [ask('b')]))).toEqual({ b: '<connection>' });
    expect(victim.spent.calls).toBe(1 + 3);
  });
});

describe('faults that stay', () => {
  it.each<[BehaviorName, RegExp, RegExp]>([
    ['401', /status 401: Incorrect API key/, /key/],
    ['404', /status 404: no such model/, /base URL/],
    ['redirect', /status 301/, /base URL/],
    ['429-quota', /quota/, /credit/],
    ['error-200-401', /status 401: no access/, /key/],
  ])('end the run at once: %s', async (name, message, fix) => {
    const server = await startServer('ok');
    server.otherwise = () => name;
    const seen: string[] = [];
    const asked = answersOf(victimOf(server, { concurrency: 1 }), questions(20)).then((answers) =>
      seen.push(...answers.keys()),
    );
    await expect(asked).rejects.toThrow(message);
    await expect(asked).rejects.toMatchObject({ code: 'CONFIG', fix: expect.stringMatching(fix) as string });
    expect(server.seen).toHaveLength(2);
  });

  it.each<[BehaviorName, string]>([
    ['400-long', 'too-long'],
    ['400-reduce', 'too-long'],
    ['422-long', 'too-long'],
    ['422-long-bare', 'too-long'],
    ['413', 'too-long'],
    ['400-filter', 'refused'],
    ['length', 'cut-off'],
    ['filter', 'refused'],
    ['refusal', 'refused'],
    ['blank', 'empty'],
    ['prose', 'no-sql'],
  ])('fail one question, without another try: %s', async (name, kind) => {
    const server = await startServer(name);
    const answers = await answersOf(victimOf(server, { concurrency: 1 }), [ask('a'), ask('b')]);
    expect(outcomes(answers)).toEqual({ a: `<${kind}>`, b: sqlFor('b') });
    expect(server.seen).toHaveLength(2);
    if (name === 'length')
      expect(answers.get('a')).toMatchObject({ raw: 'SELECT a, b', usage: { completionTokens: 20 } });
  });

  it('fail one question, where others were answered', async () => {
    const server = await startServer('ok', '400', '422', '413', '400', '400');
    const answers = await answersOf(victimOf(server, { concurrency: 1 }), questions(7));
    expect(Object.values(outcomes(answers))).toEqual([
      sqlFor('question 0'),
      ...['<refused>', '<refused>', '<too-long>', '<refused>', '<refused>'],
      sqlFor('question 6'),
    ]);
    expect(answers.get('q1')?.failure?.message).toBe('status 400: temperature is not supported');
  });

  it('fail one question in a resumed run, though it is the first', async () => {
    const server = await startServer('400', '400', '400');
    const context = { ...listening(), hasAnswered: true };
    const answers = await answersOf(victimOf(server, { concurrency: 1 }), questions(4), context);
    expect(Object.values(outcomes(answers))).toEqual(['<refused>', '<refused>', '<refused>', sqlFor('question 3')]);
  });

  it('end the run when three examples are rejected before any answer', async () => {
    const server = await startServer();
    server.otherwise = () => '400';
    const asked = answersOf(victimOf(server, { concurrency: 1 }), questions(20));
    await expect(asked).rejects.toThrow(/status 400: temperature is not supported/);
    await expect(asked).rejects.toMatchObject({ code: 'CONFIG', fix: expect.stringMatching(/parameters/) as string });
    expect(server.seen).toHaveLength(3);
  });

  it('leave a question open that is rejected, in all its variants, before any answer', async () => {
    const server = await startServer('400', '400', '400', '400');
    const asked = [...[0, 1, 2, 3].map((seed) => ask('a', `dev:0~RPL~${seed}`)), ask('b', 'dev:1~original')];
    const answers = await answersOf(victimOf(server, { concurrency: 1 }), asked);
    expect(Object.values(outcomes(answers))).toEqual([...Array<string>(4).fill('<error-reply>'), sqlFor('b')]);
  });

  it('never show the key', async () => {
    const server = await startServer('401');
    const failed = await answersOf(victimOf(server), [ask('a')]).catch((error: unknown) => error as ConfigError);
    expect((failed as ConfigError).render()).toContain('[secret]');
    expect((failed as ConfigError).render()).not.toContain(KEY);
  });
});

describe('a proxy', () => {
  async function startProxy(): Promise<{ readonly address: string; readonly asked: string[] }> {
    const asked: string[] = [];
    const proxy = createServer(({ url, headers }, response) => {
      asked.push(url ?? '');
      const known = headers['proxy-authorization'] === `Basic ${Buffer.from('me:hush-hush').toString('base64')}`;
      const answer = { choices: [{ finish_reason: 'stop', message: { content: 'SELECT 1' } }] };
      response.writeHead(known ? 200 : 407).end(known ? JSON.stringify(answer) : 'who?');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    return { address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked };
  }

  function victimBehind(proxy: string, baseUrl: string): EndpointVictim {
    const settings = { baseUrl, model: 'm', backoffMs: 1, maxAttempts: 2 };
    const victim = new EndpointVictim(settings, { HTTP_PROXY: proxy });
    onTestFinished(() => victim.dispose());
    return victim;
  }

  it('of the environment is asked; one that refuses its user ends the run at once, without the password', async () => {
    const { address, asked } = await startProxy();
    const answers = await answersOf(victimBehind(`http://me:hush-hush@${address}`, 'http://model.invalid/v1'), [
      ask('a'),
    ]);
    expect(outcomes(answers)).toEqual({ a: 'SELECT 1' });
    expect(asked).toEqual(['http://model.invalid/v1/chat/completions']);
    const refused = answersOf(victimBehind(`http://me:wrong-secret@${address}`, 'http://model.invalid/v1'), [ask('a')]);
    await expect(refused).rejects.toMatchObject({
      code: 'CONFIG',
      message: `the proxy ${address} does not accept the user and password (407)`,
    });
    await expect(refused).rejects.not.toHaveProperty('fix', expect.stringContaining('wrong-secret'));
    expect(asked).toHaveLength(2);
  });

  it('is not asked for a model on this machine', async () => {
    const { address, asked } = await startProxy();
    const server = await startServer();
    expect(outcomes(await answersOf(victimBehind(address, server.baseUrl), [ask('a')]))).toEqual({ a: sqlFor('a') });
    expect(asked).toEqual([]);
  });
});

describe('Retry-After', () => {
  it('holds for all questions', async () => {
    const server = await startServer('429-soon');
    const victim = victimOf(server, { concurrency: 1 });
    const first = victim.answer(ask('a'), listening());
    while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const second = victim.answer(ask('b'), listening());
    expect((await Promise.all([first, second])).map(({ sql }) => sql)).toEqual([sqlFor('a'), sqlFor('b')]);
    expect(server.seen).toHaveLength(3);
  });
});

describe('the budget', () => {
  it('of calls ends cleanly, and reports the rest', async () => {
    const server = await startServer('ok', '500');
    const victim = victimOf(server, { concurrency: 1, budget: { calls: 4 } });
    const answers = await answersOf(victim, questions(5));
    expect(outcomes(answers)).toEqual({
      q0: sqlFor('question 0'),
      q1: sqlFor('question 1'),
      q2: sqlFor('question 2'),
      q3: '<budget>',
      q4: '<budget>',
    });
    expect(victim.spent).toEqual({ calls: 4, tokens: 300 });
    expect(server.seen).toHaveLength(4);
  });

  it('of tokens ends with the call that uses them up', async () => {
    const server = await startServer();
    const answers = await answersOf(victimOf(server, { concurrency: 1, budget: { tokens: 150 } }), questions(4));
    expect(Object.values(outcomes(answers)).filter((sql) => sql === '<budget>')).toHaveLength(2);
  });

  it('estimates tokens where they are not counted', async () => {
    const server = await startServer('uncounted');
    const victim = victimOf(server);
    await answersOf(victim, [ask('a')]);
    expect(victim.spent.tokens).toBeGreaterThan(50);
  });
});

describe('the cache', () => {
  it('answers what was asked before, also in another run, at no cost', async () => {
    const server = await startServer();
    const cacheFile = join(temporaryFolder(), 'new', 'cache.sqlite');
    const first = victimOf(server, { cacheFile });
    await answersOf(first, questions(100));
    await first.dispose();
    const second = victimOf(server, { cacheFile, budget: { calls: 0 } });
    const answers = await answersOf(second, questions(100));
    expect(server.seen).toHaveLength(100);
    expect(answers.get('q7')).toMatchObject({ sql: sqlFor('question 7'), usage: { calls: 0, cached: true } });
    expect(readFileSync(cacheFile).includes(KEY)).toBe(false);
  });

  it('knows one model and prompt from another', async () => {
    const server = await startServer();
    const cacheFile = join(temporaryFolder(), 'cache.sqlite');
    for (const settings of [{}, { model: 'n' }, { temperature: 1 }, {}]) {
      const victim = victimOf(server, { cacheFile, ...settings });
      await answersOf(victim, [ask('a')]);
      await victim.dispose();
    }
    expect(server.seen).toHaveLength(3);
  });

  it.each<BehaviorName>(['500', 'cut-silently', 'length', 'blank', 'error-200', 'choiceless'])(
    'never keeps a failure: %s',
    async (name) => {
      const server = await startServer(name);
      const victim = victimOf(server, { cacheFile: join(temporaryFolder(), 'cache.sqlite'), maxAttempts: 1 });
      expect(outcomes(await answersOf(victim, [ask('a')])).a).toMatch(/^</);
      expect(outcomes(await answersOf(victim, [ask('a')]))).toEqual({ a: sqlFor('a') });
    },
  );

  it('asks identical requests once that are in flight together', async () => {
    const server = await startServer('slow');
    const same = [ask('a', '1'), ask('a', '2'), ask('a', '3'), ask('b', '4')];
    const answers = await answersOf(victimOf(server, { concurrency: 4 }), same);
    expect(outcomes(answers)).toEqual({ 1: sqlFor('a'), 2: sqlFor('a'), 3: sqlFor('a'), 4: sqlFor('b') });
    expect(server.seen).toHaveLength(2);
    expect([...answers.values()].filter(({ usage }) => usage?.cached)).toHaveLength(2);
  });

  it('is refused when it is another file', async () => {
    const cacheFile = join(temporaryFolder(), 'notes.txt');
    writeFileSync(cacheFile, 'This is no database, but it is long enough to be read as one. '.repeat(20));
    expect(() => victimOf({ baseUrl: 'http://host' }, { cacheFile })).toThrow(ConfigError);
  });
});

describe('a run', () => {
  it('stops in the middle of a call and of a pause', async () => {
    for (const name of ['hang', '429-hour'] as const) {
      const server = await startServer();
      server.otherwise = () => name;
      const stop = new AbortController();
      const asked = answersOf(victimOf(server, { maxWaitMs: 1e7 }), questions(9), listening(stop.signal));
      while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      stop.abort(new Error('enough'));
      await expect(asked).rejects.toThrow('enough');
    }
  });

  it('of 5,000 calls with 2 % faults ends complete', async () => {
    const faults = [
      '429',
      '429-now',
      '500',
      '503',
      'reset',
      'cut',
      'cut-chunks',
      'cut-silently',
      'html',
      'stream',
      'error-200',
      'error-200-502',
      'choiceless',
      'shapeless',
      'hang',
    ] as const;
    const server = await startServer();
    let injected = 0;
    server.otherwise = (index) => {
      const rng = createRng(1, String(index));
      if (rng.next() >= 0.02) return 'ok';
      return faults[injected++ % faults.length]!;
    };
    const victim = victimOf(server, {
      concurrency: 32,
      timeoutMs: 5_000, // of calls that hang; the server is in this process, and must have its turn in that time
      cacheFile: join(temporaryFolder(), 'cache.sqlite'),
    });
    const asked = questions(5_000);
    const answers = await answersOf(victim, asked);
    expect(injected).toBeGreaterThan(80);
    expect(answers.size).toBe(5_000);
    expect(asked.filter(({ id, question }) => answers.get(id)?.sql !== sqlFor(question))).toEqual([]);
    expect(victim.spent.calls).toBe(server.seen.length);
  }, 120_000);
});
