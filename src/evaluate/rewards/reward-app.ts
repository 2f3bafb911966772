import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { hashToken, matchesToken } from '../../http/access-token.js';
import { ApiError, sendError } from '../../http/api-error.js';
import { bearerToken, readBody, requireHost, requireOwnOrigin } from '../../http/request-checks.js';
import { VERSION } from '../../version.js';
import { readRewardRequest, type RewardJudge } from './reward-judge.js';
import type { RewardMeter, RewardQueue } from './reward-queue.js';

export interface RewardAppOptions {
  readonly judge: RewardJudge;
  readonly queue: RewardQueue;
  readonly meter: RewardMeter;
  /** The token that clients send in `Authorization: Bearer`; null: none, if only this machine can ask. */
  readonly token: string | null;
  /** Host names, without ports, that the server answers to where it asks for no token. */
  readonly hosts: ReadonlySet<string>;
  /** Is told of faults, which the answer does not describe. */
  readonly onFault: (error: unknown) => void;
}

/** Largest body in bytes. */
const LARGEST_BODY = 16 * 1024 * 1024;

/** Status of an answer that nobody reads any more, as nginx logs it. */
const CLIENT_GONE = 499;

const requests = z.array(z.unknown(), 'a list of requests is expected');

function requireToken(token: string): MiddlewareHandler {
  const hash = hashToken(token);
  return async (c, next) => {
    const given = bearerToken(c);
    const fix = 'Send "Authorization: Bearer" with the token that the service was started with.';
    if (given === null) throw new ApiError('no-token', 'a token is needed', { fix });
    if (!matchesToken(given, hash)) throw new ApiError('bad-token', 'this is not the token', { fix });
    await next();
  };
}

function toApiError(error: unknown, onFault: (error: unknown) => void): ApiError {
  if (error instanceof ApiError) return error;
  onFault(error);
  return new ApiError('internal', 'the service failed at this request; see what it printed in its terminal');
}

async function answer(c: Context, { judge, queue, meter }: RewardAppOptions): Promise<Response> {
  const started = performance.now();
  const { signal } = c.req.raw;
  const bytes = Math.min(LARGEST_BODY, Number(c.req.header('content-length') ?? LARGEST_BODY));
  return queue.hold(bytes, async () => {
    const list = await readBody(c, requests, LARGEST_BODY);
    const asked = list.map((one, i) => readRewardRequest(one, { id: `request ${i}` }));
    try {
      const replies = await queue.turn(signal, () => judge.answer(asked, signal));
      const given = replies.reduce((sum, reply) => sum + ('rewards' in reply ? reply.rewards.length : 0), 0);
      meter.add(given, performance.now() - started);
      return c.json(replies);
    } catch (error) {
      if (!signal.aborted) throw error;
      return new Response(null, { status: CLIENT_GONE });
    }
  });
}

/**
 * The reward service over HTTP: `POST /rewards` takes a list of requests and gives a list of replies, one for each, as
 * on lines; `GET /health` says that it listens. Errors are `{error: {code, message, fix?}}`.
 */
export function createRewardApp(options: RewardAppOptions): Hono {
  const { token, hosts, onFault } = options;
  const app = new Hono();
  if (token === null) app.use(requireHost(hosts, 'perturbql serve rewards'), requireOwnOrigin);
  app.get('/health', (c) => c.json({ status: 'ok', version: VERSION }));
  if (token !== null) app.use(requireToken(token));
  app.post('/rewards', (c) => answer(c, options));
  app.notFound((c) =>
    sendError(c, new ApiError('not-found', 'there is nothing at this path', { fix: 'POST /rewards.' })),
  );
  app.onError((error, c) => sendError(c, toApiError(error, onFault)));
  return app;
}
