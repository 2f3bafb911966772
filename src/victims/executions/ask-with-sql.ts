import { z } from 'zod';
import type { Asked, AskingContext, ChatAsker, ChatPrompt } from '../../chat/chat-asker.js';
import { callingMessage, type ToolCall } from '../../chat/tool-call.js';
import type { SqlExecutions } from './sql-executions.js';

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

/** The SQL of a call; null where it is malformed. */
function sqlOf({ arguments: given }: ToolCall): string | null {
  try {
    return argumentsFormat.parse(JSON.parse(given)).sql;
  } catch {
    return null;
  }
}

async function answerCall(call: ToolCall, executions: SqlExecutions, signal: AbortSignal): Promise<string> {
  if (call.name !== TOOL_NAME) return executions.refuse(`there is no such tool, only ${TOOL_NAME}`);
  const sql = sqlOf(call);
  return sql === null
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
export async function askWithSql(
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
