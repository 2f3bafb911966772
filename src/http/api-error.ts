import type { Context } from 'hono';

/** The possible errors of a request, and their status. */
const STATUS = {
  'bad-request': 400,
  'no-token': 401,
  'bad-token': 401,
  'bad-host': 403,
  'bad-origin': 403,
  forbidden: 403,
  'not-qualified': 403,
  'not-found': 404,
  stale: 409,
  'too-large': 413,
  'too-many': 429,
  internal: 500,
  busy: 503,
} as const;
export type ApiErrorCode = keyof typeof STATUS;

/** Refuses a request; the app answers with its code, message and fix as JSON. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly fix: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ApiErrorCode,
    message: string,
    details: { readonly fix?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.fix = details.fix;
    this.headers = details.headers ?? {};
  }
}

/** An error as every route sends it: `{error: {code, message, fix?}}`, with what else belongs to it. */
export function sendError(c: Context, error: ApiError, more: Readonly<Record<string, unknown>> = {}): Response {
  const { code, message, fix, headers } = error;
  return c.json({ error: { code, message, ...(fix === undefined ? {} : { fix }) }, ...more }, STATUS[code], headers);
}
