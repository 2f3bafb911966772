import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/errors.js';
import { RewardJudge, type RewardOptions, type RewardReply } from '../../../src/evaluate/rewards/reward-judge.js';
import { answerRewardLines } from '../../../src/evaluate/rewards/reward-lines.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';
import { rejectionOf } from '../../error-of.js';

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url));
const OPTIONS: Partial<RewardOptions> = { databases: `${EXAMPLES}/database`, timeoutMs: 5_000, jobs: 1 };
const DB = 'community_garden';
const GOLD = 'SELECT count(*) FROM gardener';

/** By their options: starting processes takes longer than the tests. */
const judges = new Map<string, RewardJudge>();
afterAll(() => Promise.all([...judges.values()].map((judge) => judge.close())));

async function judgeOf(options: Partial<RewardOptions>): Promise<RewardJudge> {
  const key = JSON.stringify(options);
  const judge = judges.get(key) ?? (await RewardJudge.open({ ...OPTIONS, ...options }));
  judges.set(key, judge);
  return judge;
}

async function ask(options: Partial<RewardOptions>, ...pieces: readonly string[]): Promise<readonly RewardReply[]> {
  const judge = await judgeOf(options);
  let written = '';
  async function* input(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  await answerRewardLines(judge, input(), async (text) => void (written += text), NOOP_HOST.signal);
  return written
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RewardReply);
}

const line = (...predictions: readonly string[]): string =>
  `${JSON.stringify({ db_id: DB, gold: GOLD, predictions })}\n`;
const scoresOf = (reply: RewardReply | undefined): readonly number[] | null =>
  reply !== undefined && 'rewards' in reply ? reply.rewards.map(({ score }) => score) : null;

describe('rewards on lines', () => {
  it('take the query out of an answer where answers are sent', async () => {
    const answer = `<think>SELECT 0</think>It is this:\n\`\`\`sql\n${GOLD};\n\`\`\``;
    const outcomes = async (options: Partial<RewardOptions>): Promise<readonly string[]> => {
      const [reply] = await ask(options, line(answer, GOLD, 'I do not know.'));
      return reply !== undefined && 'rewards' in reply ? reply.rewards.map(({ outcome }) => outcome) : [];
    };
    expect(await outcomes({ answers: true })).toEqual(['correct', 'correct', 'empty']);
    expect(await outcomes({})).toEqual(['unparsable', 'correct', 'unparsable']);
  });

  it('say of each prediction its score, its outcome and why', async () => {
    const [reply] = await ask(
      { reward: 'execution + 0.5*exact' },
      line(GOLD, 'SELECT 0', 'SELEC', '', 'DROP TABLE plot'),
    );
    if (reply === undefined || !('rewards' in reply)) throw new Error('no rewards');
    expect(reply.rewards.map(({ score, outcome }) => [score, outcome])).toEqual([
      [1.5, 'correct'],
      [0, 'wrong'],
      [0, 'unparsable'],
      [0, 'empty'],
      [0, 'refused'],
    ]);
    expect(reply.rewards[2]?.reason).toBe('not-a-select');
    expect(reply.rewards[0]?.parts).toEqual({ execution: 'correct', exact: 'correct' });
  });

  it('take a gold by the id of its example', async () => {
    const data = { tables: `${EXAMPLES}/tables.json`, examples: `${EXAMPLES}/dev.json` };
    const asked = '{"id": "dev:0", "predictions": ["SELECT count(*) FROM gardener WHERE home_country = \'Portugal\'"]}';
    expect((await ask(data, asked)).map(scoresOf)).toEqual([[1]]);
  });

  it('come in the order of the requests, and a bad line takes no other with it', async () => {
    const replies = await ask(
      {},
      line(GOLD),
      '{"db_id": "nowhere", "gold": "SELECT 1", "predictions": ["SELECT 1"]}\nnot json\n{"db_id": "x"}\n\n',
      `${JSON.stringify({ db_id: '../database/community_garden', gold: GOLD, predictions: [GOLD] })}\n`,
      '{"id": "dev:0", "predictions": []}\n',
      line('SELECT 0').slice(0, 20),
      line('SELECT 0').slice(20),
    );
    expect(replies.map((reply) => scoresOf(reply) ?? ('error' in reply && reply.error.message))).toEqual([
      [1],
      expect.stringContaining('there is no database "nowhere"') as unknown,
      'standard input:3: this is not JSON',
      'standard input:4: this is no request for rewards',
      expect.stringContaining('there is no database') as unknown,
      'a gold query is asked for by id, and no examples are given',
      [0],
    ]);
  });

  it('do not depend on what else is asked', async () => {
    const lines = [line(GOLD, 'SELECT 0'), line('SELECT count(name) FROM gardener'), line('')];
    const apart: RewardReply[] = [];
    for (const one of lines) apart.push(...(await ask({}, one)));
    expect(await ask({}, lines.join(''))).toEqual(apart);
  });

  it('end a query that does not end, and judge the rest', async () => {
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
    const [reply] = await ask({ timeoutMs: 500 }, line(endless, GOLD));
    expect(reply !== undefined && 'rewards' in reply && reply.rewards.map(({ outcome }) => outcome)).toEqual([
      'timed-out',
      'correct',
    ]);
  });

  it('refuse what can’t be judged before anything is read', async () => {
    await rejectionOf(ConfigError, () => ask({ reward: 'suite' }));
    await rejectionOf(ConfigError, () => ask({ databases: null }));
    await rejectionOf(ConfigError, () =>
      ask({ databases: null, tables: `${EXAMPLES}/tables.json`, reward: 'execution' }),
    );
  });
});
