import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRewardApp } from '../../../src/evaluate/rewards/reward-app.js';
import { RewardJudge, type RewardOptions, type RewardReply } from '../../../src/evaluate/rewards/reward-judge.js';
import { RewardMeter, RewardQueue } from '../../../src/evaluate/rewards/reward-queue.js';
import type { Variant } from '../../../src/evaluate/rewards/reward-inputs.js';
import { LOOPBACK, type RunningServer, serveLocally } from '../../../src/http/local-server.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';
import { EXAMPLE_DATA, EXAMPLES } from '../../e2e/example-data.js';
import { BINARY, makeTempFolder } from '../../e2e/run-cli.js';

const GOLD = 'SELECT count(*) FROM gardener';
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
const OPTIONS: Partial<RewardOptions> = {
  databases: `${EXAMPLES}/database`,
  reward: 'execution',
  timeoutMs: 60_000,
  jobs: 1,
};

const faults: unknown[] = [];
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
  expect(faults).toEqual([]);
});

interface Service {
  readonly server: RunningServer;
  readonly queue: RewardQueue;
  post(requests: unknown, init?: RequestInit): Promise<Response>;
}

async function start(options: Partial<RewardOptions>, token: string | null = null, patienceMs = 500): Promise<Service> {
  const judge = await RewardJudge.open({ ...OPTIONS, ...options });
  const queue = new RewardQueue({ width: 1, patienceMs });
  const meter = new RewardMeter(NOOP_HOST, queue);
  const onFault = (error: unknown): void => void faults.push(error);
  const app = createRewardApp({ judge, queue, meter, token, hosts: new Set([LOOPBACK]), onFault });
  const server = await serveLocally(app, LOOPBACK, 0);
  closing.push(async () => {
    await server.close();
    await judge.close();
  });
  const post = (requests: unknown, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server.url}/rewards`, { method: 'POST', body: JSON.stringify(requests), ...init });
  return { server, queue, post };
}

const garden = (...predictions: readonly string[]): object => ({ db_id: 'community_garden', gold: GOLD, predictions });
const repliesOf = async (response: Response): Promise<readonly RewardReply[]> =>
  (await response.json()) as readonly RewardReply[];
const outcomesOf = (reply: RewardReply | undefined): readonly string[] =>
  reply !== undefined && 'rewards' in reply ? reply.rewards.map(({ outcome }) => outcome) : [JSON.stringify(reply)];

describe('the reward service over HTTP', () => {
  let service: Service;
  beforeAll(async () => {
    service = await start({});
  });

  it('answers requests in their order, and a bad one takes no other with it', async () => {
    const long = `SELECT ${'1 + '.repeat(2_500_000)}1`;
    const unknown = { ...garden(GOLD), db_id: 'nowhere' };
    const response = await service.post([garden(GOLD, 'SELECT 0', long), unknown, { x: 1 }, { id: 'dev:0', seed: 1 }]);
    expect(response.status).toBe(200);
    const [first, ...refused] = await repliesOf(response);
    expect(outcomesOf(first)).toEqual(['correct', 'wrong', 'refused']);
    expect(refused).toMatchObject([
      { error: { message: expect.stringContaining('there is no database "nowhere"') as unknown } },
      { error: { message: 'request 2: this is no request for rewards' } },
      { error: { message: 'no variants are given', fix: expect.stringContaining('--variants RUN') as unknown } },
    ]);
  });

  it.each([
    ['{', 400, 'the body is no JSON'],
    ['{}', 400, 'the body is wrong: a list of requests is expected'],
    [JSON.stringify(['x'.repeat(17 << 20)]), 413, 'a request holds at most 16 MB'],
  ])('refuses a body with its reason: %.10s', async (body, status, message) => {
    const response = await service.post(null, { body });
    expect([response.status, await response.json()]).toMatchObject([status, { error: { message } }]);
  });

  it('is for this machine where it asks for no token, else for whoever has it', async () => {
    const foreign = await service.post([], { headers: { origin: 'http://elsewhere.test' } });
    expect(foreign.status).toBe(403);
    const token = 'a-token-of-sixteen';
    const guarded = await start({}, token);
    const asked = async (...words: readonly string[]): Promise<number> =>
      (await guarded.post([], { headers: words.length === 0 ? {} : { authorization: words.join(' ') } })).status;
    expect([await asked(), await asked('Bearer', 'another'), await asked('Bearer', token)]).toEqual([401, 401, 200]);
    expect((await fetch(`${guarded.server.url}/health`)).status).toBe(200);
  });

  it('sends away what would wait too long, and ends the work of a client that is gone', async () => {
    const client = new AbortController();
    const gone = service.post([garden(ENDLESS)], { signal: client.signal }).catch((error: unknown) => error);
    await expect.poll(async () => (await service.post([garden(GOLD)])).status).toBe(503);
    const refused = await service.post([garden(GOLD)]);
    expect([refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
      '1',
      { error: { code: 'busy' } },
    ]);
    client.abort();
    await gone;
    // The query may take a minute: only its end gives room.
    const started = performance.now();
    expect(outcomesOf((await repliesOf(await service.post([garden(GOLD)])))[0])).toEqual(['correct']);
    expect(performance.now() - started).toBeLessThan(45_000);
  });

  it('sends many clients away at once while its one place is taken, and then takes one', async () => {
    const client = new AbortController();
    const gone = service.post([garden(ENDLESS)], { signal: client.signal }).catch((error: unknown) => error);
    await expect.poll(async () => (await service.post([garden(GOLD)])).status).toBe(503);
    const answers = await Promise.all(Array.from({ length: 100 }, () => service.post([garden(GOLD)])));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    await Promise.all(answers.map((answer) => answer.text()));
    client.abort();
    await gone;
    await expect.poll(async () => (await service.post([garden(GOLD)])).status, { timeout: 45_000 }).toBe(200);
    expect(service.queue.waiting).toBe(0);
  });
});

describe('variants', () => {
  const temp = makeTempFolder();
  const run = `${temp.path}/RUN`;
  beforeAll(() => {
    const words = ['mutate', ...EXAMPLE_DATA.options, '--materialize', '--relations', 'TSp,CRn,CS', '--limit', '3'];
    execFileSync(process.execPath, [BINARY, ...words, '--out', run, '--quiet']);
  }, 60_000);
  afterAll(() => temp.remove());

  async function draw(service: Service, id: string, seed: number): Promise<Variant> {
    const [reply] = await repliesOf(await service.post([{ id, seed }]));
    if (reply === undefined || !('variant' in reply)) throw new Error(JSON.stringify(reply));
    return reply.variant;
  }

  it('are drawn by seed, and judged by id on their own rows', async () => {
    const service = await start({ databases: null, variants: run });
    const drawn: Variant[] = [];
    for (let seed = 0; seed < 12; seed++) drawn.push(await draw(service, 'dev:0', seed));
    expect(await draw(service, 'dev:0', 7)).toEqual(drawn[7]);
    expect(new Set(drawn.map(({ id }) => id)).size).toBeGreaterThan(2);
    const asked = drawn.map(({ id, query }) => ({ id, predictions: [query, 'SELECT 0'] }));
    const replies = await repliesOf(await service.post(asked));
    expect(replies.map(outcomesOf)).toEqual(drawn.map(() => ['correct', 'wrong']));
    for (const { schema, db_id } of drawn)
      expect([schema, db_id]).toEqual([
        expect.stringContaining('CREATE TABLE'),
        expect.stringContaining('community_garden~'),
      ]);
  });

  it('stand next to a data set, and are refused where there are none', async () => {
    const { tables, examples, databases } = EXAMPLE_DATA;
    const service = await start({ tables, examples, databases, variants: run });
    const { id, query } = await draw(service, 'dev:3', 1);
    const [own, original, missing] = await repliesOf(
      await service.post([
        { id, predictions: [query] },
        { id: 'dev:0', predictions: ['SELECT 0'] },
        { id: 'x', seed: 0 },
      ]),
    );
    expect([outcomesOf(own), outcomesOf(original)]).toEqual([['correct'], ['wrong']]);
    expect(missing).toMatchObject({
      error: { message: expect.stringContaining('there is no variant of "x"') as unknown },
    });
  });
});
