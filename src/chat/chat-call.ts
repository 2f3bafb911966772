import { z } from 'zod';
import { ConfigError } from '../errors.js';
import type { HttpText } from '../http/http-client.js';
import { HttpError, type HttpErrorKind, passes, retryAfterMs } from '../http/http-error.js';
import type { Endpoint } from './chat-endpoint.js';

/** A model's call of a tool, as it was written: it may be malformed. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, unless the model got it wrong. */
  readonly arguments: string;
}

/** The model's message with its calls, as it is sent back. */
export interface CallingMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly tool_calls: readonly {
    readonly id: string;
    readonly type: 'function';
    readonly function: Omit<ToolCall, 'id'>;
  }[];
}

/** The result of a tool call. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}

const callFormat = z
  .looseObject({
    id: z.string().min(1).nullish().catch(null),
    function: z
      .looseObject({ name: z.string().catch(''), arguments: z.unknown().optional() })
      .catch({ name: '', arguments: undefined }),
  })
  .catch({ id: null, function: { name: '', arguments: undefined } });

/** The calls in a message's `tool_calls`, whatever is wrong with each. */
function readToolCalls(calls: unknown): readonly ToolCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.map((call, i) => {
    const { id, function: called } = callFormat.parse(call);
    const given = called.arguments;
    const text = typeof given === 'string' ? given : (JSON.stringify(given) ?? '');
    return { id: id ?? `call_${i}`, name: called.name, arguments: text };
  });
}

/** The message that made calls. */
export function callingMessage(content: string, calls: readonly ToolCall[]): CallingMessage {
  const made = calls.map(({ id, ...called }) => ({ id, type: 'function' as const, function: called }));
  return { role: 'assistant', content, tool_calls: made };
}

/** Why a call gave no answer. */
export type ChatFailureKind =
  /** Calls or tokens were used up. */
  | 'budget'
  /** No answer in time. */
  | 'timeout'
  /** The answer is no chat completion. */
  | 'bad-reply'
  /** The service reports an error. */
  | 'error-reply'
  | 'rate-limited'
  | 'server-error'
  /** Refused, reset or cut connection. */
  | 'connection'
  /** The prompt exceeds what the model takes. */
  | 'too-long'
  /** The model or its content filter declined. */
  | 'refused'
  /** The answer ended at the limit of its length. */
  | 'cut-off'
  | 'empty';

/** A model's answer; one that calls tools has not answered yet. */
export interface ChatReply {
  readonly kind: 'reply';
  readonly content: string;
  /** Only where tools were offered and called. */
  readonly toolCalls?: readonly ToolCall[];
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** A call that gave no answer. */
export interface ChatFault {
  readonly kind: 'fault';
  readonly failure: ChatFailureKind;
  readonly message: string;
  /** True if another call may do better. */
  readonly retry: boolean;
  /** True if nobody is at the address, and nobody was there in any call before. */
  readonly isAbsent: boolean;
  /** Set where the service rejects the request, because of this prompt or because of what all have in common. */
  readonly rejection: ConfigError | null;
  /** Set where the answer is that of another kind of service: before any other answer no further call can do better. */
  readonly elsewhere: ConfigError | null;
  /** The wait that the service asks for; null if it gives none. */
  readonly waitMs: number | null;
  /** The model's words where it has answered, but not in full. */
  readonly raw: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Characters of a foreign message that are shown. */
const MAX_MESSAGE_LENGTH = 300;

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
      message: z.looseObject({
        content: contentFormat.nullish(),
        refusal: z.string().nullish(),
        tool_calls: z.unknown().optional(),
      }),
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

/** A fault that another call may not have, unless `more` says otherwise. */
export function fault(failure: ChatFailureKind, message: string, more: Partial<ChatFault> = {}): ChatFault {
  const none = { isAbsent: false, rejection: null, elsewhere: null, raw: '', promptTokens: 0, completionTokens: 0 };
  return { kind: 'fault', failure, message, retry: true, waitMs: null, ...none, ...more };
}

function parsed(answer: Pick<HttpText, 'json'>): unknown {
  try {
    return answer.json();
  } catch {
    return undefined;
  }
}

function errorIn(json: unknown): ServiceError | null {
  const found = errorReplyFormat.safeParse(json).data?.error;
  if (found === undefined) return null;
  const code = found.code ?? found.type ?? '';
  return { message: (found.message ?? '').slice(0, MAX_MESSAGE_LENGTH), code: String(code) };
}

function excerpt(body: string): string {
  const line = body.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_MESSAGE_LENGTH ? `${line.slice(0, MAX_MESSAGE_LENGTH)}…` : line;
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

/**
 * Returns the fault that a status other than success means.
 * @throws ConfigError for one that says that no other request can succeed either
 */
function judgeStatus(status: number, error: ServiceError, headers: Headers, endpoint: Endpoint): ChatFault {
  const { message: said, code } = error;
  const text = `${code} ${said}`;
  if (REJECTING.has(status)) {
    if (status === 413 || TOO_LONG.test(text)) return fault('too-long', said, { retry: false });
    if (FILTERED.test(text)) return fault('refused', said, { retry: false });
    const rejection = refusal(status, said, endpoint);
    return fault('refused', `status ${status}: ${said}`, { retry: false, rejection });
  }
  if (!passes(status) || (status === 429 && QUOTA.test(code))) {
    throw refusal(QUOTA.test(code) ? 402 : status, said, endpoint);
  }
  const waitMs = retryAfterMs(headers, Date.now());
  const asks = waitMs === null ? '' : ` (asks to wait ${Math.ceil(waitMs / 1000)} s)`;
  return fault(status === 429 ? 'rate-limited' : 'server-error', `status ${status}${asks}: ${said}`, { waitMs });
}

/** An error under status 200: some services put the real status into its code. */
function judgeError(error: ServiceError, headers: Headers, endpoint: Endpoint): ChatFault {
  const status = Number(error.code);
  if (Number.isInteger(status) && status >= 400 && status <= 599) return judgeStatus(status, error, headers, endpoint);
  return fault('error-reply', `an error under status 200: ${error.message}`);
}

/** Returns the error for an answer that is no chat service's, such as a web page: its status, type and first line. */
function otherService({ status, headers, text }: HttpText, { shownUrl }: Endpoint): ConfigError {
  const type = (headers.get('content-type') ?? '').replace(/;.*/su, '').trim();
  const first = excerpt(text.trim().split('\n', 1)[0] ?? '');
  return new ConfigError(
    `${shownUrl} is no chat service: status ${status}${type === '' ? '' : `, ${type}`}: ${first}`,
    { fix: 'Check the base URL: it is the root of an OpenAI-compatible service, such as https://host/v1.' },
  );
}

function judgeReply(json: unknown, offersTools: boolean, elsewhere: () => ConfigError): ChatReply | ChatFault {
  const reply = replyFormat.safeParse(json).data;
  if (reply === undefined) return fault('bad-reply', 'the answer is no chat completion', { elsewhere: elsewhere() });
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
  const toolCalls = offersTools ? readToolCalls(choice.message.tool_calls) : [];
  if (toolCalls.length > 0) return { kind: 'reply', content, toolCalls, ...tokens };
  if (content.trim() === '') return fault('empty', 'the answer is empty', settled);
  return { kind: 'reply', content, ...tokens };
}

/** How Node's own client begins the message of a call that got no answer, or half of one: as stored runs have it. */
const UNANSWERED: Partial<Record<HttpErrorKind, string>> = {
  unreachable: 'fetch failed: ',
  absent: 'fetch failed: ',
  cut: 'terminated: ',
};

/** Returns the fault for a call without an answer; without a cause, the error speaks for itself. */
function unanswered({ kind, message, cause }: HttpError): ChatFault {
  const told = cause instanceof Error ? `${UNANSWERED[kind] ?? ''}${cause.message}` : message;
  const isAbsent = kind === 'absent';
  return fault(kind === 'late' ? 'timeout' : 'connection', told, { retry: !isAbsent, isAbsent });
}

function judge(answer: HttpText, endpoint: Endpoint, offersTools: boolean): ChatReply | ChatFault {
  const { status, headers } = answer;
  const json = parsed(answer);
  const error = errorIn(json);
  if (status < 200 || status > 299) {
    return judgeStatus(status, error ?? { message: excerpt(answer.text), code: '' }, headers, endpoint);
  }
  if (error !== null) return judgeError(error, headers, endpoint);
  const elsewhere = (): ConfigError => otherService(answer, endpoint);
  if (json === undefined) {
    // What begins as JSON was cut off.
    const isCut = /^\s*[{[]/.test(answer.text) || answer.text.trim() === '';
    const message = `the answer is not JSON: ${excerpt(answer.text)}`;
    return fault('bad-reply', message, { elsewhere: isCut ? null : elsewhere() });
  }
  return judgeReply(json, offersTools, elsewhere);
}

/**
 * One call of a chat endpoint; `offersTools`: whether the body does, so that calls of them are read.
 * @throws ConfigError when the service refuses the key or the model, or the proxy its user: no other call can succeed
 * @throws the signal's reason when aborted
 */
export async function callChat(
  endpoint: Endpoint,
  body: string,
  offersTools: boolean,
  signal: AbortSignal,
): Promise<ChatReply | ChatFault> {
  const { client, url, headers } = endpoint;
  try {
    return judge(await client.ask(url, { method: 'POST', headers, body, signal }), endpoint, offersTools);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.passes || error.kind === 'absent') return unanswered(error);
    const { message, where, fix, cause } = error;
    throw new ConfigError(message, { where, fix, cause });
  }
}
