import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpClient, type HttpClientOptions } from '../../src/http/http-client.js';
import { HttpError } from '../../src/http/http-error.js';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientOf(options: HttpClientOptions = {}): HttpClient {
  const client = new HttpClient({ environment: {}, pauseMs: 1, ...options });
  onTestFinished(() => client.close());
  return client;
}

async function failureOf(promise: Promise<unknown>): Promise<HttpError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof HttpError) return error;
  throw new Error('no HttpError', { cause: error });
}

describe('an answer', () => {
  it('is brought as text, also where it is packed unasked', async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a": 1}')),
    );
    const { text, json } = await clientOf().text(url);
    expect([text, json()]).toEqual(['{"a": 1}', { a: 1 }]);
  });

  it('is brought by ask whatever its status, and not where redirects of what is posted lead', async () => {
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(307, { location: '/elsewhere' }).end('no');
    });
    const { status, text } = await clientOf().ask(`${url}/post`, { method: 'POST', body: '{}' });
    expect([status, text, asked]).toEqual([307, 'no', ['POST /post']]);
  });

  it.each(['a body that never ends', 'a body that is packed small'])('is cut at 16 MB: %s', async (name) => {
    const url = await serve((_, response) => {
      if (name.includes('packed')) {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(17 << 20)));
        return;
      }
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1 << 20)));
        response.once('drain', write);
      };
      write();
    });
    expect((await failureOf(clientOf().ask(url))).message).toBe('the answer is longer than 16 MB');
  });

  it.each([
    ['does not begin', () => undefined],
    ['does not end', (response: { write: (text: string) => void }) => response.write('{')],
  ])('that %s in time is late, and told as that', async (_, answer) => {
    const url = await serve((_request, response) => void answer(response));
    const error = await failureOf(clientOf({ timeoutMs: 150.5 }).ask(url));
    expect([error.kind, error.passes, error.message]).toEqual(['late', true, 'no answer within 0.1505 s']);
  });

  it('is not waited for once the signal is aborted, with its reason', async () => {
    const stop = new AbortController();
    const url = await serve(() => setTimeout(() => stop.abort(new Error('enough')), 20));
    for (const timeoutMs of [{}, { timeoutMs: 10_000 }]) {
      await expect(clientOf(timeoutMs).text(url, { signal: stop.signal })).rejects.toThrow('enough');
    }
  });

  it('is waited for as Retry-After asks, by a date too', async () => {
    let asked = 0;
    const notes: string[] = [];
    const [date, until] = [0, 1_000].map((ms) => new Date(1_700_000_000_000 + ms).toUTCString());
    const url = await serve((_, response) => {
      if (asked++ > 0) response.end('ok');
      else response.writeHead(503, { date: date ?? '', 'retry-after': until ?? '' }).end();
    });
    const before = performance.now();
    expect((await clientOf({ onPause: (line) => notes.push(line) }).text(url)).text).toBe('ok');
    expect(performance.now() - before).toBeGreaterThan(900);
    expect(notes).toEqual(['the service answers 503; trying again in 1 s']);
  });
});

describe('a secret', () => {
  const KEY = 'sk-very-secret-1234567890';
  const echo: RequestListener = ({ headers, url }, response) =>
    void response.end(JSON.stringify({ said: `${headers.authorization} ${String(headers['x-team'])} ${url}` }));

  it('of headers is sent to its own origin alone, not to where that redirects', async () => {
    const elsewhere = await serve(echo);
    const url = await serve((_, response) => response.writeHead(302, { location: elsewhere }).end());
    const credentials = { origin: url, headers: { authorization: `Bearer ${KEY}`, 'x-team': KEY } };
    const { json } = await clientOf({ credentials }).text(url);
    expect(json()).toEqual({ said: 'undefined undefined /' });
  });

  it('is masked in text and JSON that repeat it; a word of the request is none', async () => {
    const origin = await serve(echo);
    const credentials = { origin, headers: { authorization: `Bearer ${KEY}` } };
    const client = clientOf({ credentials, secrets: ['singers', 'url-secret'] });
    const headers = { 'x-team': 'singers' };
    const asked = await client.ask(`${origin}/?key=url-secret`, { method: 'POST', headers, body: 'of singers' });
    expect(asked.json()).toEqual({ said: '[secret] singers /?key=[secret]' });
    expect(asked.text).not.toContain(KEY);
    const other = await client.ask(origin, { method: 'POST', headers, body: '' });
    expect(other.json()).toEqual({ said: '[secret] [secret] /' });
  });

  it('of a proxy is masked in what the proxy answers', async () => {
    const proxy = await serve(
      ({ headers }, response) => void response.end(`hush-hush ${headers['proxy-authorization']}`),
    );
    const environment = { HTTP_PROXY: proxy.replace('//', '//ann:hush-hush@') };
    const { text } = await clientOf({ environment }).text('http://service.invalid/');
    expect(text).toBe('[secret] Basic [secret]');
  });
});

describe('an address where nobody is', () => {
  it.each(['http://127.0.0.1:9', 'http://nobody.invalid'])('is asked once: %s', async (url) => {
    const pauses: string[] = [];
    const error = await failureOf(clientOf({ onPause: (line) => pauses.push(line) }).text(url));
    const { code } = error.cause as NodeJS.ErrnoException;
    // A machine without a resolver can't say that there is no such host.
    const isKnown = code !== 'EAI_AGAIN';
    expect([error.kind, error.passes]).toEqual(isKnown ? ['absent', false] : ['unreachable', true]);
    expect(pauses).toHaveLength(isKnown ? 0 : 5);
  });

  it('is asked again where somebody has answered before', async () => {
    const pauses: string[] = [];
    const client = clientOf({ onPause: (line) => pauses.push(line) });
    await client.text(await serve((_, response) => response.end('here')));
    const error = await failureOf(client.text('http://127.0.0.1:9'));
    expect([error.kind, pauses.length]).toEqual(['unreachable', 5]);
  });
});
