import type { ToldPrompt } from '../chat/told-prompt.js';
import { type Asked, ChatAsker } from '../chat/chat-asker.js';
import type { Spending } from '../chat/call-budget.js';
import type { EndpointSettings } from '../chat/chat-endpoint.js';
import { VictimError } from '../errors.js';
import { DEFAULT_TEMPLATE, type PromptTemplate, templateSha256 } from '../formats/exports/prompt-template.js';
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
import { askWithSql } from './executions/ask-with-sql.js';
import { renderPrompt, tellPrompt } from './victim-input.js';

/** The endpoint, and what its model is told. */
export interface EndpointVictimSettings extends EndpointSettings {
  readonly template?: PromptTemplate;
  /** True if it is shown sample values; without it no cell of a database is sent. */
  readonly sendValues?: boolean;
  /** Questions that may fail in a row before the run ends. */
  readonly maxFailuresInARow?: number;
}

const MAX_FAILURES_IN_A_ROW = 10;
/** Examples that must have failed before the service counts as down: one bad question may have many variants. */
const FAILED_EXAMPLES = 3;

/** A chat model behind an OpenAI-compatible endpoint that is asked for SQL. */
export class EndpointVictim implements Victim {
  readonly id = 'endpoint';
  readonly fingerprint: string;
  readonly concurrency: number;
  readonly #asker: ChatAsker;
  readonly #template: PromptTemplate;
  readonly #sendValues: boolean;
  readonly #maxFailuresInARow: number;
  #failuresInARow = 0;
  /** Examples of these failures. */
  readonly #failedExamples = new Set<string>();

  /** @throws ConfigError when a setting is wrong, the key's variable is not set, or the cache can't be opened */
  constructor(settings: EndpointVictimSettings, environment: NodeJS.ProcessEnv = process.env) {
    const {
      template = DEFAULT_TEMPLATE,
      sendValues = false,
      maxFailuresInARow = MAX_FAILURES_IN_A_ROW,
      ...endpoint
    } = settings;
    this.#template = template;
    this.#sendValues = sendValues;
    this.#maxFailuresInARow = maxFailuresInARow;
    this.#asker = new ChatAsker(endpoint, environment);
    this.fingerprint = `endpoint-2:${this.#asker.fingerprint(templateSha256(template))},values=${sendValues}`;
    this.concurrency = this.#asker.concurrency;
  }

  /** Calls and tokens of this victim so far. */
  get spent(): Spending {
    return this.#asker.spent;
  }

  /**
   * @throws ConfigError when the service refuses the key or the model, or the first requests one after the other
   * @throws VictimError when nobody is at the address and nobody was before, or one question after the other has failed
   */
  async answer(question: VictimQuestion, context: VictimContext): Promise<VictimAnswer> {
    const prompt = renderPrompt(this.#shown(question), this.#template);
    const { id, executions } = question;
    const asked = await (executions === undefined
      ? this.#asker.ask(prompt, exampleOf(question), context)
      : askWithSql(this.#asker, prompt, { item: exampleOf(question), executions }, context));
    const { outcome } = asked;
    // What nobody has heard is no answer: nothing is stored, so that the folder of the run stays free.
    if (outcome.kind === 'fault' && outcome.isAbsent) throw this.#down('no question was answered', outcome.message);
    const answer = toAnswer(id, asked);
    this.#count(answer);
    return answer;
  }

  /** @inheritdoc */
  tell(question: VictimQuestion): Promise<ToldPrompt> {
    return Promise.resolve(tellPrompt(this.#shown(question), this.#template));
  }

  dispose(): Promise<void> {
    return this.#asker.dispose();
  }

  /** A question as it may be sent. */
  #shown(question: VictimQuestion): VictimQuestion {
    return this.#sendValues ? question : { ...question, samples: [] };
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
    if (this.#failuresInARow <= this.#maxFailuresInARow || this.#failedExamples.size < FAILED_EXAMPLES) return;
    throw this.#down(`${this.#failuresInARow} questions in a row failed`, answer.failure?.message ?? '');
  }

  #down(what: string, message: string): VictimError {
    return new VictimError(`${what} at ${this.#asker.shownUrl}: ${message}`, {
      fix: 'See whether the service is up and the base URL right; nothing is lost, resume later.',
    });
  }
}

function toAnswer(id: string, { outcome, calls, cached }: Asked): VictimAnswer {
  const { promptTokens, completionTokens } = outcome;
  const usage: VictimUsage = { calls, promptTokens, completionTokens, cached };
  if (outcome.kind === 'reply') return readAnswer(id, outcome.content, usage);
  const tries = calls > 1 ? ` (${calls} calls)` : '';
  return failedAnswer(id, outcome.failure, `${outcome.message}${tries}`, { raw: outcome.raw, usage });
}
