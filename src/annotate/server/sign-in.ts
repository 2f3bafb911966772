import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Person } from '../annotation.js';
import type { AnnotationProject } from '../project/annotation-project.js';
import { ApiError } from '../../http/api-error.js';
import { bearerToken } from '../../http/request-guards.js';
import type { FailedSignIns } from './failed-sign-ins.js';

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
