import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { attack } from '../../../src/measure/attack/attack.js';
import { ConfigError } from '../../../src/errors.js';
import { createRng } from '../../../src/seeded-rng.js';
import { candidatesFor, EXAMPLES, inputOf, perfectVictim, temporaryFolder, writeCandidates } from './attack-fixture.js';
import { type BehaviorName, startServer } from '../../chat/misbehaving-server.js';

// `npm run check:full` sets PERTURBQL_FULL: more than 5,000 calls.
const FULL = process.env['PERTURBQL_FULL'] === '1';
const SEEDS = FULL ? 600 : 12;
const CALLS = FULL ? 5000 : 100;

const FAULTS = [
  '429',
  '429-now',
  '500',
  '503',
  'reset',
  'cut',
  'cut-chunks',
  'html',
  'error-200',
  'choiceless',
] as const;

describe('an endpoint with 2 % faults', () => {
  it('is attacked to the end, and asked each distinct question once', async () => {
    const server = await startServer();
    let injected = 0;
    server.otherwise = (index) => {
      if (createRng(1, String(index)).next() >= 0.02) return 'ok';
      return FAULTS[injected++ % FAULTS.length]!;
    };
    const seeds = Array.from({ length: SEEDS }, (_, seed) => seed);
    const candidates = writeCandidates(temporaryFolder(), candidatesFor(4));
    const settings = { baseUrl: server.baseUrl, model: 'm', concurrency: 16, backoffMs: 5 };
    const { report, open } = await attack(
      inputOf(perfectVictim(), { candidates, seeds, victim: { kind: 'endpoint', settings } }),
    );
    const { calls, questions, failures } = report.usage;
    expect(injected).toBeGreaterThan(0);
    expect(open).toBe(0);
    expect(failures).toEqual({});
    expect(questions).toBeGreaterThan(CALLS);
    expect(calls).toBeGreaterThanOrEqual(questions + injected);
    expect(server.seen).toHaveLength(calls);
    expect(report.cases).toHaveLength(EXAMPLES.length);
    expect(report.usage.promptTokens).toBe(80 * questions);
  });

  it('is attacked to the end though it rejects an example', async () => {
    const server = await startServer();
    const [{ question }] = EXAMPLES as [(typeof EXAMPLES)[0]];
    server.otherwise = (_, { body }) => (body.messages.at(-1)!.content.includes(question) ? '400' : 'ok');
    const settings = { baseUrl: server.baseUrl, model: 'm', concurrency: 1 };
    const input = inputOf(perfectVictim(), { victim: { kind: 'endpoint', settings } });
    // The first question of all is rejected when nothing has shown yet that others are not.
    const first = await attack(input);
    expect([first.open, first.report.usage.failures.original]).toEqual([1, { 'error-reply': 1 }]);
    const asked = server.seen.length;
    const second = await attack(input);
    expect([second.open, second.report.usage.failures.original]).toEqual([0, { refused: 1 }]);
    expect(server.seen).toHaveLength(asked + 1);
  });

  it('is left open where its budget ends, and goes on with another', async () => {
    const server = await startServer();
    const settings = { baseUrl: server.baseUrl, model: 'm', concurrency: 4 };
    const input = inputOf(perfectVictim(), {
      seeds: [0],
      victim: { kind: 'endpoint', settings: { ...settings, budget: { calls: 10 } } },
    });
    const first = await attack(input);
    expect(first.open).toBe(first.report.usage.questions - 10);
    expect(server.seen).toHaveLength(10);
    const second = await attack({ ...input, victim: { kind: 'endpoint', settings } });
    expect([second.open, second.fresh]).toEqual([0, true]);
    expect(server.seen).toHaveLength(second.report.usage.questions);
  });
});

describe('an endpoint that repeats the keys it is sent', () => {
  const KEYS = ['sk-very-secret-1234567890', 'gateway-secret-42', 'query-secret-42'];

  function secretsIn(text: string): string[] {
    return [...KEYS, ...KEYS.map((key) => key.slice(0, 9))].filter((key) => text.includes(key));
  }

  function settingsFor(baseUrl: string, cacheFile: string | null) {
    vi.stubEnv('MODEL_KEY', KEYS[0]);
    onTestFinished(() => void vi.unstubAllEnvs());
    const headers = { 'x-gateway': `Token ${KEYS[1]}` };
    const given = { baseUrl: `${baseUrl}?key=${KEYS[2]}`, model: 'm', keyVariable: 'MODEL_KEY', headers, cacheFile };
    return { ...given, concurrency: 1, backoffMs: 1, maxAttempts: 1, maxFailuresInARow: 1000 };
  }

  it('leaves no trace of them in the run, its reports and the cache of answers', async () => {
    const server = await startServer('ok');
    const faults: readonly BehaviorName[] = ['echo-500', 'echo-400', 'echo-html', 'echo-refusal', 'echo-answer'];
    server.otherwise = (index) => faults[index % faults.length] ?? 'ok';
    const out = temporaryFolder();
    const settings = settingsFor(server.baseUrl, join(out, 'cache.sqlite'));
    const { report } = await attack(
      inputOf(perfectVictim(), { out: join(out, 'run'), seeds: [0], victim: { kind: 'endpoint', settings } }),
    );
    expect(server.seen.some(({ headers, url }) => secretsIn(`${JSON.stringify(headers)} ${url}`).length === 6)).toBe(
      true,
    );
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).map((name) => join(out, name));
    const read = files.filter((file) => statSync(file).isFile()).map((file) => [file, readFileSync(file, 'latin1')]);
    expect(read.filter(([, text = '']) => text.includes('[secret]')).length).toBeGreaterThan(1);
    expect(read.filter(([, text = '']) => secretsIn(text).length > 0).map(([file]) => file)).toEqual([]);
    expect(secretsIn(JSON.stringify(report))).toEqual([]);
  });

  it('shows none of them in the error that ends the run', async () => {
    const server = await startServer();
    server.otherwise = () => 'echo-401';
    const settings = settingsFor(server.baseUrl, null);
    const ended = await attack(inputOf(perfectVictim(), { victim: { kind: 'endpoint', settings } })).catch(
      (error: unknown) => error as ConfigError,
    );
    expect(ended).toBeInstanceOf(ConfigError);
    expect((ended as ConfigError).render()).toMatch(/status 401: x+ \[secret\]/);
    expect(secretsIn((ended as ConfigError).render())).toEqual([]);
  });
});
