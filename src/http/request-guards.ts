import type { Context, MiddlewareHandler } from 'hono';
import { ApiError } from './api-error.js';

const READING = new Set(['GET', 'HEAD']);

/** Headers of every answer, errors too; `policy` is the Content-Security-Policy, by directives. */
export function sendSecurityHeaders(policy: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    await next();
    c.header('Content-Security-Policy', policy.join('; '));
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
  };
}

/** For answers that belong to one person and to this moment. */
export const forbidStoring: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-store');
};

/** The token that a request brings in `Authorization: Bearer`; null without a readable one. */
export function bearerToken(c: Context): string | null {
  return /^Bearer ([\w-]{1,256})$/.exec(c.req.header('authorization') ?? '')?.[1] ?? null;
}

function hostOf(c: Context): URL | null {
  const host = c.req.header('host') ?? '';
  // A host alone: whatever could turn it into a longer address is none.
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null;
}

/**
 * Answers only to the names under which this server is known. Else a foreign page could point its own name at this
 * machine (DNS rebinding) and would then be of one origin with the server. `command` is what printed the link.
 */
export function requireHost(hosts: ReadonlySet<string>, command: string): MiddlewareHandler {
  return async (c, next) => {
    const host = hostOf(c);
    if (host === null || !hosts.has(host.hostname))
      throw new ApiError('bad-host', 'this server does not answer to that host name', {
        fix: `Open the link that \`${command}\` printed.`,
      });
    await next();
  };
}

/** Checks whether a request comes from a page of this server, or from a program, which sends no Origin. */
function isOwnOrigin(c: Context): boolean {
  const origin = c.req.header('origin');
  if (origin === undefined) return true;
  return origin !== 'null' && URL.canParse(origin) && new URL(origin).host === hostOf(c)?.host;
}

/** A write that a browser sends for another page is refused; a program that sends no Origin needs the token alone. */
export const requireOwnOrigin: MiddlewareHandler = async (c, next) => {
  if (!READING.has(c.req.method) && !isOwnOrigin(c))
    throw new ApiError('bad-origin', 'another page may not write here', {
      fix: 'Use the page that this server sends.',
    });
  await next();
};

/** Refuses whatever is not reading, and reading that a browser does for another page. */
export const requireOwnReading: MiddlewareHandler = async (c, next) => {
  if (!READING.has(c.req.method)) throw new ApiError('forbidden', 'this server only reads');
  if (!isOwnOrigin(c)) throw new ApiError('bad-origin', 'another page may not read here');
  await next();
};
