import type { Context } from 'hono';
import { z } from 'zod';
import { faultSentence, shapeFault } from '../shape-fault.js';
import { ApiError } from './api-error.js';

const KB = 1024;
const FIX = 'Correct it, and send the request again.';

/** A number of bytes in the larger unit that fits. */
const shown = (bytes: number): string =>
  bytes < KB * KB ? `${Math.floor(bytes / KB)} KB` : `${Math.floor(bytes / KB / KB)} MB`;

/** The body as far as the cap: what has no stated length is counted while it comes. */
async function readText(c: Context, largest: number): Promise<string> {
  const tooLarge = (): ApiError => new ApiError('too-large', `a request holds at most ${shown(largest)}`);
  if (Number(c.req.header('content-length') ?? 0) > largest) throw tooLarge();
  const parts: Uint8Array[] = [];
  let size = 0;
  const body = (c.req.raw.body ?? []) as AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  for await (const part of body) {
    size += part.length;
    if (size > largest) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('bad-request', 'the body is no JSON', { fix: FIX });
  }
}

/**
 * The body of a request as JSON, of at most so many bytes.
 * @throws ApiError where the body is too large, or naming the field that is wrong
 */
export async function readBody<S extends z.ZodType>(c: Context, schema: S, largest: number): Promise<z.infer<S>> {
  const body = parseBody(await readText(c, largest));
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiError('bad-request', faultSentence(shapeFault(parsed.error, body), 'the body'), { fix: FIX });
}
