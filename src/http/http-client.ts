import { pipeline, type Readable } from 'node:stream';
import { createUnzip } from 'node:zlib';
import { setTimeout } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { cutOff, HttpError, passes, passingStatus, type Refusal, refusalOfProxy, retryAfterMs } from './http-error.js';
import { readHttpUrl } from './http-url.js';
import { proxyFor, proxySecrets } from './proxy.js';
import { createSecretMask } from './secret-mask.js';

/** Waits; rejects with the signal's reason on abort. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Longer answers are refused. */
const MOST_BYTES = 16 << 20;

/** Some services compress though they are asked not to. How that ends is told to who reads what comes out. */
function unpacked(body: Readable, headers: Headers): Readable {
  const isPacked = /gzip|deflate/i.test(headers.get('content-encoding') ?? '');
  return isPacked ? pipeline(body, createUnzip(), () => undefined) : body;
}

/**
 * The whole text of an answer from an address.
 * @throws HttpError when it is cut off, or longer than 16 MB
 */
async function readText(body: Readable, headers: Headers, url: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // Left in the middle, a stream may still fail.
    for await (const chunk of unpacked(body, headers).on('error', () => undefined)) {
      chunks.push(chunk as Buffer);
      if ((length += (chunk as Buffer).length) > MOST_BYTES) break;
    }
  } catch (cause) {
    throw cutOff(url, cause);
  }
  if (length <= MOST_BYTES) return Buffer.concat(chunks).toString('utf8');
  const fix = 'Check the address: no answer that is meant for us is that long.';
  throw new HttpError('the answer is longer than 16 MB', { url, kind: 'cut', fix });
}

/** A request; without a body and method it is a GET. */
export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** In place of the client's. */
  readonly signal?: AbortSignal;
}

interface AnswerHead {
  readonly status: number;
  readonly headers: Headers;
  /** Where redirects led. */
  readonly url: string;
}

/** An answer whose body is the reader's to read or to discard. */
export interface HttpAnswer extends AnswerHead {
  /** Headers of the answers that redirected here, and of this one. */
  readonly trail: readonly Headers[];
  readonly body: Readable;
}

/** An answer that was read, without the client's secrets, even where the service repeats them. */
export interface HttpText extends AnswerHead {
  readonly text: string;
  /** @throws SyntaxError when the text is no JSON */
  readonly json: () => unknown;
}

export interface HttpClientOptions {
  /** Headers that say who asks: sent to this origin only, never to where it redirects; always secret. */
  readonly credentials?: { readonly origin: string; readonly headers: Readonly<Record<string, string>> } | null;
  /** Other possible secrets; not masked in the answer to a request that says them itself. */
  readonly secrets?: readonly string[];
  /** Where proxies are named. */
  readonly environment?: NodeJS.ProcessEnv;
  /** First pause before another try, doubled with each; in milliseconds. */
  readonly pauseMs?: number;
  /** Tries in a row that bring nothing. */
  readonly tries?: number;
  /** Milliseconds for a whole answer; otherwise one may take any time while bytes come. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Hears of each pause. */
  readonly onPause?: (line: string) => void;
  /** Returns the service's meaning of a status that refuses, or null if it has none of its own. */
  readonly refusal?: (status: number, headers: Headers) => Refusal | null;
  /** The alternative if the service can't be reached. */
  readonly otherwise?: string;
}

const MOST_REDIRECTS = 6;
const MOST_TRIES = 6;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Longer waits are told, not slept through. */
const LONGEST_ASKED_PAUSE_MS = 300_000;
const IDLE_MS = 30_000;
/** How undici tells that a proxy wants to know who asks: of a tunnel and of a plain request; it gives no status. */
const PROXY_ASKS = /\(407\)/;
/** Nobody listens there, or no host has this name. */
const ABSENT = /^(?:ECONNREFUSED|ENOTFOUND)$/;
const CERTIFICATE = /certificate|self.signed|CERT_|UNABLE_TO_/i;

type Agents = Pick<typeof import('undici'), 'Agent' | 'ProxyAgent'>;

function toHeaders(raw: Dispatcher.ResponseData['headers']): Headers {
  const pairs = Object.entries(raw).flatMap(([name, value]) => [value ?? ''].flat().map((one) => ({ name, one })));
  return new Headers(pairs.map(({ name, one }): [string, string] => [name, one]));
}

/** Ends an answer that is not read; undici tells the end of a body that nobody listens to as an uncaught error. */
export function discard(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}

/**
 * Requests with redirects, proxies, time limits, patience, and secrets that no answer brings back. undici's ProxyAgent
 * serves; its EnvHttpProxyAgent knows neither ALL_PROXY nor subdomains of NO_PROXY, its RetryAgent neither dates of
 * Retry-After nor how to stop while it waits, its redirects carry keys in headers of other names to other hosts.
 */
export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #agents = new Map<string | null, Dispatcher>();
  readonly #signal: AbortSignal;
  /** True if anybody has answered yet: then one who is not there may come back, else the address is likely wrong. */
  #hasAnswer = false;

  constructor(options: HttpClientOptions = {}) {
    this.#options = options;
    this.#signal = options.signal ?? new AbortController().signal;
  }

  /** Closes what is open. */
  async close(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  /**
   * One try of a GET or HEAD; the answer's status is 200, 206 or 416.
   * @throws HttpError when there is no such answer
   */
  async open(url: string, request: HttpRequest = {}): Promise<HttpAnswer> {
    return this.#checked(await this.#send(url, request));
  }

  /**
   * One try of a request, and the whole text of the answer, whatever its status.
   * @throws HttpError when there is none, none in time, or one of more than 16 MB; the signal's reason when aborted
   */
  async ask(url: string, request: HttpRequest = {}): Promise<HttpText> {
    const { timeoutMs } = this.#options;
    const { signal = this.#signal } = request;
    const limit = timeoutMs === undefined ? null : AbortSignal.timeout(Math.ceil(timeoutMs));
    const within = limit === null ? signal : AbortSignal.any([signal, limit]);
    try {
      const { status, headers, url: at, body } = await this.#send(url, { ...request, signal: within });
      const text = await readText(body, headers, at);
      const mask = this.#maskFor(new URL(at), request.body);
      return { status, headers, url: at, text: mask.text(text), json: () => mask.json(text) };
    } catch (error) {
      signal.throwIfAborted();
      if (timeoutMs === undefined || limit?.aborted !== true) throw error;
      const fix = 'Try again later, or allow more time.';
      throw new HttpError(`no answer within ${timeoutMs / 1000} s`, { url, kind: 'late', fix });
    }
  }

  /**
   * One try of a GET, and the whole text of the answer.
   * @throws HttpError when its status is no success, and as {@link ask}
   */
  async get(url: string, request: HttpRequest = {}): Promise<HttpText> {
    return this.#checked(await this.ask(url, { headers: { accept: 'application/json' }, ...request }));
  }

  /** As {@link get}, with patience. */
  async text(url: string, request: HttpRequest = {}): Promise<HttpText> {
    return this.persist(() => this.get(url, request), request.signal);
  }

  /**
   * Tries again after failures that pass; a try that `hasProgressed` since the one before is not counted against it.
   * @throws HttpError the last failure, or one after which the service wants more than five minutes' rest
   */
  async persist<T>(attempt: () => Promise<T>, signal = this.#signal, hasProgressed = () => false): Promise<T> {
    const { pauseMs = FIRST_PAUSE_MS, tries: most = MOST_TRIES, onPause } = this.#options;
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted();
      try {
        return await attempt();
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof HttpError) || !error.passes) throw error;
        if (hasProgressed()) tries = 1;
        const ms = error.waitMs ?? Math.min(pauseMs * 2 ** (tries - 1), LONGEST_PAUSE_MS);
        if (tries >= most || ms > LONGEST_ASKED_PAUSE_MS) throw error;
        onPause?.(`${error.message}; trying again in ${Math.ceil(ms / 1000)} s`);
        await pause(ms, signal);
      }
    }
  }

  /** An answer of any status. What is posted is not sent on to another address. */
  async #send(url: string, request: HttpRequest): Promise<HttpAnswer> {
    let at = new URL(url);
    const trail: Headers[] = [];
    for (let step = 0; step <= MOST_REDIRECTS; step++) {
      const answer = await this.#request(at, request);
      trail.push(answer.headers);
      const location = request.method === 'POST' ? null : answer.headers.get('location');
      if (answer.status < 300 || answer.status >= 400 || location === null) return { ...answer, url: at.href, trail };
      discard(answer.body);
      at = this.follow(at, location);
    }
    throw new HttpError('the service redirects without end', { url, fix: 'Check the address.' });
  }

  async #request(url: URL, request: HttpRequest): Promise<Pick<HttpAnswer, 'status' | 'headers' | 'body'>> {
    const { credentials, environment = process.env, timeoutMs } = this.#options;
    const { method = 'GET', headers, body = null, signal = this.#signal } = request;
    const proxy = proxyFor(url, environment);
    const known = credentials?.origin === url.origin ? credentials.headers : {};
    try {
      const undici = await import('undici');
      const answer = await undici.request(url, {
        method,
        body,
        signal,
        headers: { 'accept-encoding': 'identity', 'user-agent': 'perturbql', ...headers, ...known },
        dispatcher: this.#agentFor(proxy, undici),
        headersTimeout: timeoutMs === undefined ? IDLE_MS : 0,
        bodyTimeout: timeoutMs === undefined ? IDLE_MS : 0,
      });
      this.#hasAnswer = true;
      return { status: answer.statusCode, headers: toHeaders(answer.headers), body: answer.body };
    } catch (cause) {
      signal.throwIfAborted();
      throw this.#unanswered(url, proxy, cause);
    }
  }

  #agentFor(proxy: string | null, { Agent, ProxyAgent }: Agents): Dispatcher {
    const known = this.#agents.get(proxy);
    if (known !== undefined) return known;
    // A tunnel for https alone, as curl has it: many proxies refuse one to port 80.
    const agent = proxy === null ? new Agent() : new ProxyAgent({ uri: proxy, proxyTunnel: false });
    this.#agents.set(proxy, agent);
    return agent;
  }

  /** Returns the error for a request without an answer. */
  #unanswered(url: URL, proxy: string | null, thrown: unknown): HttpError {
    // Of a name with several addresses; by itself it has no message.
    const cause: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
    const { message: said, code = '' } = cause as NodeJS.ErrnoException;
    if (proxy !== null && PROXY_ASKS.test(said)) return refusalOfProxy(url.href, proxy);
    if (CERTIFICATE.test(`${code} ${said}`)) {
      const fix = 'Name your company’s root certificate in NODE_EXTRA_CA_CERTS.';
      return new HttpError('the service’s certificate is not trusted', { url: url.href, fix, cause });
    }
    const through = proxy === null ? '' : ` through the proxy ${new URL(proxy).host}`;
    const { otherwise = '' } = this.#options;
    const fix = `Check the address, the network, and HTTPS_PROXY and NO_PROXY${otherwise}.`;
    const message = `the service can’t be reached${through}`;
    const kind = !this.#hasAnswer && ABSENT.test(code) ? 'absent' : 'unreachable';
    return new HttpError(message, { url: url.href, kind, fix, cause });
  }

  /**
   * The answer, if its status is that of a success: 200, 206 or 416.
   * @throws HttpError for another status
   */
  #checked<A extends AnswerHead & { readonly body?: Readable }>(answer: A): A {
    const { status, headers, url, body } = answer;
    if (status === 200 || status === 206 || status === 416) return answer;
    if (body !== undefined) discard(body);
    if (passes(status)) throw passingStatus(status, url, retryAfterMs(headers, Date.now()));
    if (status === 407) throw refusalOfProxy(url, null);
    const message = `the service answers ${status}`;
    const fix = 'Check the address, the key if the service wants one, and the proxy if there is one.';
    const told = this.#options.refusal?.(status, headers) ?? { message, fix };
    throw new HttpError(told.message, { url, status, fix: told.fix });
  }

  /** Of what the client knows and `said` does not say. */
  #maskFor(url: URL, said = ''): ReturnType<typeof createSecretMask> {
    const { credentials, secrets = [], environment = process.env } = this.#options;
    const proxy = proxyFor(url, environment);
    return createSecretMask([
      ...Object.values(credentials?.headers ?? {}),
      ...secrets.filter((secret) => !said.includes(secret)),
      ...(proxy === null ? [] : proxySecrets(proxy)),
    ]);
  }

  /**
   * The address that a service sends its reader on to.
   * @throws HttpError when it is none, or leaves encryption behind.
   */
  follow(from: URL, location: string): URL {
    const to = readHttpUrl(location, from);
    if (to === null) {
      const told = this.#maskFor(from).text(location);
      throw new HttpError(`the service sends on to "${told}", which is no http address`, {
        url: from.href,
        fix: 'Check the address, and the proxy if there is one.',
      });
    }
    if (from.protocol === 'https:' && to.protocol !== 'https:') {
      throw new HttpError('the service redirects to an address without encryption', {
        url: to.href,
        fix: 'Check the address: a service that leaves encryption behind is not followed.',
      });
    }
    return to;
  }
}
