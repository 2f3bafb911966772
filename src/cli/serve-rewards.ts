import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { ConfigError } from '../errors.js';
import { createRewardApp } from '../evaluate/rewards/reward-app.js';
import type { RewardJudge } from '../evaluate/rewards/reward-judge.js';
import { patienceOf, RewardMeter, RewardQueue } from '../evaluate/rewards/reward-queue.js';
import { isLoopback } from '../http/http-url.js';
import { hostNamesOf, serveLocally } from '../http/local-server.js';
import type { RunHost } from '../run/run-host.js';

/** Where rewards are served over HTTP, to whom, and in which bounds. */
export interface RewardServerOptions {
  readonly host: string;
  readonly port: number;
  /** Name of the environment variable with the token that clients send; null: none is asked for. */
  readonly tokenEnv: string | null;
  readonly timeoutMs: number;
  readonly jobs: number | undefined;
}

/** The token that clients have to send. @throws ConfigError where it is missing, or others could ask without one */
export function rewardToken({ host, tokenEnv }: Pick<RewardServerOptions, 'host' | 'tokenEnv'>): string | null {
  if (tokenEnv === null) {
    if (isLoopback(host)) return null;
    throw new ConfigError(`${host} can be reached from other machines`, {
      fix: 'Give --token-env with an environment variable that holds a token; clients then have to send it.',
    });
  }
  const token = process.env[tokenEnv] ?? '';
  if (/^[\w-]{16,256}$/.test(token)) return token;
  throw new ConfigError(`the environment variable ${tokenEnv} holds no token`, {
    fix: 'Set it to 16 to 256 letters, digits, - and _, such as what `openssl rand -hex 32` prints.',
  });
}

/** Answers requests until the signal aborts; what is under way then is finished. */
export async function serveRewards(
  judge: RewardJudge,
  options: RewardServerOptions,
  token: string | null,
  host: RunHost,
): Promise<void> {
  const { timeoutMs, jobs = availableParallelism() } = options;
  const queue = new RewardQueue({ width: jobs, patienceMs: patienceOf(timeoutMs) });
  const meter = new RewardMeter(host, queue);
  const onFault = (error: unknown): void =>
    host.note(`fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const app = createRewardApp({ judge, queue, meter, token, hosts: hostNamesOf(options.host), onFault });
  const server = await serveLocally(app, options.host, options.port);
  try {
    console.log(`rewards: ${server.url}/rewards`);
    if (!isLoopback(options.host)) host.note('warning: nothing on the way to other machines is encrypted');
    host.note('Ctrl+C ends it.');
    if (!host.signal.aborted) await once(host.signal, 'abort');
  } finally {
    await server.close();
  }
}
