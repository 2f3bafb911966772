import type { Context } from 'hono';
import { z } from 'zod';
import { elementAt } from '../../present.js';
import { answerSchema } from '../project/answer-schema.js';
import { ApiError } from '../../http/api-error.js';

/** More than the longest answer takes: 200 names of 200 characters and a comment of 5,000, three bytes each. */
const LARGEST_BODY = 256 * 1024;

const name = z.string().max(200);

/** Body of a save: an answer, and the revision that it was made from (0: none). */
export const savedAnswerBody = z.strictObject({ answer: answerSchema, baseRevision: z.int().nonnegative() });

/** Body of a name check. */
export const checkedNameBody = z.strictObject({ name });

/** Body of a qualification round: names taken, by item. */
export const qualificationBody = z.strictObject({ answers: z.record(z.string(), z.array(name)) });

/** The body as far as the cap: what has no stated length is counted while it comes. */
async function readText(c: Context): Promise<string> {
  const tooLarge = (): ApiError => new ApiError('too-large', `a request holds at most ${LARGEST_BODY / 1024} KB`);
  if (Number(c.req.header('content-length') ?? 0) > LARGEST_BODY) throw tooLarge();
  const parts: Uint8Array[] = [];
  let size = 0;
  const body = (c.req.raw.body ?? []) as AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  for await (const part of body) {
    size += part.length;
    if (size > LARGEST_BODY) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('bad-request', 'the body is no JSON');
  }
}

/** @throws ApiError where the body is too large, or naming the field that is wrong */
export async function readBody<S extends z.ZodType>(c: Context, schema: S): Promise<z.infer<S>> {
  const parsed = schema.safeParse(parseBody(await readText(c)));
  if (parsed.success) return parsed.data;
  const issue = elementAt(parsed.error.issues, 0);
  const field = issue.path.map(String).join('.');
  throw new ApiError('bad-request', `${field === '' ? 'the body' : field}: ${issue.message}`);
}
