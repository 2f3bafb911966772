import { DownloadError, type ErrorDetails } from '../errors.js';
import { shownUrl } from './http-url.js';

/**
 * Milliseconds that a `Retry-After` header asks to wait, in seconds or as an HTTP date (RFC 9110 §10.2.3); null without
 * a readable one. A date is counted from the answer's own `Date`, as clocks differ, else from `now` (epoch milliseconds).
 */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (value === '') return null;
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return Math.ceil(Number(value) * 1_000);
  const until = Date.parse(value);
  if (Number.isNaN(until)) return null;
  const sent = Date.parse(headers.get('date') ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
}

/**
 * The faults of a request: no answer, half of one, none in time, one that may be another soon; nobody there, and nobody
 * ever was; an answer that stays.
 */
export type HttpErrorKind = 'unreachable' | 'cut' | 'late' | 'busy' | 'absent' | 'refused';

interface HttpErrorDetails extends Omit<ErrorDetails, 'where'> {
  readonly url: string;
  readonly kind?: HttpErrorKind;
  readonly status?: number;
  readonly waitMs?: number | null;
}

/** A request that brought no answer, or one that is a failure. */
export class HttpError extends DownloadError {
  readonly kind: HttpErrorKind;
  /** Null without an answer. */
  readonly status: number | null;
  /** How long the service asks to wait; null where it does not say. */
  readonly waitMs: number | null;

  constructor(message: string, details: HttpErrorDetails) {
    const { url, kind = 'refused', status = null, waitMs = null, ...rest } = details;
    super(message, { ...rest, where: { id: shownUrl(url) } });
    [this.kind, this.status, this.waitMs] = [kind, status, waitMs];
  }

  /** True if another try may do better. */
  get passes(): boolean {
    return this.kind !== 'refused' && this.kind !== 'absent';
  }
}

/** The message for a status, with a remedy. */
export interface Refusal {
  readonly message: string;
  readonly fix: string;
}

/**
 * Checks whether a status may be another one soon: a timeout, a conflict, too many requests, a fault of the server's
 * own.
 */
export function passes(status: number): boolean {
  return [408, 409, 425, 429].includes(status) || status >= 500;
}

/** The error of a connection that ended in the middle of an answer. */
export function cutOff(url: string, cause: unknown): HttpError {
  const fix = 'Run the same command again: it goes on where it stopped.';
  return new HttpError('the connection was cut', { url, kind: 'cut', fix, cause });
}

/** The error of a status that passes; `waitMs` is what the service asks to wait, null where it does not say. */
export function passingStatus(status: number, url: string, waitMs: number | null): HttpError {
  const message = status === 429 ? 'the service has had too many requests (429)' : `the service answers ${status}`;
  const wait = waitMs === null ? 'later' : `in ${Math.ceil(waitMs / 1000)} s`;
  const fix = `Run the same command again ${wait}: it goes on where it stopped.`;
  return new HttpError(message, { url, kind: 'busy', status, waitMs, fix });
}

/**
 * The error of a proxy that wants to know who asks. `proxy` is its address, of which only the host is shown: it may
 * hold a password; null for a proxy that no variable names.
 */
export function refusalOfProxy(url: string, proxy: string | null): HttpError {
  const { host, username, password } = proxy === null ? { host: '', username: '', password: '' } : new URL(proxy);
  const named = host === '' ? 'a proxy' : `the proxy ${host}`;
  const variables = 'the variable that names the proxy (HTTPS_PROXY, HTTP_PROXY or ALL_PROXY)';
  const [asked, fix] =
    username !== '' && password !== ''
      ? ['does not accept the', `Check them in ${variables}; they are sent by Basic authentication alone.`]
      : ['wants a', `Give them in ${variables}: http://user:password@host:port.`];
  return new HttpError(`${named} ${asked} user and password (407)`, { url, status: 407, fix });
}
