import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { DownloadError } from '../../errors.js';
import { retryAfterMs } from '../../run/retry-after.js';
import { refusalOf, refusalOfProxy, shownUrl } from './http-refusal.js';
import { followUrl } from './http-url.js';
import { proxyFor } from './proxy.js';

/** What a hub says of a file before it sends the reader on to where the bytes lie. */
interface LinkedFile {
  readonly etag: string | null;
  readonly bytes: number | null;
}

/** An answer with status 200, 206 or 416 whose body has not been read yet. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly url: string;
  readonly body: Readable;
  readonly linked: LinkedFile;
}

/** A failure that another try may not have. */
export class TransientError extends Error {
  readonly failure: DownloadError;
  /** How long the service asks to wait; null where it does not say. */
  readonly waitMs: number | null;

  constructor(failure: DownloadError, waitMs: number | null = null) {
    super(failure.message, { cause: failure });
    this.failure = failure;
    this.waitMs = waitMs;
  }
}

export interface HttpClientOptions {
  /** Sent to its own service only, never to where that one redirects. */
  readonly token?: { readonly value: string; readonly origin: string } | null;
  readonly environment?: NodeJS.ProcessEnv;
  /** First pause before another try, doubled with each; in milliseconds. */
  readonly pauseMs?: number;
  readonly signal: AbortSignal;
  /** Hears of each pause. */
  readonly onPause?: (line: string) => void;
}

const MOST_REDIRECTS = 6;
/** Tries in a row that bring nothing. */
const MOST_TRIES = 6;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Longer waits are told, not slept through. */
const LONGEST_ASKED_PAUSE_MS = 300_000;
const TIMEOUT_MS = 30_000;
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504, 520, 522, 524]);
/** How undici tells that a proxy wants to know who asks: of a tunnel and of a plain request; it gives no status. */
const PROXY_ASKS = /\(407\)/;
const CERTIFICATE = /certificate|self.signed|CERT_|UNABLE_TO_/i;

/** An etag in its bare form; null for none and for a weak one, which promises no equal bytes (RFC 9110 §8.8.1). */
function bareEtag(headers: Headers): string | null {
  const etag = headers.get('x-linked-etag') ?? headers.get('etag');
  return etag === null || etag.startsWith('W/') ? null : etag.replaceAll('"', '');
}

function toHeaders(raw: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  }
  return headers;
}

function linkedOf(headers: Headers): LinkedFile {
  const size = headers.get('x-linked-size');
  return { etag: bareEtag(headers), bytes: size === null ? null : Number(size) };
}

/** Ends an answer that is not read; undici tells the end of a body that nobody listens to as an uncaught error. */
export function discard(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}

/** GET with redirects, proxies, a token and patience. */
export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #agents = new Map<string | null, Dispatcher>();

  constructor(options: HttpClientOptions) {
    this.#options = options;
  }

  /** Closes what is open. */
  async close(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  /**
   * One try of a GET or HEAD; its body is the caller's to read or to destroy.
   * @throws DownloadError when another try would get the same answer; TransientError when it may not.
   */
  async open(
    url: string,
    headers: Readonly<Record<string, string>> = {},
    method: 'GET' | 'HEAD' = 'GET',
  ): Promise<HttpAnswer> {
    let at = new URL(url);
    let linked: LinkedFile = { etag: null, bytes: null };
    for (let step = 0; step <= MOST_REDIRECTS; step++) {
      const answer = await this.#request(at, headers, method);
      if (linked.etag === null) linked = linkedOf(answer.headers);
      const location = answer.headers.get('location');
      if (answer.status < 300 || answer.status >= 400 || location === null) {
        return this.#judge({ ...answer, url: at.href, linked });
      }
      discard(answer.body);
      at = followUrl(at, location);
    }
    throw new DownloadError('the service redirects without end', {
      where: { id: shownUrl(url) },
      fix: 'Check the address.',
    });
  }

  /**
   * The whole text of an answer, with patience.
   * @throws DownloadError when it can't be had.
   */
  async text(url: string): Promise<{ readonly text: string; readonly headers: Headers }> {
    return this.persist(async () => {
      const { body, headers } = await this.open(url, { accept: 'application/json' });
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of body) chunks.push(chunk as Buffer);
      } catch (cause) {
        throw new TransientError(this.#cutOff(url, cause));
      }
      return { text: Buffer.concat(chunks).toString('utf8'), headers };
    });
  }

  /** Tries again after transient failures; a try that `hasProgressed` since the one before is not counted against it. */
  async persist<T>(attempt: () => Promise<T>, hasProgressed: () => boolean = () => false): Promise<T> {
    const { signal, pauseMs = FIRST_PAUSE_MS, onPause } = this.#options;
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted();
      try {
        return await attempt();
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof TransientError)) throw error;
        if (hasProgressed()) tries = 1;
        const pause = error.waitMs ?? Math.min(pauseMs * 2 ** (tries - 1), LONGEST_PAUSE_MS);
        if (tries >= MOST_TRIES || pause > LONGEST_ASKED_PAUSE_MS) throw error.failure;
        onPause?.(`${error.message}; trying again in ${Math.ceil(pause / 1000)} s`);
        await sleep(pause, signal);
      }
    }
  }

  /** What a connection that ended in the middle is told as. */
  #cutOff(url: string, cause: unknown): DownloadError {
    return new DownloadError('the connection was cut', {
      where: { id: shownUrl(url) },
      fix: 'Run the same command again: it goes on where it stopped.',
      cause,
    });
  }

  async #request(
    url: URL,
    headers: Readonly<Record<string, string>>,
    method: 'GET' | 'HEAD',
  ): Promise<{ status: number; headers: Headers; body: Readable }> {
    const { token, signal, environment = process.env } = this.#options;
    const proxy = proxyFor(url, environment);
    const authorization =
      token != null && token.origin === url.origin ? { authorization: `Bearer ${token.value}` } : {};
    try {
      const { request } = await import('undici');
      const {
        statusCode,
        headers: raw,
        body,
      } = await request(url, {
        method,
        headers: { 'accept-encoding': 'identity', 'user-agent': 'perturbql', ...headers, ...authorization },
        dispatcher: await this.#agentFor(proxy),
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
        signal,
      });
      return { status: statusCode, headers: toHeaders(raw), body };
    } catch (cause) {
      signal.throwIfAborted();
      throw this.#unanswered(url, proxy, cause);
    }
  }

  /** What a request without an answer is told as. */
  #unanswered(url: URL, proxy: string | null, cause: unknown): Error {
    const { message, code = '' } = cause as NodeJS.ErrnoException;
    if (proxy !== null && PROXY_ASKS.test(message)) return refusalOfProxy(url.href, proxy);
    const where = { id: shownUrl(url.href) };
    if (CERTIFICATE.test(`${code} ${message}`)) {
      const fix = 'Name your company’s root certificate in NODE_EXTRA_CA_CERTS.';
      return new DownloadError('the service’s certificate is not trusted', { where, fix, cause });
    }
    const through = proxy === null ? '' : ` through the proxy ${new URL(proxy).host}`;
    const fix =
      'Check the address, the network, and HTTPS_PROXY and NO_PROXY; a model can also be pulled from a folder.';
    return new TransientError(new DownloadError(`the service can’t be reached${through}`, { where, fix, cause }));
  }

  async #agentFor(proxy: string | null): Promise<Dispatcher> {
    const known = this.#agents.get(proxy);
    if (known !== undefined) return known;
    const { Agent, ProxyAgent } = await import('undici');
    // A tunnel for https alone, as curl has it: many proxies refuse one to port 80.
    const agent = proxy === null ? new Agent() : new ProxyAgent({ uri: proxy, proxyTunnel: false });
    this.#agents.set(proxy, agent);
    return agent;
  }

  #judge(answer: HttpAnswer): HttpAnswer {
    const { status, url, headers } = answer;
    if (status === 200 || status === 206 || status === 416) return answer;
    discard(answer.body);
    if (!TRANSIENT.has(status)) {
      throw refusalOf(status, url, headers.get('x-error-code') ?? '', this.#options.token != null);
    }
    const waitMs = retryAfterMs(headers, Date.now());
    const message = status === 429 ? 'the service has had too many requests (429)' : `the service answers ${status}`;
    const wait = waitMs === null ? 'later' : `in ${Math.ceil(waitMs / 1000)} s`;
    const fix = `Run the same command again ${wait}: it goes on where it stopped.`;
    throw new TransientError(new DownloadError(message, { where: { id: shownUrl(url) }, fix }), waitMs);
  }
}

/** Resolves after a while; rejects with the signal's reason on abort. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
