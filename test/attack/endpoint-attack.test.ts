import { describe, expect, it } from 'vitest';
import { attack } from '../../src/attack/attack.js';
import { createRng } from '../../src/seeded-rng.js';
import { candidatesFor, EXAMPLES, inputOf, perfectVictim, temporaryFolder, writeCandidates } from './attack-fixture.js';
import { startServer } from '../victims/misbehaving-server.js';

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
