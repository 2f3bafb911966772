import { VictimError } from '../errors.js';
import { pause } from '../http/pause.js';
import { createRng } from '../seeded-rng.js';
import { sha256Of } from '../run/sha256.js';
import { CallBudget, type Spending } from './call-budget.js';
import { callChat, type ChatFault, type ChatReply, fault } from './chat-call.js';
import { type Endpoint, type EndpointSettings, resolveEndpoint } from './endpoint-settings.js';
import { ResponseCache } from './response-cache.js';
import {
  exampleOf,
  failedAnswer,
  isSettled,
  readAnswer,
  type Victim,
  type VictimAnswer,
  type VictimContext,
  type VictimQuestion,
  type VictimUsage,
} from './victim.js';
import { renderPrompt } from './victim-input.js';

/** What asking for one request came to. */
interface Asked {
  readonly outcome: ChatReply | ChatFault;
  readonly calls: number;
  readonly cached: boolean;
}

/** Where a service counts no tokens; a rule of thumb for English and code. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * A chat model behind an OpenAI-compatible endpoint. Faults that pass are retried with exponential backoff and as
 * `Retry-After` asks, for all questions together; identical requests are sent once; answers are cached, failures never.
 */
export class EndpointVictim implements Victim {
  readonly id = 'endpoint';
  readonly fingerprint: string;
  readonly concurrency: number;
  readonly #endpoint: Endpoint;
  readonly #cache: ResponseCache | null;
  readonly #budget: CallBudget;
  readonly #inFlight = new Map<string, Promise<Asked>>();
  #cacheFailed = false;
  /** No call before this time of `performance.now()`: the service has asked for a pause. */
  #resumeAt = 0;
  #failuresInARow = 0;
  /** Examples of these failures. */
  readonly #failedExamples = new Set<string>();
  /** Examples whose requests were rejected before any was answered. */
  readonly #rejectedExamples = new Set<string>();
  #hasAnswered = false;

  /** @throws ConfigError when a setting is wrong, the key's variable is not set, or the cache can't be opened */
  constructor(settings: EndpointSettings, environment: NodeJS.ProcessEnv = process.env) {
    this.#endpoint = resolveEndpoint(settings, environment);
    const { concurrency, cacheFile, budget } = this.#endpoint.settings;
    this.fingerprint = this.#endpoint.fingerprint;
    this.concurrency = Math.floor(concurrency);
    this.#cache = cacheFile === null ? null : new ResponseCache(cacheFile);
    this.#budget = new CallBudget(budget);
  }

  /** Calls and tokens of this victim so far. */
  get spent(): Spending {
    return this.#budget.spent;
  }

  /**
   * @throws ConfigError when the service refuses the key or the model, or the first requests one after the other
   * @throws VictimError when one question after the other has failed
   */
  async answer(question: VictimQuestion, context: VictimContext): Promise<VictimAnswer> {
    const body = this.#bodyOf(question);
    const key = sha256Of(JSON.stringify([this.#endpoint.shownUrl, body]));
    const { outcome, calls, cached } = await this.#askOnce(key, body, context);
    this.#hasAnswered ||= context.hasAnswered === true || isAnswered(outcome);
    const answer = this.#read(question.id, this.#doubt(question, outcome), calls, cached);
    this.#count(answer);
    return answer;
  }

  /** Writes what is left of the cache, and closes connections. */
  async dispose(): Promise<void> {
    await this.#endpoint.client.close();
    this.#cache?.close();
  }

  #bodyOf(question: VictimQuestion): string {
    const { model, template, temperature, parameters } = this.#endpoint.settings;
    const { system, user } = renderPrompt(question, template);
    const messages = [
      ...(system === null ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: user },
    ];
    return JSON.stringify({
      ...(temperature === null ? {} : { temperature }),
      ...parameters,
      model,
      messages,
      stream: false,
    });
  }

  /** One request is in flight once; who comes later shares the outcome. */
  async #askOnce(key: string, body: string, context: VictimContext): Promise<Asked> {
    const known = this.#useCache(context, (cache) => cache.get(key));
    if (known !== null) return { outcome: { kind: 'reply', ...known }, calls: 0, cached: true };
    const running = this.#inFlight.get(key);
    if (running !== undefined) return { ...(await running), calls: 0, cached: true };
    const asked = this.#ask(key, body, context).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, asked);
    return asked;
  }

  async #ask(key: string, body: string, context: VictimContext): Promise<Asked> {
    const { maxAttempts } = this.#endpoint.settings;
    for (let calls = 1; ; calls++) {
      await this.#awaitPause(context.signal);
      if (!this.#budget.takeCall()) return { outcome: BUDGET_USED_UP, calls: calls - 1, cached: false };
      const outcome = await callChat(this.#endpoint, body, context.signal);
      this.#spend(outcome, body);
      if (outcome.kind === 'reply') this.#useCache(context, (cache) => cache.put(key, outcome));
      if (outcome.kind === 'reply' || !outcome.retry || calls >= maxAttempts) return { outcome, calls, cached: false };
      const waitMs = this.#waitMs(outcome, key, calls);
      if (waitMs === null) return { outcome, calls, cached: false };
      context.emit({ kind: 'count', name: `calls repeated after ${outcome.failure}`, by: 1 });
      await pause(waitMs, context.signal);
    }
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
  #useCache<T>(context: VictimContext, use: (cache: ResponseCache) => T): T | null {
    if (this.#cache === null || this.#cacheFailed) return null;
    try {
      return use(this.#cache);
    } catch (error) {
      this.#cacheFailed = true;
      const cause = error instanceof Error ? error.message : String(error);
      context.emit({ kind: 'warning', message: `answers are not cached any more: ${cause}` });
      return null;
    }
  }

  #read(id: string, outcome: ChatReply | ChatFault, calls: number, cached: boolean): VictimAnswer {
    const { promptTokens, completionTokens } = outcome;
    const usage: VictimUsage = { calls, promptTokens, completionTokens, cached };
    if (outcome.kind === 'reply') return readAnswer(id, outcome.content, usage);
    const tries = calls > 1 ? ` (${calls} calls)` : '';
    return failedAnswer(id, outcome.failure, `${outcome.message}${tries}`, { raw: outcome.raw, usage });
  }

  /**
   * Where nothing was answered yet, a rejected request may be wrong in what all have in common: it is to be asked again
   * when others have shown that it is not.
   */
  #doubt(question: VictimQuestion, outcome: ChatReply | ChatFault): ChatReply | ChatFault {
    if (this.#hasAnswered || outcome.kind === 'reply' || outcome.rejection === null) return outcome;
    this.#rejectedExamples.add(exampleOf(question));
    if (this.#rejectedExamples.size >= REJECTED_EXAMPLES) throw outcome.rejection;
    return { ...outcome, failure: 'error-reply' };
  }

  /** A service that fails for question after question is down or misaddressed: going on would only burn calls. */
  #count(answer: VictimAnswer): void {
    if (answer.failure?.kind === 'budget') return;
    if (isSettled(answer)) {
      this.#failuresInARow = 0;
      this.#failedExamples.clear();
      return;
    }
    this.#failuresInARow++;
    this.#failedExamples.add(exampleOf(answer));
    const { maxFailuresInARow } = this.#endpoint.settings;
    if (this.#failuresInARow <= maxFailuresInARow || this.#failedExamples.size < FAILED_EXAMPLES) return;
    const message = `${this.#failuresInARow} questions in a row failed at ${this.#endpoint.shownUrl}`;
    throw new VictimError(`${message}: ${answer.failure?.message ?? ''}`, {
      fix: 'See whether the service is up and the base URL right; nothing is lost, resume later.',
    });
  }
}

/** Examples rejected in a row, before any answer, that say that the request is wrong for all. */
const REJECTED_EXAMPLES = 3;
/** Examples that must have failed before the service counts as down: one bad question may have many variants. */
const FAILED_EXAMPLES = 3;

/** Whether the model has had its say, be it cut off or empty. */
function isAnswered(outcome: ChatReply | ChatFault): boolean {
  return outcome.kind === 'reply' || outcome.failure === 'cut-off' || outcome.failure === 'empty';
}

const BUDGET_USED_UP = fault('budget', 'the budget of calls or tokens is used up', { retry: false });
