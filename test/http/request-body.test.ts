import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError, sendError } from '../../src/http/api-error.js';
import { readBody } from '../../src/http/request-checks.js';
import { RAW_TEXT } from '../raw-text.js';

const schema = z.strictObject({
  state: z.enum(['open', 'done']),
  names: z.array(z.string().min(1).max(9)).max(2),
  count: z.int().min(0).exactOptional(),
});
const app = new Hono();
app.post('/', async (c) => c.json(await readBody(c, schema, 1000)));
app.onError((error, c) => {
  if (error instanceof ApiError) return sendError(c, error);
  throw error;
});

const GOOD = { state: 'open', names: ['a'] };

async function refusalOf(body: string): Promise<{ readonly message: string; readonly fix: string }> {
  const response = await app.request('/', { method: 'POST', body });
  expect(response.status).toBe(400);
  return ((await response.json()) as { error: { message: string; fix: string } }).error;
}

test.each<[string, unknown]>([
  ['the body is wrong: an object is expected, not a list', []],
  ['the body is wrong: an object is expected, not null', null],
  ['field "state" is missing', { names: [] }],
  ['field "state" is wrong: "open" or "done" is expected, not "shut"', { ...GOOD, state: 'shut' }],
  ['field "names" is wrong: a list is expected, not text', { ...GOOD, names: 'a' }],
  ['field "names.0" is wrong: text is expected, not a whole number', { ...GOOD, names: [7] }],
  ['field "names.1" is wrong: it is empty', { ...GOOD, names: ['a', ''] }],
  ['field "names.0" is wrong: text of at most 9 characters is expected', { ...GOOD, names: ['a'.repeat(10)] }],
  ['field "names" is wrong: at most 2 items are expected', { ...GOOD, names: ['a', 'b', 'c'] }],
  ['field "count" is wrong: a number of at least 0 is expected', { ...GOOD, count: -1 }],
  ['field "count" is wrong: a whole number is expected, not a number', { ...GOOD, count: 0.5 }],
  ['the body is wrong: there is no field "more"', { ...GOOD, more: 1 }],
])('%s', async (message, body) => {
  const refusal = await refusalOf(JSON.stringify(body));
  expect(refusal).toEqual({ code: 'bad-request', message, fix: 'Correct it, and send the request again.' });
  expect(refusal.message).not.toMatch(RAW_TEXT);
});

test.each(['', '{', '{"state": }', 'hello'])('a body that is no JSON: %s', async (body) => {
  expect((await refusalOf(body)).message).toBe('the body is no JSON');
});
