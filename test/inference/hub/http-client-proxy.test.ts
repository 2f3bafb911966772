import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DownloadError } from '../../../src/errors.js';
import { fixtureFiles } from './hub-server.js';
import { createBench } from './pull-fixture.js';

const ID = 'someone/tiny-roberta';

/** What a proxy answers whoever gives no password, or a wrong one; page and all. */
const WHO = 'Proxy Authentication Required';
const ASK = { 'proxy-authenticate': 'Basic realm="company"', 'content-type': 'text/html' };
const PAGE = `<html><body>${'Who are you? '.repeat(200)}</body></html>`;

/**
 * A proxy that notes what it is asked: it fetches http addresses, and refuses every tunnel. With `password` ("user:password")
 * it wants that one first.
 */
async function startProxy(
  password: string | null = null,
): Promise<{ address: string; forwarded: string[]; tunnels: string[] }> {
  const [forwarded, tunnels]: [string[], string[]] = [[], []];
  const expected = password === null ? undefined : `Basic ${Buffer.from(password).toString('base64')}`;
  const isKnown = ({ headers }: IncomingMessage): boolean => headers['proxy-authorization'] === expected;
  const proxy = createServer((request, response) => {
    const { url = '', method = 'GET' } = request;
    forwarded.push(url);
    if (!isKnown(request)) {
      response.writeHead(407, WHO, ASK).end(PAGE);
      return;
    }
    const headers = Object.entries(request.headers).filter(([name]) => name === 'range' || name === 'authorization');
    void fetch(url, { method, headers: headers as [string, string][], redirect: 'manual' }).then(async (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  }).on('connect', (request, socket) => {
    tunnels.push(request.url ?? '');
    const asking = Object.entries(ASK).map(([name, value]) => `${name}: ${value}\r\n`);
    if (isKnown(request)) socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    else socket.end(`HTTP/1.1 407 ${WHO}\r\n${asking.join('')}content-length: ${PAGE.length}\r\n\r\n${PAGE}`);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, forwarded, tunnels };
}

test('http goes through the proxy as plain requests, hub and CDN alike, and around it for NO_PROXY', async () => {
  const { address, forwarded, tunnels } = await startProxy();
  const { server, pull, environment } = await createBench({ http_proxy: address });
  server.models[ID] = fixtureFiles('tiny-roberta-nli');
  await pull({ source: ID });
  const hosts = [server.url, server.cdnUrl].map((url) => new URL(url).host);
  expect([...new Set(forwarded.map((url) => new URL(url).host))].sort()).toEqual(hosts.sort());
  expect(tunnels).toEqual([]);
  forwarded.length = 0;
  await pull({ source: ID, name: 'again', environment: { ...environment, NO_PROXY: '127.0.0.1' } });
  expect(forwarded).toEqual([]);
});

test('https asks the proxy for a tunnel', async () => {
  const { address, forwarded, tunnels } = await startProxy();
  const { refusal } = await createBench({ https_proxy: address, HF_ENDPOINT: 'https://hub.invalid' });
  const { message } = await refusal({ source: ID });
  expect(message).toBe(`the service can’t be reached through the proxy ${new URL(address).host}`);
  expect(new Set(tunnels)).toEqual(new Set(['hub.invalid:443']));
  expect(forwarded).toEqual([]);
});

describe('a proxy that wants to know who asks', () => {
  const PASSWORD = 'hush hush/@%';
  const named = (address: string, password: string): string =>
    address.replace('//', `//me:${encodeURIComponent(password)}@`);
  const at = (address: string, https: boolean): NodeJS.ProcessEnv =>
    https ? { HTTPS_PROXY: address, HF_ENDPOINT: 'https://hub.invalid' } : { HTTP_PROXY: address };

  test.each([
    ['http', false],
    ['https', true],
  ])('is told as one, asked once and not shown with its password: %s', async (_, https) => {
    const { address, forwarded, tunnels } = await startProxy(`me:${PASSWORD}`);
    const { host } = new URL(address);
    const nameless = await createBench(at(address, https));
    const asked = await nameless.refusal({ source: ID });
    expect(asked).toBeInstanceOf(DownloadError);
    expect(asked.message).toBe(`the proxy ${host} wants a user and password (407)`);
    expect(asked.fix).toMatch(/HTTPS_PROXY, HTTP_PROXY or ALL_PROXY.*http:\/\/user:password@host:port/);
    expect(asked.where.id).toMatch(/\/api\/models\/someone\/tiny-roberta/);
    expect([...forwarded, ...tunnels]).toHaveLength(1);
    const wrong = await createBench(at(named(address, 'wrong-secret'), https));
    const refused = await wrong.refusal({ source: ID });
    expect(refused.message).toBe(`the proxy ${host} does not accept the user and password (407)`);
    expect(refused.fix).toMatch(/^Check them/);
    expect(refused.render()).not.toMatch(/wrong-secret|me:/);
    expect([...forwarded, ...tunnels]).toHaveLength(2);
  });

  test('lets pass who gives them in its address', async () => {
    const { address, tunnels } = await startProxy(`me:${PASSWORD}`);
    const { server, pull } = await createBench(at(named(address, PASSWORD), false));
    server.models[ID] = fixtureFiles('tiny-roberta-nli');
    expect((await pull({ source: ID })).fetched).toBeGreaterThan(0);
    const tunneled = await createBench(at(named(address, PASSWORD), true));
    const { message } = await tunneled.refusal({ source: ID });
    // It refuses the tunnel for itself, with 403: who asks is known.
    expect(message).toBe(`the service can’t be reached through the proxy ${new URL(address).host}`);
    expect(new Set(tunnels)).toEqual(new Set(['hub.invalid:443']));
  });
});
