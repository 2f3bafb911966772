import { z } from 'zod';
import { type Asked, type AskingContext, ChatAsker, type ChatPrompt, type ToldPrompt } from '../chat/chat-asker.js';
import type { EndpointSettings, Spending } from '../chat/chat-endpoint.js';
import { VictimError } from '../errors.js';
import { jsonIn } from '../json-in.js';
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
import { renderPrompt, tellPrompt } from './victim-input.js';
import { callingMessage, type ToolCall } from '../chat/chat-call.js';
import type { SqlExecutions } from './executions/sql-executions.js';

const TOOL_NAME = 'execute_sql';

const TOOL = {
  type: 'function',
  function: {
    name: TOOL_NAME,
    description:
      'Executes one SQL query (SELECT, VALUES or WITH) on the database and gives its columns and rows as JSON, or an error.',
    parameters: {
      type: 'object',
      properties: { sql: { type: 'string', description: 'The query.' } },
      required: ['sql'],
      additionalProperties: false,
    },
  },
} as const;

const argumentsFormat = z.looseObject({ sql: z.string() });

async function answerCall(call: ToolCall, executions: SqlExecutions, signal: AbortSignal): Promise<string> {
  if (call.name !== TOOL_NAME) return executions.refuse(`there is no such tool, only ${TOOL_NAME}`);
  const sql = argumentsFormat.safeParse(jsonIn(call.arguments)).data?.sql;
  return sql === undefined
    ? executions.refuse('the arguments are malformed: {"sql": "SELECT …"} is expected')
    : executions.execute(sql, signal);
}

/** The example that is asked of, and what may be executed for it. */
interface SqlAsking {
  readonly item: string;
  readonly executions: SqlExecutions;
}

/**
 * Asks a model that may execute SQL through the tool `execute_sql`, until it answers; once no executions are left it is
 * asked for its answer without the tool. What all its requests cost is told as one.
 * @throws as `ChatAsker.ask`
 */
async function askWithSql(
  asker: ChatAsker,
  prompt: ChatPrompt,
  { item, executions }: SqlAsking,
  context: AskingContext,
): Promise<Asked> {
  const further: NonNullable<ChatPrompt['further']>[number][] = [];
  let [calls, promptTokens, completionTokens, cached] = [0, 0, 0, true];
  for (;;) {
    const tools = executions.left > 0 ? { tools: [TOOL] } : {};
    const asked = await asker.ask({ ...prompt, further, ...tools }, item, context);
    const { outcome } = asked;
    calls += asked.calls;
    promptTokens += outcome.promptTokens;
    completionTokens += outcome.completionTokens;
    cached &&= asked.cached;
    const made = outcome.kind === 'reply' ? (outcome.toolCalls ?? []) : [];
    if (outcome.kind !== 'reply' || made.length === 0) {
      return { outcome: { ...outcome, promptTokens, completionTokens }, calls, cached };
    }
    further.push(callingMessage(outcome.content, made));
    for (const call of made) {
      const content = await answerCall(call, executions, context.signal);
      further.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
}

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
