import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { type Endpoint, withoutSecrets } from './endpoint-settings.js';
import { retryAfterMs } from '../run/retry-after.js';
import type { VictimFailureKind } from './victim.js';

/** A model's answer. */
export interface ChatReply {
  readonly kind: 'reply';
  readonly content: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** A call that gave no answer. */
export interface ChatFault {
  readonly kind: 'fault';
  readonly failure: VictimFailureKind;
  readonly message: string;
  /** Whether another call may do better. */
  readonly retry: boolean;
  /** Set where the service rejects the request, because of this question or because of what all have in common. */
  readonly rejection: ConfigError | null;
  /** What the service asks to wait; null where it does not say. */
  readonly waitMs: number | null;
  /** The model's words where it has answered, but not with SQL. */
  readonly raw: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** An answer longer than this many bytes is none. */
const MAX_BODY = 16 << 20;
/** Characters of a foreign message that are shown. */
const SHOWN = 300;

const errorFormat = z.union([
  z.string().transform((message) => ({ message, code: null, type: null })),
  z.looseObject({
    message: z.string().nullish(),
    code: z.union([z.string(), z.number()]).nullish(),
    type: z.string().nullish(),
  }),
]);
const contentFormat = z.union([
  z.string(),
  z.array(z.looseObject({ text: z.string().nullish() })).transform((parts) => parts.map((p) => p.text ?? '').join('')),
]);
const replyFormat = z.looseObject({
  choices: z.array(
    z.looseObject({
      finish_reason: z.string().nullish(),
      message: z.looseObject({ content: contentFormat.nullish(), refusal: z.string().nullish() }),
    }),
  ),
  usage: z
    .looseObject({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() })
    .nullish()
    .catch(null),
});
const errorReplyFormat = z.looseObject({ error: errorFormat });

interface ServiceError {
  readonly message: string;
  readonly code: string;
}

function fault(failure: VictimFailureKind, message: string, more: Partial<ChatFault> = {}): ChatFault {
  const none = { rejection: null, raw: '', promptTokens: 0, completionTokens: 0 };
  return { kind: 'fault', failure, message, retry: true, waitMs: null, ...none, ...more };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorIn(json: unknown): ServiceError | null {
  const found = errorReplyFormat.safeParse(json).data?.error;
  if (found === undefined) return null;
  const code = found.code ?? found.type ?? '';
  return { message: (found.message ?? '').slice(0, SHOWN), code: String(code) };
}

function excerpt(body: string): string {
  const line = body.replaceAll(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

const TOO_LONG =
  /context_length_exceeded|context length|maximum context|too many tokens|prompt is too long|reduce the length of the messages|inputs tokens \+ max_new_tokens must be|`inputs` tokens \+ `max_new_tokens` must be/i;
const FILTERED = /content_filter|content_policy_violation|ResponsibleAI/i;

const FIXES: Readonly<Record<number, string>> = {
  400: 'Check the model’s name and the parameters; a model that refuses "temperature" wants none.',
  402: 'The account has no credit left; nothing is lost, resume when it has.',
  404: 'Check the base URL and the model’s name.',
};
const ACCESS_FIX = 'Check the environment variable that holds the key, and that the key may use the model.';
const OTHER_FIX = 'Check the base URL, the model and the parameters.';
const QUOTA = /insufficient_quota|billing/i;

function refusal(status: number, said: string, { shownUrl }: Endpoint): ConfigError {
  const fix = status === 401 || status === 403 ? ACCESS_FIX : (FIXES[status] ?? OTHER_FIX);
  return new ConfigError(`${shownUrl} answered with status ${status}${said === '' ? '' : `: ${said}`}`, { fix });
}

/** Client errors that may be due to what is asked. */
const REJECTING = new Set([400, 413, 422]);
/** Client errors that pass: request timeout, conflict, too early, too many requests. */
const PASSING = new Set([408, 409, 425, 429]);

/**
 * What a status other than success means.
 * @throws ConfigError for one that says that no other request can succeed either
 */
function judgeStatus(status: number, body: string, headers: Headers, endpoint: Endpoint): ChatFault {
  const error = errorIn(parsed(body));
  const said = withoutSecrets(error?.message ?? excerpt(body), endpoint);
  const text = `${error?.code ?? ''} ${said}`;
  if (REJECTING.has(status)) {
    if (status === 413 || TOO_LONG.test(text)) return fault('too-long', said, { retry: false });
    if (FILTERED.test(text)) return fault('refused', said, { retry: false });
    const rejection = refusal(status, said, endpoint);
    return fault('refused', `status ${status}: ${said}`, { retry: false, rejection });
  }
  const passes = PASSING.has(status) || status >= 500;
  if (!passes || (status === 429 && QUOTA.test(error?.code ?? ''))) {
    throw refusal(QUOTA.test(error?.code ?? '') ? 402 : status, said, endpoint);
  }
  const waitMs = retryAfterMs(headers, Date.now());
  const asks = waitMs === null ? '' : ` (asks to wait ${Math.ceil(waitMs / 1000)} s)`;
  return fault(status === 429 ? 'rate-limited' : 'server-error', `status ${status}${asks}: ${said}`, { waitMs });
}

/** An error under status 200: some services put the real status into its code. */
function judgeError(error: ServiceError, headers: Headers, endpoint: Endpoint): ChatFault {
  const status = Number(error.code);
  const body = JSON.stringify({ error });
  if (Number.isInteger(status) && status >= 400 && status <= 599) return judgeStatus(status, body, headers, endpoint);
  return fault('error-reply', `an error under status 200: ${withoutSecrets(error.message, endpoint)}`);
}

function judgeReply(json: unknown): ChatReply | ChatFault {
  const reply = replyFormat.safeParse(json).data;
  if (reply === undefined) return fault('bad-reply', 'the answer is no chat completion');
  const [choice] = reply.choices;
  if (choice === undefined) return fault('bad-reply', 'the answer has no choices');
  const content = choice.message.content ?? '';
  const tokens = {
    promptTokens: reply.usage?.prompt_tokens ?? 0,
    completionTokens: reply.usage?.completion_tokens ?? 0,
  };
  const settled = { ...tokens, raw: content, retry: false };
  const { refusal: refused } = choice.message;
  if (typeof refused === 'string' && refused !== '') return fault('refused', excerpt(refused), settled);
  if (choice.finish_reason === 'content_filter') return fault('refused', 'a content filter ended the answer', settled);
  if (choice.finish_reason === 'length') {
    return fault('cut-off', 'the answer ended at its limit of tokens', settled);
  }
  if (content.trim() === '') return fault('empty', 'the answer is empty', settled);
  return { kind: 'reply', content, ...tokens };
}

/** The body as text, of limited size. */
async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BODY) throw new Error('the answer is longer than 16 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function judge(response: Response, body: string, endpoint: Endpoint): ChatReply | ChatFault {
  const { status, headers } = response;
  if (!response.ok) return judgeStatus(status, body, headers, endpoint);
  const json = parsed(body);
  const error = errorIn(json);
  if (error !== null) return judgeError(error, headers, endpoint);
  if (json === undefined) {
    return fault('bad-reply', `the answer is not JSON: ${withoutSecrets(excerpt(body), endpoint)}`);
  }
  return judgeReply(json);
}

/**
 * One call of a chat endpoint.
 * @throws ConfigError when the service refuses the key or the model: no other call can succeed
 * @throws the signal's reason when aborted
 */
export async function callChat(endpoint: Endpoint, body: string, signal: AbortSignal): Promise<ChatReply | ChatFault> {
  const { timeoutMs } = endpoint.settings;
  const stop = new AbortController();
  const leave = (): void => stop.abort();
  signal.throwIfAborted();
  signal.addEventListener('abort', leave, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop.abort();
  }, timeoutMs);
  try {
    const request = {
      method: 'POST',
      headers: endpoint.headers,
      body,
      redirect: 'manual',
      signal: stop.signal,
    } as const;
    const response = await fetch(endpoint.url, request);
    return judge(response, await readBody(response), endpoint);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConfigError) throw error;
    if (isLate) return fault('timeout', `no answer within ${timeoutMs / 1000} s`);
    return fault('connection', withoutSecrets(causeOf(error), endpoint));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
}
