import { z } from 'zod';
import type { ChatReply } from './chat-call.js';
import type { CachedReply } from './response-cache.js';

const cachedFormat = z.object({
  content: z.string(),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).exactOptional(),
});

/** A reply to a request that offered tools, as it is cached: its calls are kept with its words. */
export function forCache({ content, toolCalls, promptTokens, completionTokens }: ChatReply): CachedReply {
  return { content: JSON.stringify({ content, toolCalls }), promptTokens, completionTokens };
}

/** The reply that `forCache` was given. */
export function fromCache({ content, ...tokens }: CachedReply): ChatReply {
  return { kind: 'reply', ...cachedFormat.parse(JSON.parse(content)), ...tokens };
}
