import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fixtureFiles } from './hub-server.js';
import { createBench } from './pull-fixture.js';

const ID = 'someone/tiny-roberta';

/** A proxy that notes what it is asked: it fetches http addresses, and refuses every tunnel. */
async function startProxy(): Promise<{ address: string; forwarded: string[]; tunnels: string[] }> {
  const [forwarded, tunnels]: [string[], string[]] = [[], []];
  const proxy = createServer((request, response) => {
    const { url = '', method = 'GET' } = request;
    forwarded.push(url);
    const headers = Object.entries(request.headers).filter(([name]) => name === 'range' || name === 'authorization');
    void fetch(url, { method, headers: headers as [string, string][], redirect: 'manual' }).then(async (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  }).on('connect', (request, socket) => {
    tunnels.push(request.url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
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
