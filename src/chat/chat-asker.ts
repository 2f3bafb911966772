import { dirname } from 'node:path';
import { z } from 'zod';
import type Sqlite from 'better-sqlite3';
import { causeText } from '../cause-text.js';
import { pause } from '../http/http-client.js';
import { sha256Of } from '../run/sha256.js';
import { createRng } from '../seeded-rng.js';
import type { StageContext } from '../stage.js';
import {
  CallBudget,
  type Endpoint,
  type EndpointSettings,
  fingerprintEndpoint,
  resolveEndpoint,
  type Spending,
} from './chat-endpoint.js';
import { callChat, type CallingMessage, type ChatFault, type ChatReply, fault, type ToolMessage } from './chat-call.js';
import { makeFolder } from '../run/output-place.js';
import { openConnection } from '../sql/execution/open-connection.js';
import { ConfigError } from '../errors.js';

/** The stored part of a model's answer. */
interface CachedReply {
  readonly content: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/**
 * Answers kept back before they are written in one transaction: a kill loses at most these, and the run's journal has
 * them.
 */
const WRITE_EVERY = 64;

/** Answers on disk by the sha256 of their requests. Several processes may share the file. */
class ResponseCache {
  readonly #database: Sqlite.Database;
  readonly #select: Sqlite.Statement<[Buffer], CachedReply>;
  readonly #insert: Sqlite.Statement<[Buffer, string, number, number]>;
  readonly #pending = new Map<string, CachedReply>();

  /** @throws ConfigError when the file can't be opened, or is none of ours */
  constructor(file: string) {
    try {
      makeFolder(dirname(file));
      this.#database = openConnection(file, { timeout: 30_000 });
      // As in ScoreCache: a rollback journal, so that a killed process leaves nothing to recover.
      this.#database.pragma('synchronous = NORMAL');
      this.#database.exec(
        `CREATE TABLE IF NOT EXISTS reply (key BLOB PRIMARY KEY, content TEXT NOT NULL,
         promptTokens INTEGER NOT NULL, completionTokens INTEGER NOT NULL) WITHOUT ROWID`,
      );
      this.#select = this.#database.prepare('SELECT content, promptTokens, completionTokens FROM reply WHERE key = ?');
      this.#insert = this.#database.prepare('INSERT OR IGNORE INTO reply VALUES (?, ?, ?, ?)');
    } catch (cause) {
      throw new ConfigError('the cache of answers can’t be used', {
        where: { file },
        cause,
        fix: 'Remove the file, or name another.',
      });
    }
  }

  /** The answer to the request with this sha256 (hex), or null. */
  get(key: string): CachedReply | null {
    return this.#pending.get(key) ?? this.#select.get(Buffer.from(key, 'hex')) ?? null;
  }

  put(key: string, reply: CachedReply): void {
    this.#pending.set(key, reply);
    if (this.#pending.size >= WRITE_EVERY) this.flush();
  }

  /** @throws ConfigError when the file can't be written; what was to be written is forgotten */
  flush(): void {
    if (this.#pending.size === 0) return;
    const replies = [...this.#pending];
    this.#pending.clear();
    try {
      this.#database.transaction(() => {
        for (const [key, { content, promptTokens, completionTokens }] of replies) {
          this.#insert.run(Buffer.from(key, 'hex'), content, promptTokens, completionTokens);
        }
      })();
    } catch (cause) {
      const where = { file: this.#database.name };
      throw new ConfigError('answers can’t be cached', { where, cause, fix: 'Look at the disk’s space and rights.' });
    }
  }

  close(): void {
    try {
      this.flush();
    } finally {
      this.#database.close();
    }
  }
}

const cachedFormat = z.object({
  content: z.string(),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).exactOptional(),
});

/** A reply to a request that offered tools, as it is cached: its calls are kept with its words. */
function forCache({ content, toolCalls, promptTokens, completionTokens }: ChatReply): CachedReply {
  return { content: JSON.stringify({ content, toolCalls }), promptTokens, completionTokens };
}

/** The reply that `forCache` was given. */
function fromCache({ content, ...tokens }: CachedReply): ChatReply {
  return { kind: 'reply', ...cachedFormat.parse(JSON.parse(content)), ...tokens };
}

/** A prompt for a chat model. */
export interface ChatPrompt {
  /** Null = no system message. */
  readonly system: string | null;
  readonly user: string;
  /** The messages that followed: the model's tool calls, and their results. */
  readonly further?: readonly (CallingMessage | ToolMessage)[];
  /** Tools that it may call, in the form of the service. */
  readonly tools?: readonly unknown[];
}

/** The result of asking one prompt. */
export interface Asked {
  readonly outcome: ChatReply | ChatFault;
  /** Requests made, retries among them. */
  readonly calls: number;
  /** True if the answer is an earlier one's. */
  readonly cached: boolean;
}

export interface AskingContext extends Pick<StageContext, 'signal' | 'emit'> {
  /** True if the model has answered in an earlier part of the run: then a failure is hardly due to how it is called. */
  readonly hasAnswered?: boolean;
}

interface ChatRequest {
  /** sha256 of the address and the body, hexadecimal. */
  readonly key: string;
  readonly body: string;
  readonly offersTools: boolean;
}

/** Where a service counts no tokens; a rule of thumb for English and code. */
export const CHARACTERS_PER_TOKEN = 4;

/** Characters of what a model is told first, for estimates. */
export function promptLength({ system, user }: ChatPrompt): number {
  return (system?.length ?? 0) + user.length;
}

/** A pause that is told of. */
const LONG_WAIT_MS = 3_000;

/** Items rejected in a row, before any answer, that say that the request is wrong for all. */
const REJECTED_ITEMS = 3;

/**
 * Asks a chat model behind an OpenAI-compatible endpoint. Faults that pass are retried with exponential backoff and as
 * `Retry-After` asks, for all prompts together; identical requests are sent once; answers are cached, failures never.
 */
export class ChatAsker {
  readonly #endpoint: Endpoint;
  readonly #cache: ResponseCache | null;
  readonly #budget: CallBudget;
  readonly #inFlight = new Map<string, Promise<Asked>>();
  #cacheFailed = false;
  /** No call before this time of `performance.now()`: the service has asked for a pause. */
  #resumeAt = 0;
  /** Items whose requests were rejected before any was answered. */
  readonly #rejectedItems = new Set<string>();
  #hasAnswered = false;

  /** @throws ConfigError when a setting is wrong, the key's variable is not set, or the cache can't be opened */
  constructor(settings: EndpointSettings, environment: NodeJS.ProcessEnv) {
    this.#endpoint = resolveEndpoint(settings, environment);
    const { cacheFile, budget } = this.#endpoint.settings;
    this.#cache = cacheFile === null ? null : new ResponseCache(cacheFile);
    this.#budget = new CallBudget(budget);
  }

  /** Calls and tokens so far. */
  get spent(): Spending {
    return this.#budget.spent;
  }

  /** Prompts sent side by side. */
  get concurrency(): number {
    return Math.floor(this.#endpoint.settings.concurrency);
  }

  /** The endpoint's address without what may be secret. */
  get shownUrl(): string {
    return this.#endpoint.shownUrl;
  }

  /** Returns everything answers depend on besides prompts; `prompt` is the sha256 of their source. */
  fingerprint(prompt: string): string {
    return fingerprintEndpoint(this.#endpoint, prompt);
  }

  /**
   * Asks once. `item` is what the prompt is about: prompts of one item tend to fail together.
   * @throws ConfigError when the service refuses the key or the model, or the first requests of three items, or the
   * first answer is none of a chat service
   */
  async ask(prompt: ChatPrompt, item: string, context: AskingContext): Promise<Asked> {
    const body = this.#bodyOf(prompt);
    const key = sha256Of(JSON.stringify([this.#endpoint.shownUrl, body]));
    const asked = await this.#askOnce({ key, body, offersTools: prompt.tools !== undefined }, context);
    this.#hasAnswered ||= context.hasAnswered === true || isAnswered(asked.outcome);
    return { ...asked, outcome: this.#doubt(item, asked.outcome) };
  }

  /** Writes what is left of the cache, and closes connections. */
  async dispose(): Promise<void> {
    await this.#endpoint.client.close();
    this.#cache?.close();
  }

  #bodyOf({ system, user, further = [], tools }: ChatPrompt): string {
    const { model, temperature, parameters } = this.#endpoint.settings;
    const messages = [
      ...(system === null ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: user },
      ...further,
    ];
    return JSON.stringify({
      ...(temperature === null ? {} : { temperature }),
      ...parameters,
      model,
      messages,
      stream: false,
      ...(tools === undefined ? {} : { tools }),
    });
  }

  /** One request is in flight once; who comes later shares the outcome. */
  async #askOnce(request: ChatRequest, context: AskingContext): Promise<Asked> {
    const { key, offersTools } = request;
    const known = this.#useCache(context, (cache) => cache.get(key));
    if (known !== null)
      return { outcome: offersTools ? fromCache(known) : { kind: 'reply', ...known }, calls: 0, cached: true };
    const running = this.#inFlight.get(key);
    if (running !== undefined) return { ...(await running), calls: 0, cached: true };
    const asked = this.#ask(request, context).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, asked);
    return asked;
  }

  async #ask({ key, body, offersTools }: ChatRequest, context: AskingContext): Promise<Asked> {
    const { maxAttempts } = this.#endpoint.settings;
    for (let calls = 1; ; calls++) {
      await this.#awaitPause(context.signal);
      if (!this.#budget.takeCall()) return { outcome: BUDGET_USED_UP, calls: calls - 1, cached: false };
      const outcome = await callChat(this.#endpoint, body, offersTools, context.signal);
      this.#spend(outcome, body);
      if (outcome.kind === 'fault' && outcome.elsewhere !== null && !this.#isAnswering(context))
        throw outcome.elsewhere;
      if (outcome.kind === 'reply') {
        this.#useCache(context, (cache) => cache.put(key, offersTools ? forCache(outcome) : outcome));
      }
      if (outcome.kind === 'reply' || !outcome.retry || calls >= maxAttempts) return { outcome, calls, cached: false };
      const waitMs = this.#waitMs(outcome, key, calls);
      if (waitMs === null) return { outcome, calls, cached: false };
      if (waitMs >= LONG_WAIT_MS) context.emit({ kind: 'warning', message: this.#waitingFor(outcome) });
      context.emit({ kind: 'count', name: `calls repeated after ${outcome.failure}`, by: 1 });
      await pause(waitMs, context.signal);
    }
  }

  /** Checks whether it is known to be a chat service. */
  #isAnswering({ hasAnswered }: AskingContext): boolean {
    return this.#hasAnswered || hasAnswered === true;
  }

  #waitingFor({ message }: ChatFault): string {
    return `${this.shownUrl} gives no answer yet and is asked again: ${message}`;
  }

  async #awaitPause(signal: AbortSignal): Promise<void> {
    for (let ms = this.#resumeAt - performance.now(); ms > 0; ms = this.#resumeAt - performance.now()) {
      await pause(Math.ceil(ms), signal);
    }
  }

  #spend(outcome: ChatReply | ChatFault, body: string): void {
    const counted = outcome.promptTokens + outcome.completionTokens;
    const words = outcome.kind === 'reply' ? outcome.content : outcome.raw;
    const isUncounted = counted === 0 && words !== '';
    this.#budget.spendTokens(isUncounted ? Math.ceil((body.length + words.length) / CHARACTERS_PER_TOKEN) : counted);
  }

  /** Milliseconds before the next call; null when the service asks for more than is waited. */
  #waitMs({ waitMs }: ChatFault, key: string, calls: number): number | null {
    const { backoffMs, maxWaitMs } = this.#endpoint.settings;
    // Half of it by chance, so that calls that failed together don't come again together.
    const share = 0.5 + createRng(calls, key).next() / 2;
    const backoff = Math.min(maxWaitMs, backoffMs * 2 ** (calls - 1) * share);
    if (waitMs === null) return backoff;
    if (waitMs > maxWaitMs) return null;
    this.#resumeAt = Math.max(this.#resumeAt, performance.now() + waitMs);
    return Math.max(waitMs, backoff);
  }

  /** A cache that fails on the way costs calls, not the run. */
  #useCache<T>(context: AskingContext, use: (cache: ResponseCache) => T): T | null {
    if (this.#cache === null || this.#cacheFailed) return null;
    try {
      return use(this.#cache);
    } catch (error) {
      this.#cacheFailed = true;
      context.emit({ kind: 'warning', message: `answers are not cached any more: ${causeText(error)}` });
      return null;
    }
  }

  /**
   * Where nothing was answered yet, a rejected request may be wrong in what all have in common: it is to be asked again
   * when others have shown that it is not.
   */
  #doubt(item: string, outcome: ChatReply | ChatFault): ChatReply | ChatFault {
    if (this.#hasAnswered || outcome.kind === 'reply' || outcome.rejection === null) return outcome;
    this.#rejectedItems.add(item);
    if (this.#rejectedItems.size >= REJECTED_ITEMS) throw outcome.rejection;
    return { ...outcome, failure: 'error-reply' };
  }
}

/** Checks whether the model has had its say, be it cut off or empty. */
function isAnswered(outcome: ChatReply | ChatFault): boolean {
  return outcome.kind === 'reply' || outcome.failure === 'cut-off' || outcome.failure === 'empty';
}

const BUDGET_USED_UP = fault('budget', 'the budget of calls or tokens is used up', { retry: false });

/** A prompt for a model outside this process. */
export interface ToldPrompt {
  readonly text: string;
  /** Cells of the database in it; what the words of a question quote is not counted. */
  readonly cells: number;
}

/** A prompt in one text. */
export function asOneText({ system, user }: ChatPrompt): string {
  return system === null ? user : `${system}\n\n${user}`;
}

/** A prompt in lines for people; `of`: what is asked about; `sendsValues`: null where that is no choice. */
export function describePrompt(
  of: string,
  { text, cells }: ToldPrompt,
  sendsValues: boolean | null,
): readonly string[] {
  const count = cells === 0 ? 'no cell' : `${cells} ${cells === 1 ? 'cell' : 'cells'}`;
  const more = sendsValues === false ? ' (--send-values adds sample values)' : '';
  return [
    `the first prompt, ${of}, has ${count} of the database${more}:`,
    ...text.split('\n').map((line) => `  ${line}`.trimEnd()),
  ];
}
