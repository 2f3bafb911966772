import pLimit, { type LimitFunction } from 'p-limit';
import { type Asked, ChatAsker } from '../chat/chat-asker.js';
import type { ChatFailureKind, ChatFault } from '../chat/chat-call.js';
import type { EndpointSettings } from '../chat/chat-endpoint.js';
import { EndpointError } from '../errors.js';
import { type PromptTemplate, templateSha256 } from '../formats/exports/prompt-template.js';
import type { StageContext, TargetColumn } from '../stage.js';
import { columnId, type NameProposer, type ProposedNames, readProposedNames } from './proposed-names.js';
import { loadProposalPrompt, renderProposalPrompt } from './proposal-prompt.js';

/** The model that is asked for names, and what it is told. */
export interface EndpointProposerSettings {
  readonly endpoint: EndpointSettings;
  /** File of the prompt; null = the shipped one. */
  readonly prompt: string | null;
  /** Whether sample cell values may be sent. */
  readonly sendValues: boolean;
  /** Of a million tokens, for estimates; null = not known. */
  readonly prices: { readonly prompt: number; readonly answer: number } | null;
}

/** Failures that are the model's own answer: asked again it would say the same. */
const SETTLED: readonly ChatFailureKind[] = ['too-long', 'refused', 'cut-off', 'empty'];

const isSettled = ({ failure, rejection }: ChatFault): boolean => rejection !== null || SETTLED.includes(failure);

/**
 * Asks a chat model, one call for a column. An answer that is none costs its column the proposals; a service that gives
 * no answer ends the run, which goes on there when it is started again.
 */
export class EndpointProposer implements NameProposer {
  readonly fingerprint: string;
  readonly #asker: ChatAsker;
  readonly #template: PromptTemplate;
  readonly #sendValues: boolean;
  readonly #limit: LimitFunction;
  readonly #counts = { asked: 0, cached: 0, unusable: 0 };
  /** What ended the asking. */
  #end: { readonly error: unknown } | null = null;

  /** @throws ConfigError or InputFormatError when a setting, the key's variable, the prompt or the cache is wrong */
  constructor({ endpoint, prompt, sendValues }: EndpointProposerSettings, environment: NodeJS.ProcessEnv) {
    this.#template = loadProposalPrompt(prompt);
    this.#sendValues = sendValues;
    this.#asker = new ChatAsker(endpoint, environment);
    this.#limit = pLimit(this.#asker.concurrency);
    this.fingerprint = `${this.#asker.fingerprint(templateSha256(this.#template))},values=${sendValues}`;
  }

  propose(column: TargetColumn, context: StageContext): Promise<ProposedNames | null> {
    return this.#limit(async () => {
      // Whoever waited for their turn would only burn calls.
      if (this.#end !== null) throw this.#end.error;
      try {
        return await this.#ask(column, context);
      } catch (error) {
        this.#end = { error };
        throw error;
      }
    });
  }

  describe(): string {
    const { asked, cached, unusable } = this.#counts;
    const { calls, tokens } = this.#asker.spent;
    const lacking = unusable === 0 ? '' : `, ${unusable} without a usable answer`;
    return `${asked} columns asked about (${cached} from the cache${lacking}); calls: ${calls}, tokens: ${tokens}`;
  }

  dispose(): Promise<void> {
    return this.#asker.dispose();
  }

  async #ask(column: TargetColumn, context: StageContext): Promise<ProposedNames | null> {
    const id = columnId(column);
    const prompt = renderProposalPrompt(column, this.#template, this.#sendValues);
    const asked = await this.#asker.ask(prompt, id, context);
    this.#counts.asked++;
    if (asked.cached) this.#counts.cached++;
    const { outcome } = asked;
    if (outcome.kind === 'fault' && !isSettled(outcome)) throw this.#failed(id, outcome, asked);
    const names = outcome.kind === 'reply' ? readProposedNames(outcome.content) : null;
    if (names !== null) return names;
    this.#counts.unusable++;
    const why = outcome.kind === 'reply' ? 'the answer is not the JSON object asked for' : outcome.message;
    context.emit({ kind: 'warning', message: `${id} has no proposals: ${why}` });
    return null;
  }

  #failed(id: string, { failure, message }: ChatFault, { calls }: Asked): EndpointError {
    const fix =
      failure === 'budget'
        ? 'Nothing is lost: the same command with a higher --max-calls or --max-tokens goes on.'
        : 'See whether the service is up and the base URL right; nothing is lost, the same command goes on.';
    const tries = calls > 1 ? ` (${calls} calls)` : '';
    return new EndpointError(`${this.#asker.shownUrl} gives no proposals: ${message}${tries}`, { where: { id }, fix });
  }
}
