import type { Context, MiddlewareHandler } from 'hono';
import { ApiError } from './api-error.js';

/** Only the page's own files, no inline script or style, no frame around it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const READING = new Set(['GET', 'HEAD']);

/** Headers of every answer, errors too. */
export const sendSecurityHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Referrer-Policy', 'no-referrer');
};

/** What the API says belongs to one person and to this moment. */
export const forbidStoring: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-store');
};

function hostOf(c: Context): URL | null {
  const host = c.req.header('host') ?? '';
  // A host alone: whatever could turn it into a longer address is none.
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null;
}

/**
 * Answers only to the names under which this server is known. Else a foreign page could point its own name at this
 * machine (DNS rebinding) and would then be of one origin with the server.
 */
export function requireHost(hosts: ReadonlySet<string>): MiddlewareHandler {
  return async (c, next) => {
    const host = hostOf(c);
    if (host === null || !hosts.has(host.hostname))
      throw new ApiError('bad-host', 'this server does not answer to that host name', {
        fix: 'Open the link that `perturbql annotate serve` printed.',
      });
    await next();
  };
}

/** A write that a browser sends for another page is refused; a program that sends no Origin needs the token alone. */
export const requireOwnOrigin: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header('origin');
  const isOwn =
    origin === undefined || (URL.canParse(origin) && new URL(origin).host === hostOf(c)?.host && origin !== 'null');
  if (!READING.has(c.req.method) && !isOwn)
    throw new ApiError('bad-origin', 'another page may not write here', {
      fix: 'Use the page that this server sends.',
    });
  await next();
};
