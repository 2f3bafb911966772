import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Seen {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly messages: readonly { role: string; content: string }[] } & Record<string, unknown>;
}

/** `words`: what a well-behaved answer says. */
type Behavior = (response: ServerResponse, seen: Seen, words: string) => void;

const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};
const error = (message: string, code: string | number | null = null) => ({ error: { message, code, type: 'x' } });

/** The SQL that a well-behaved answer holds: the question as a string. */
export const sqlFor = (question: string): string => `SELECT '${question}'`;

function questionOf({ body }: Seen): string {
  return body.messages.at(-1)!.content.split('-- ').at(-1)!;
}

function completion(content: unknown, finish = 'stop', more: Record<string, unknown> = {}) {
  return {
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content, ...more } }],
    usage: { prompt_tokens: 80, completion_tokens: 20, total_tokens: 100 },
  };
}

const BEHAVIORS = {
  ok: (response, _, words) => send(response, 200, completion(words)),
  parts: (response, _, words) => send(response, 200, completion([{ type: 'text', text: words }])),
  uncounted: (response, _, words) => send(response, 200, { ...completion(words), usage: undefined }),
  prose: (response) => send(response, 200, completion('I would rather not.')),
  slow: (response, seen, words) => void setTimeout(() => BEHAVIORS.ok(response, seen, words), 30),
  huge: (response) => send(response, 200, completion('x'.repeat(17 << 20))),
  429: (response) => send(response, 429, error('slow down')),
  '429-now': (response) => send(response, 429, error('slow down'), { 'retry-after': '0' }),
  '429-soon': (response) => send(response, 429, error('slow down'), { 'retry-after': '0.2' }),
  '429-date': (response) => {
    const [date, until] = [0, 1_000].map((ms) => new Date(1_700_000_000_000 + ms).toUTCString());
    send(response, 429, error('slow down'), { date: date!, 'retry-after': until! });
  },
  '429-hour': (response) => send(response, 429, error('slow down'), { 'retry-after': '3600' }),
  '429-quota': (response) => send(response, 429, error('You exceeded your quota', 'insufficient_quota')),
  500: (response) => send(response, 500, error('oops')),
  503: (response) => response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  400: (response) => send(response, 400, error('temperature is not supported')),
  '400-long': (response) => send(response, 400, error('maximum context length is 8', 'context_length_exceeded')),
  '400-reduce': (response) => send(response, 400, error('Please reduce the length of the messages.')),
  '422-long': (response) =>
    send(response, 422, error('`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000')),
  '422-long-bare': (response) => send(response, 422, { error: 'inputs tokens + max_new_tokens must be <= 4096' }),
  413: (response) => send(response, 413, error('payload too large')),
  422: (response) => send(response, 422, error('unprocessable')),
  '400-filter': (response) => send(response, 400, error('filtered', 'content_filter')),
  401: (response, { headers }) => send(response, 401, error(`Incorrect API key: ${headers.authorization ?? 'none'}`)),
  // The key across the end of what is shown of a message.
  'echo-401': (response, { headers }) =>
    send(response, 401, error(`${'x'.repeat(290)} ${headers.authorization ?? 'none'}`)),
  'echo-500': (response, { headers, url }) => send(response, 500, error(`${headers.authorization} at ${url}`)),
  'echo-400': (response, { headers }) => send(response, 400, error(String(headers['x-gateway']))),
  'echo-html': (response, { headers }) => response.end(`<html>${headers.authorization}</html>`),
  'echo-answer': (response, { headers, url }) =>
    send(response, 200, completion(`SELECT '${headers.authorization}', '${String(headers['x-gateway'])}', '${url}'`)),
  'echo-refusal': (response, { headers }) =>
    send(response, 200, completion(null, 'stop', { refusal: `not for ${headers.authorization}` })),
  404: (response) => send(response, 404, error('no such model')),
  redirect: (response) => response.writeHead(301, { location: '/login' }).end(),
  hang: () => undefined,
  'hang-on-the-way': (response) => void response.writeHead(200, { 'content-length': '100' }).write('{'),
  reset: (response) => response.socket?.resetAndDestroy(),
  cut: (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"choices": [');
    setTimeout(() => response.socket?.destroy(), 5);
  },
  'cut-chunks': (response) => {
    response.writeHead(200).write('{"choices": [');
    setTimeout(() => response.socket?.destroy(), 5);
  },
  'cut-silently': (response) => response.writeHead(200).end('{"choices": [{"message": {"content": "SEL'),
  html: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>'),
  stream: (response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"choices": []}\n\n'),
  'error-200': (response) => send(response, 200, error('the provider failed')),
  'error-200-text': (response) => send(response, 200, { error: 'overloaded' }),
  'error-200-502': (response) => send(response, 200, error('bad gateway', 502)),
  'error-200-401': (response) => send(response, 200, error('no access', 401)),
  choiceless: (response) => send(response, 200, { choices: [] }),
  shapeless: (response) => send(response, 200, { choices: [{ text: 'SELECT 1' }] }),
  length: (response) => send(response, 200, completion('SELECT a, b', 'length')),
  filter: (response) => send(response, 200, completion(null, 'content_filter')),
  refusal: (response) => send(response, 200, completion(null, 'stop', { refusal: 'I must not' })),
  /** Calls the tools that its words list as JSON. */
  call: (response, _, words) => send(response, 200, completion(null, 'tool_calls', { tool_calls: JSON.parse(words) })),
  blank: (response) => send(response, 200, completion('')),
} as const satisfies Record<string, Behavior>;
// Keys that look like numbers are numbers to the compiler.
export type BehaviorName = `${keyof typeof BEHAVIORS}`;

export interface MisbehavingServer {
  readonly baseUrl: string;
  readonly seen: Seen[];
  /** Most requests that were open at a time. */
  peak: number;
  /** What to do with the next requests, one after the other; then what `otherwise` says. */
  readonly script: BehaviorName[];
  otherwise: (index: number, seen: Seen) => BehaviorName;
  /** What a well-behaved answer says: SQL with the question, unless told otherwise. */
  words: (seen: Seen) => string;
  close(): Promise<void>;
}

async function readRequest(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Seen['body'];
  return { url: request.url!, headers: request.headers, body };
}

/** A chat endpoint on this machine that does what it is told. */
export async function startServer(...script: BehaviorName[]): Promise<MisbehavingServer> {
  let open = 0;
  const server = createServer((request, response) => {
    state.peak = Math.max(state.peak, ++open);
    response.on('close', () => open--);
    void readRequest(request).then((seen) => {
      const name = state.script.shift() ?? state.otherwise(state.seen.length, seen);
      state.seen.push(seen);
      BEHAVIORS[name](response, seen, state.words(seen));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  const state: MisbehavingServer = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    seen: [],
    peak: 0,
    script,
    otherwise: () => 'ok',
    words: (seen) => sqlFor(questionOf(seen)),
    close,
  };
  return state;
}
