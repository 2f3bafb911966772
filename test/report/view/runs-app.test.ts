import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToken } from '../../../src/http/access-token.js';
import { hostNamesOf, LOOPBACK } from '../../../src/http/local-server.js';
import { createRunsApp } from '../../../src/report/view/runs-app.js';
import { makeTempFolder } from '../../e2e/run-cli.js';
import { writeManifest, writeReport } from './runs-fixture.js';

const HOST = `${LOOPBACK}:4748`;
const TOKEN = createToken();

let temp: ReturnType<typeof makeTempFolder>;
let app: ReturnType<typeof createRunsApp>;
beforeEach(() => {
  temp = makeTempFolder();
  const onFault = (error: unknown): never => {
    throw error;
  };
  app = createRunsApp({ folder: join(temp.path, 'runs'), token: TOKEN, hosts: hostNamesOf(LOOPBACK), onFault });
  writeManifest(at('RUN'), 'attack');
  writeReport(at('RUN/report.html'), 'attack', 'spider', 'It falls');
  writeReport(at('100% #1?/ü.html'), 'evaluate', 'pred.sql', 'It <fits>');
  writeFileSync(at('RUN/answers.jsonl'), 'secret');
  writeReport(join(temp.path, 'outside.html'), 'evaluate', 'x', 'secret');
});
afterEach(() => temp.remove());

const at = (...path: string[]): string => join(temp.path, 'runs', ...path);

async function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Response> {
  return app.request(`http://${HOST}${path}`, { method, headers: { host: HOST, ...headers } });
}

async function links(path: string): Promise<string[]> {
  const page = await (await ask(path)).text();
  return [...page.matchAll(/href="(reports\/[^"]*)"/g)].map(([, link]) => link ?? '');
}

describe('the page over all runs', () => {
  it('links to each report, whatever its name', async () => {
    const reports = await links(`/${TOKEN}/`);
    expect(reports).toHaveLength(2);
    for (const report of reports) {
      const answer = await ask(`/${TOKEN}/${report}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await answer.text()).toMatch(/It falls|It &lt;fits&gt;/);
    }
  });

  it('has a section for each kind, linked from the top', async () => {
    const page = await (await ask(`/${TOKEN}/`)).text();
    const sections = [...page.matchAll(/<a href="#(kind-\d)">(.*?)<\/a>/g)].map(([, id, text]) => [id, text]);
    expect(sections).toEqual([
      ['kind-1', 'attack 1'],
      ['kind-2', 'evaluate 1'],
    ]);
    for (const [id] of sections) expect(page).toContain(`<section id="${id}"`);
  });

  it('is read again at each load', async () => {
    unlinkSync(at('RUN/report.html'));
    expect(await links(`/${TOKEN}/`)).toHaveLength(1);
    expect((await ask(`/${TOKEN}/reports/RUN/report.html`)).status).toBe(404);
  });
});

describe('a request', () => {
  it.each(['/', '/reports/RUN/report.html', `/${createToken()}/`, `/${TOKEN}x/`, `/?token=${TOKEN}`])(
    'without the token finds nothing: %s',
    async (path) => {
      const answer = await ask(path, { cookie: `token=${TOKEN}`, authorization: `Bearer ${TOKEN}` });
      expect([answer.status, await answer.text()]).toEqual([404, 'there is nothing at this path']);
    },
  );

  it.each(['evil.example', `${LOOPBACK}.evil.example`, ''])('to the host "%s" is refused', async (host) => {
    expect((await ask(`/${TOKEN}/`, { host })).status).toBe(403);
  });

  it.each(['http://evil.example', 'null', 'http://127.0.0.1:9'])('of a page of %s is refused', async (origin) => {
    expect((await ask(`/${TOKEN}/`, { origin })).status).toBe(403);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('to %s is refused', async (method) => {
    expect((await ask(`/${TOKEN}/`, {}, method)).status).toBe(403);
  });

  it('may ask for headers alone', async () => {
    const answer = await ask(`/${TOKEN}/`, { origin: `http://${HOST}` }, 'HEAD');
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  it('gets pages that load nothing and can’t read one another', async () => {
    for (const path of [`/${TOKEN}/`, `/${TOKEN}/reports/RUN/report.html`, '/nothing']) {
      const { headers } = await ask(path);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*; sandbox allow-scripts$/);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it.each([
    'RUN/answers.jsonl',
    'RUN/run.json',
    'RUN',
    'RUN/',
    '',
    '../outside.html',
    '..%2foutside.html',
    '%2e%2e/outside.html',
    '%252e%252e%252foutside.html',
    'RUN/../../outside.html',
    'RUN%2f..%2f..%2foutside.html',
    '..\\outside.html',
    '/etc/passwd',
    '%2fetc%2fpasswd',
    'RUN/report.html%00',
    './RUN/./report.html/.',
    '__proto__',
    '%',
  ])('for reports/%s finds nothing', async (path) => {
    const answer = await ask(`/${TOKEN}/reports/${path}`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('secret');
  });

  it('follows no symbolic link', async () => {
    symlinkSync(join(temp.path, 'outside.html'), at('link.html'));
    symlinkSync(temp.path, at('link'));
    for (const path of ['link.html', 'link/outside.html'])
      expect((await ask(`/${TOKEN}/reports/${path}`)).status).toBe(404);
    unlinkSync(at('RUN/report.html'));
    symlinkSync(join(temp.path, 'outside.html'), at('RUN/report.html'));
    expect((await ask(`/${TOKEN}/reports/RUN/report.html`)).status).toBe(404);
  });
});

describe('an empty folder', () => {
  it('says how to make a run', async () => {
    rmSync(at(), { recursive: true });
    mkdirSync(at());
    const page = await (await ask(`/${TOKEN}/`)).text();
    expect(page).toContain('<h1>There is no run here yet</h1>');
    expect(page).toContain('perturbql demo');
  });
});
