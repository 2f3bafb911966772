import pLimit, { type LimitFunction } from 'p-limit';
import { type Asked, ChatAsker, type ChatPrompt } from '../chat/chat-asker.js';
import type { ChatFailureKind, ChatFault } from '../chat/chat-call.js';
import type { EndpointSettings } from '../chat/chat-endpoint.js';
import { EndpointError } from '../errors.js';
import { type PromptTemplate, templateSha256 } from '../formats/exports/prompt-template.js';
import type { StageContext } from '../stage.js';

/** Failures that are the model's own answer: asked again it would say the same. */
const SETTLED: readonly ChatFailureKind[] = ['too-long', 'refused', 'cut-off', 'empty'];

const isSettled = ({ failure, rejection }: ChatFault): boolean => rejection !== null || SETTLED.includes(failure);

/** A kind of items that a model is asked about. */
export interface AskedKind<T> {
  /** For people: "columns". */
  readonly items: string;
  /** The name of the results that an item then lacks, for people: "proposals". */
  readonly lacking: string;
  /** Null where the answer is none. */
  readonly read: (answer: string) => T | null;
  /** True if the run can't do without: then no usable answer ends the asking, as a service that gives none does. */
  readonly isNeeded?: boolean;
}

interface Counts {
  asked: number;
  cached: number;
  unusable: number;
}

/**
 * Asks a chat model one question about each item and reads its answers strictly. An answer that is none costs its item
 * what was asked for; a service that gives no answer ends the run, which goes on there when it is started again. Calls,
 * tokens, cache and what ended the asking are shared by all that is asked.
 */
export class ModelAsker {
  readonly #asker: ChatAsker;
  readonly #limit: LimitFunction;
  readonly #counts = new Map<string, Counts>();
  /** The error that ended the asking. */
  #end: { readonly error: unknown } | null = null;

  /** @throws ConfigError when a setting, the key's variable or the cache is wrong */
  constructor(endpoint: EndpointSettings, environment: NodeJS.ProcessEnv) {
    this.#asker = new ChatAsker(endpoint, environment);
    this.#limit = pLimit(this.#asker.concurrency);
  }

  /** Returns everything that answers to a prompt depend on besides what is filled in. */
  fingerprint(template: PromptTemplate): string {
    return this.#asker.fingerprint(templateSha256(template));
  }

  /**
   * Null where there is no usable answer.
   * @throws EndpointError or ConfigError when there will be none for others either, or the answer is needed
   */
  ask<T>(prompt: ChatPrompt, id: string, kind: AskedKind<T>, context: StageContext): Promise<T | null> {
    return this.#limit(async () => {
      // Whoever waited for their turn would only burn calls.
      if (this.#end !== null) throw this.#end.error;
      try {
        return await this.#ask(prompt, id, kind, context);
      } catch (error) {
        this.#end = { error };
        throw error;
      }
    });
  }

  /** Describes the requests so far and their cost, in one line. */
  describe(): string {
    const { calls, tokens } = this.#asker.spent;
    const asked = Array.from(this.#counts, ([items, counts]) => {
      const lacking = counts.unusable === 0 ? '' : `, ${counts.unusable} without a usable answer`;
      return `${counts.asked} ${items} asked about (${counts.cached} from the cache${lacking})`;
    });
    return `${asked.length === 0 ? 'nothing was asked' : asked.join(', ')}; calls: ${calls}, tokens: ${tokens}`;
  }

  dispose(): Promise<void> {
    return this.#asker.dispose();
  }

  async #ask<T>(prompt: ChatPrompt, id: string, kind: AskedKind<T>, context: StageContext): Promise<T | null> {
    const asked = await this.#asker.ask(prompt, id, context);
    const counts = this.#counts.get(kind.items) ?? { asked: 0, cached: 0, unusable: 0 };
    this.#counts.set(kind.items, counts);
    counts.asked++;
    if (asked.cached) counts.cached++;
    const { outcome } = asked;
    if (outcome.kind === 'fault' && !isSettled(outcome)) throw this.#failed(id, kind.lacking, outcome, asked);
    const answer = outcome.kind === 'reply' ? kind.read(outcome.content) : null;
    if (answer !== null) return answer;
    counts.unusable++;
    const why = outcome.kind === 'reply' ? 'the answer is not the JSON object asked for' : outcome.message;
    if (kind.isNeeded === true) throw this.#unusable(id, kind.lacking, why);
    context.emit({ kind: 'warning', message: `${id} has no ${kind.lacking}: ${why}` });
    return null;
  }

  #unusable(id: string, lacking: string, why: string): EndpointError {
    return new EndpointError(`${this.#asker.shownUrl} gives no ${lacking}: ${why}`, {
      where: { id },
      fix: 'Name a model that answers with the JSON asked for, or ask for it by --parameters, such as {"response_format": {"type": "json_object"}}.',
    });
  }

  #failed(id: string, lacking: string, { failure, message }: ChatFault, { calls }: Asked): EndpointError {
    const fix =
      failure === 'budget'
        ? 'Nothing is lost: the same command with a higher --max-calls or --max-tokens goes on.'
        : 'See whether the service is up and the base URL right; nothing is lost, the same command goes on.';
    const tries = calls > 1 ? ` (${calls} calls)` : '';
    return new EndpointError(`${this.#asker.shownUrl} gives no ${lacking}: ${message}${tries}`, { where: { id }, fix });
  }
}
