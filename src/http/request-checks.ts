import type { Context, MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { ApiError } from './api-error.js';
import { faultSentence, shapeFault } from '../shape-fault.js';

const KB = 1024;
const FIX = 'Correct it, and send the request again.';

/** A number of bytes in the larger unit that fits. */
const shown = (bytes: number): string =>
  bytes < KB * KB ? `${Math.floor(bytes / KB)} KB` : `${Math.floor(bytes / KB / KB)} MB`;

/** The body as far as the cap: what has no stated length is counted while it comes. */
async function readText(c: Context, largest: number): Promise<string> {
  const tooLarge = (): ApiError => new ApiError('too-large', `a request holds at most ${shown(largest)}`);
  if (Number(c.req.header('content-length') ?? 0) > largest) throw tooLarge();
  const parts: Uint8Array[] = [];
  let size = 0;
  const body = (c.req.raw.body ?? []) as AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  for await (const part of body) {
    size += part.length;
    if (size > largest) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('bad-request', 'the body is no JSON', { fix: FIX });
  }
}

/**
 * The body of a request as JSON, of at most so many bytes.
 * @throws ApiError where the body is too large, or naming the field that is wrong
 */
export async function readBody<S extends z.ZodType>(c: Context, schema: S, largest: number): Promise<z.infer<S>> {
  const body = parseBody(await readText(c, largest));
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiError('bad-request', faultSentence(shapeFault(parsed.error, body), 'the body'), { fix: FIX });
}

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
