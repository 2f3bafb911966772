import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleItems } from '../sample-project.js';
import { answerOf, HOST, itemPath, openApp, type TestedApp } from './app-fixture.js';

const ITEM = sampleItems()[0]!.item.id;
const SAVE = { method: 'PUT', as: 'Ada', body: { answer: answerOf([], { state: 'draft' }), baseRevision: 0 } };
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

let app: TestedApp;
let time = Date.parse('2026-01-05T09:00:00Z');
beforeAll(() => {
  app = openApp({}, { now: () => time });
});
afterAll(() => app.close());

describe('headers', () => {
  it.each([
    ['/', {}],
    ['/nothing', {}],
    ['/api/health', {}],
    ['/api/me', {}],
    ['/api/me', { as: 'Ada' }],
    ['/api/me', { as: 'Ada', headers: { host: 'evil.example' } }],
    [itemPath('nothing'), { as: 'Ada' }],
  ])('of %s %o guard the page', async (path, options) => {
    const { headers } = await app.ask(path, options);
    expect(headers.get('content-security-policy')).toBe(POLICY);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('forbid to store what the API says', async () => {
    for (const options of [{}, { as: 'Ada' }])
      expect((await app.ask('/api/me', options)).headers.get('cache-control')).toBe('no-store');
  });
});

describe('the host name', () => {
  it.each(['127.0.0.1:4747', 'localhost:4747', 'LOCALHOST', '127.0.0.1'])('%s is one of ours', async (host) => {
    expect((await app.ask('/api/health', { headers: { host } })).status).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:4747',
    '127.0.0.1.evil.example',
    'evil.example#localhost',
    'evil.example@localhost',
    'localhost/',
    'localhost, evil.example',
    '[::1',
    '',
  ])('"%s" is refused everywhere', async (host) => {
    for (const path of ['/', '/app.js', '/api/health', '/api/me'])
      expect(await app.json(path, { as: 'Ada', headers: { host } })).toMatchObject({
        status: 403,
        body: { error: { code: 'bad-host' } },
      });
  });
});

describe('the origin of a write', () => {
  it.each([undefined, `http://${HOST}`])('may be %s', async (origin) => {
    const headers = origin === undefined ? {} : { origin };
    expect((await app.ask(itemPath(ITEM, '/answer'), { ...SAVE, headers })).status).toBe(200);
  });

  it.each(['http://evil.example', 'http://127.0.0.1:8080', 'http://localhost:4747', 'null', '', 'file://', 'nonsense'])(
    '"%s" is refused',
    async (origin) => {
      expect(await app.json(itemPath(ITEM, '/answer'), { ...SAVE, headers: { origin } })).toMatchObject({
        status: 403,
        body: { error: { code: 'bad-origin' } },
      });
    },
  );

  it('is not asked of reading, and a preflight is granted nothing', async () => {
    const headers = { origin: 'http://evil.example' };
    expect((await app.ask('/api/me', { as: 'Ada', headers })).status).toBe(200);
    const preflight = await app.ask('/api/me', { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(403);
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the token', () => {
  const wrong = (authorization: string): ReturnType<TestedApp['ask']> =>
    app.ask('/api/me', { headers: { authorization } });

  it('is asked of everything but health', async () => {
    const paths = ['/api/me', '/api/chunks', '/api/guidelines', '/api/qualification', '/api/review', '/api/nothing'];
    for (const path of [...paths, itemPath(ITEM), itemPath(ITEM, '/scores')])
      expect(await app.json(path)).toMatchObject({ status: 401, body: { error: { code: 'no-token' } } });
    expect((await app.ask(itemPath(ITEM, '/answer'), { method: SAVE.method, body: SAVE.body })).status).toBe(401);
    expect(await app.json('/api/health')).toEqual({ status: 200, body: { ok: true } });
  });

  it('in another place than the header is none', async () => {
    const token = app.tokens.get('Ada')!;
    expect((await app.ask(`/api/me?token=${token}`)).status).toBe(401);
    expect((await app.ask('/api/me', { headers: { cookie: `token=${token}` } })).status).toBe(401);
    for (const scheme of ['Basic ', 'bearer', '']) expect((await wrong(`${scheme}${token}`)).status).toBe(401);
  });

  it('that is wrong too often has to wait, while right ones from the same address go on', async () => {
    for (let i = 0; i < 10; i++) {
      const { status, body } = await app.json('/api/me', { headers: { authorization: `Bearer guess${i}` } });
      expect({ status, body }).toMatchObject({ status: 401, body: { error: { code: 'bad-token' } } });
    }
    const refused = await wrong('Bearer guess');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(await refused.json()).toMatchObject({ error: { code: 'too-many', fix: 'Try again in 60 seconds.' } });
    for (const as of ['Rita', 'Ada']) expect((await app.ask('/api/me', { as })).status).toBe(200);
    time += 59_500;
    expect((await wrong('Bearer guess')).headers.get('retry-after')).toBe('1');
    time += 500;
    expect((await wrong('Bearer guess')).status).toBe(401);
  });

  it('is dead once it is renewed', async () => {
    const fresh = openApp();
    expect((await fresh.ask('/api/me', { as: 'Ada' })).status).toBe(200);
    const renewed = fresh.project.renewToken('Ada');
    expect((await fresh.ask('/api/me', { as: 'Ada' })).status).toBe(401);
    expect((await fresh.ask('/api/me', { headers: { authorization: `Bearer ${renewed}` } })).status).toBe(200);
    fresh.close();
  });
});

describe('the files of the page', () => {
  it.each([
    ['/', 'text/html; charset=utf-8'],
    ['/index.html', 'text/html; charset=utf-8'],
    ['/app.js', 'text/javascript; charset=utf-8'],
    ['/parts/key.svg', 'image/svg+xml'],
  ])('%s is sent as %s, and once only', async (path, type) => {
    const first = await app.ask(path);
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe(type);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag')!;
    const again = await app.ask(path, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await app.ask(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    const head = await app.ask(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });

  it.each([
    '/../secret.js',
    '/..%2fsecret.js',
    '/%2e%2e/secret.js',
    '/%2e%2e%2fsecret.js',
    '/%252e%252e%252fsecret.js',
    '/parts/../../secret.js',
    '/parts/..%2f..%2fsecret.js',
    '/..\\secret.js',
    '/..%5csecret.js',
    '//secret.js',
    '/app.js%00.html',
    '/./app.js/.',
    '/project.db',
    '/parts',
    '/parts/',
    '/__proto__',
    '/%',
  ])('%s leads to nothing', async (path) => {
    const response = await app.ask(path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('secret');
  });

  it('are only read', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await app.ask('/app.js', { method })).status).toBe(404);
  });
});
