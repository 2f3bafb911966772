import { z } from 'zod';

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
export function readToolCalls(calls: unknown): readonly ToolCall[] {
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
