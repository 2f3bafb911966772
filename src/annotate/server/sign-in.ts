import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Person } from '../annotation.js';
import type { AnnotationProject } from '../project/annotation-project.js';
import { ApiError } from '../../http/api-error.js';
import { bearerToken } from '../../http/request-checks.js';

/** So many wrong tokens from one address in one window are borne; after that, wrong ones have to wait. */
const MOST_FAILURES = 10;
const WINDOW_MS = 60_000;
/** Addresses remembered; far more than a project has people, and a bound to memory. */
const MOST_ADDRESSES = 10_000;

interface Failures {
  readonly since: number;
  count: number;
}

/**
 * Counts wrong tokens by address, so that a forgotten tab with an old link, or a guesser, is told to wait. Right tokens
 * are never held up: behind one address there may be a whole office, and 256 random bits are not guessed at any speed.
 */
export class FailedSignIns {
  readonly #now: () => number;
  readonly #failures = new Map<string, Failures>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a wrong token; returns the seconds that its address has to wait, 0 where it may try another now. */
  fail(address: string): number {
    const failures = this.#current(address);
    if (failures === null) this.#begin(address);
    else if (failures.count < MOST_FAILURES) failures.count++;
    else return Math.ceil((failures.since + WINDOW_MS - this.#now()) / 1_000);
    return 0;
  }

  #begin(address: string): void {
    const [oldest] = this.#failures.size < MOST_ADDRESSES ? [] : this.#failures.keys();
    if (oldest !== undefined) this.#failures.delete(oldest);
    this.#failures.set(address, { since: this.#now(), count: 1 });
  }

  #current(address: string): Failures | null {
    const failures = this.#failures.get(address);
    if (failures === undefined) return null;
    if (failures.since + WINDOW_MS > this.#now()) return failures;
    this.#failures.delete(address);
    return null;
  }
}

/** The context of a request, for handlers: the server's side of it, and the person asking. */
export interface SignedIn {
  readonly Bindings: Partial<HttpBindings>;
  readonly Variables: { person: Person };
}

const NEW_LINK = 'Open your link again, or ask for a new one.';

function tokenOf(c: Context<SignedIn>): string {
  const token = bearerToken(c);
  if (token !== null) return token;
  throw new ApiError('no-token', 'a personal link is needed', { fix: NEW_LINK });
}

function wrongToken(waitSeconds: number): ApiError {
  if (waitSeconds === 0) return new ApiError('bad-token', 'this link is not valid, or not any more', { fix: NEW_LINK });
  return new ApiError('too-many', 'too many wrong links were tried', {
    fix: `Try again in ${waitSeconds} seconds.`,
    headers: { 'Retry-After': String(waitSeconds) },
  });
}

/** Lets through who has a token of the project, and says who it is. */
export function requireSignIn(project: AnnotationProject, failed: FailedSignIns): MiddlewareHandler<SignedIn> {
  return async (c, next) => {
    const token = tokenOf(c);
    const person = project.personByToken(token);
    if (person === null) throw wrongToken(failed.fail(c.env.incoming?.socket.remoteAddress ?? ''));
    c.set('person', person);
    await next();
  };
}

/** @throws ApiError for annotators: other people's answers are for reviewers. */
export const requireReviewer: MiddlewareHandler<SignedIn> = async (c, next) => {
  if (c.get('person').role !== 'reviewer')
    throw new ApiError('forbidden', 'only reviewers see the answers of others', {
      fix: 'Ask whoever runs the project to make you a reviewer.',
    });
  await next();
};
