import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnnotationProject } from '../../../src/annotate/project/annotation-project.js';
import { createAnnotationApp } from '../../../src/annotate/server/annotation-app.js';
import { PageAssets } from '../../../src/annotate/server/page-assets.js';
import { hostNamesOf, type RunningServer, serveLocally } from '../../../src/http/local-server.js';
import { isLoopback } from '../../../src/http/http-url.js';
import { makeTempFolder } from '../../e2e/run-cli.js';
import { createSampleProject, sampleItems } from '../sample-project.js';
import { answerOf, itemPath, writePage } from './app-fixture.js';

const ITEM = sampleItems()[0]!.item;
const LOCAL = '127.0.0.1';

let temp: ReturnType<typeof makeTempFolder>;
let project: AnnotationProject;
let server: RunningServer;
let authorization: string;
beforeEach(async () => {
  temp = makeTempFolder();
  const { file, tokens } = createSampleProject(temp.path);
  authorization = `Bearer ${tokens.get('Ada')!}`;
  project = AnnotationProject.open(file);
  server = await serveLocally(createApp(), LOCAL, 0);
});
afterEach(async () => {
  await server.close();
  project.close();
  temp.remove();
});

function createApp(): ReturnType<typeof createAnnotationApp> {
  return createAnnotationApp(project, {
    assets: PageAssets.load(writePage(temp.path)),
    guidelines: '',
    hosts: hostNamesOf(LOCAL),
    onFault: (error) => {
      throw error;
    },
  });
}

/** A request written byte by byte, so that no client repairs its path or headers. */
async function sendRaw(lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), LOCAL);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.end(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  await once(socket, 'close');
  return Buffer.concat(parts).toString();
}

describe('the listening server', () => {
  it('sends the page and keeps answers', async () => {
    const page = await fetch(`${server.url}/`);
    expect([page.status, await page.text()]).toEqual([200, '<!doctype html><title>page</title>']);
    const saved = await fetch(`${server.url}${itemPath(ITEM.id, '/answer')}`, {
      method: 'PUT',
      headers: { authorization, origin: server.url },
      body: JSON.stringify({ answer: answerOf([ITEM.candidates[0]!.name]), baseRevision: 0 }),
    });
    expect(await saved.json()).toEqual(project.answer(ITEM.id, 'Ada'));
  });

  it('reads a body of unstated length as far as the cap', async () => {
    const put = (comment: string): Promise<Response> => {
      const text = JSON.stringify({ answer: answerOf([], { state: 'draft', comment }), baseRevision: 0 });
      const body = new Blob([text]).stream();
      const url = `${server.url}${itemPath(ITEM.id, '/answer')}`;
      return fetch(url, { method: 'PUT', headers: { authorization }, body, duplex: 'half' });
    };
    const refused = await put('x'.repeat(1_000_000));
    expect([refused.status, await refused.json()]).toMatchObject([413, { error: { code: 'too-large' } }]);
    expect(project.answer(ITEM.id, 'Ada')).toBeNull();
    expect(await (await put('bündig')).json()).toMatchObject({ comment: 'bündig', revision: 1 });
  });

  it.each(['DELETE', 'PATCH', 'OPTIONS'])('knows nothing to %s', async (method) => {
    expect((await fetch(`${server.url}/api/me`, { method, headers: { authorization } })).status).toBe(404);
  });

  it.each([
    '/../secret.js',
    '/..%2fsecret.js',
    '/%2e%2e/secret.js',
    '/parts/../../secret.js',
    '//../secret.js',
    '\\..\\secret.js',
  ])('gives nothing for the path %s', async (path) => {
    const answer = await sendRaw([`GET ${path} HTTP/1.1`, `Host: ${new URL(server.url).host}`]);
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).not.toContain('\r\n\r\nsecret');
  });

  it.each([['Host: evil.example'], ['Host: 127.0.0.1.evil.example'], []])(
    'refuses a request with %s',
    async (...host) => {
      expect(await sendRaw(['GET /api/health HTTP/1.1', ...host])).toMatch(/^HTTP\/1\.1 40[03] /);
    },
  );

  it('counts wrong tokens by address', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await fetch(`${server.url}/api/me`, { headers: { authorization: `Bearer wrong${i}` } })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });

  it('finishes a save that is under way when it is told to end, and takes no other', async () => {
    const body = JSON.stringify({ answer: answerOf([], { state: 'draft', comment: 'late' }), baseRevision: 0 });
    const { host, port } = new URL(server.url);
    const socket = connect(Number(port), LOCAL);
    const head = [`PUT ${itemPath(ITEM.id, '/answer')} HTTP/1.1`, `Host: ${host}`, `Authorization: ${authorization}`];
    socket.write(`${[...head, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body.slice(0, 10)}`);
    // Answered on another connection: so the first one has been read by now.
    await fetch(`${server.url}/api/health`);
    const closed = server.close();
    await expect(fetch(`${server.url}/api/health`)).rejects.toThrow();
    socket.write(body.slice(10));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    await closed;
    expect(project.answer(ITEM.id, 'Ada')).toMatchObject({ comment: 'late', revision: 1 });
  });

  it('names a port that is in use', async () => {
    const port = Number(new URL(server.url).port);
    await expect(serveLocally(createApp(), LOCAL, port)).rejects.toThrow(
      expect.objectContaining({ code: 'CONFIG', message: `127.0.0.1:${port} is in use` }) as Error,
    );
  });

  it('names an address that this machine has not', async () => {
    await expect(serveLocally(createApp(), '192.0.2.1', 0)).rejects.toThrow('192.0.2.1 is no address of this machine');
  });
});

describe('the hosts', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.8.0.1', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.0.7', false],
    ['127.0.0.1.example', false],
    ['', false],
  ])('%s is this machine alone: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });

  it('that a server answers to are its own', () => {
    expect([...hostNamesOf('127.0.0.1')]).toEqual(['localhost', '127.0.0.1', '[::1]']);
    expect(hostNamesOf('Box.example').has('box.example')).toBe(true);
    expect(hostNamesOf('fe80::1').has('[fe80::1]')).toBe(true);
    expect(hostNamesOf('0.0.0.0').size).toBeGreaterThan(3);
    expect(hostNamesOf('0.0.0.0').has('evil.example')).toBe(false);
  });
});
