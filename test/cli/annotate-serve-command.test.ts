import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnnotationProject } from '../../src/annotate/project/annotation-project.js';
import { createSampleProject, sampleItems } from '../annotate/sample-project.js';
import { answerOf, itemPath } from '../annotate/server/app-fixture.js';
import { makeTempFolder, runCli, startCli, type StartedCli } from '../e2e/run-cli.js';

const ITEM = sampleItems()[0]!.item;

let temp: ReturnType<typeof makeTempFolder>;
let file: string;
const started: StartedCli[] = [];
beforeEach(() => {
  temp = makeTempFolder();
  ({ file } = createSampleProject(temp.path));
});
afterEach(async () => {
  for (const { child, result } of started.splice(0)) {
    child.kill('SIGKILL');
    await result;
  }
  temp.remove();
});

interface Serving extends StartedCli {
  readonly links: ReadonlyMap<string, URL>;
}

/** Starts the command and reads the link of each of the three people. */
async function serve(...more: string[]): Promise<Serving> {
  const cli = startCli(['annotate', 'serve', '--project', file, '--no-judge', ...more], { cwd: temp.path });
  started.push(cli);
  const links = new Map<string, URL>();
  for await (const line of createInterface(cli.child.stdout!)) {
    const [, name, link] = /^ {2}(\w+) +(?:annotator|reviewer) +(http:\S+)$/.exec(line) ?? [];
    if (name !== undefined) links.set(name, new URL(link!));
    if (links.size === 3) break;
  }
  expect([...links.keys()], links.size === 3 ? '' : (await cli.result).stderr).toEqual(['Ada', 'Ben', 'Rita']);
  return { ...cli, links };
}

function ask(link: URL, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${link.hash.replace('#token=', '')}` };
  return fetch(
    new URL(path, link),
    body === undefined ? { headers } : { headers, method: 'PUT', body: JSON.stringify(body) },
  );
}

function save(link: URL, comment: string, baseRevision: number): Promise<Response> {
  return ask(link, itemPath(ITEM.id, '/answer'), { answer: answerOf([], { state: 'draft', comment }), baseRevision });
}

describe('annotate serve', () => {
  it('prints a link of their own for each person, and serves the page there', async () => {
    const { links } = await serve('--port', '0');
    expect(new Set([...links.values()].map(({ hash }) => hash)).size).toBe(3);
    for (const [name, link] of links) {
      const me: unknown = await (await ask(link, '/api/me')).json();
      expect(me).toMatchObject({ person: { name }, project: { name: 'Lighthouse museum' } });
    }
    const page = await fetch(new URL('/', links.get('Ada')));
    expect(await page.text()).toContain('<div id="app">');
  });

  it('has an answer in the file once it says saved, whatever ends it then; links live on', async () => {
    const { links, child, result } = await serve('--port', '0');
    const ada = links.get('Ada')!;
    for (let revision = 0; revision < 20; revision++) {
      expect((await save(ada, `draft ${revision}`, revision)).status).toBe(200);
    }
    const last = save(ada, 'cut off', 20).catch(() => null);
    child.kill('SIGKILL');
    const answered = await last;
    expect((await result).signal).toBe('SIGKILL');
    const project = AnnotationProject.open(file);
    const kept = project.answer(ITEM.id, 'Ada')!;
    expect(project.history(ITEM.id, 'Ada')).toHaveLength(kept.revision);
    expect(kept.revision).toBeGreaterThanOrEqual(answered === null ? 20 : 21);
    project.close();

    const again = await serve('--port', ada.port);
    expect(again.links).toEqual(links);
    const opened = (await (await ask(ada, itemPath(ITEM.id))).json()) as { answer: unknown };
    expect(opened.answer).toEqual(kept);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends cleanly at %s', async (signal) => {
    const { links, child, result } = await serve('--port', '0');
    expect((await save(links.get('Ben')!, 'before', 0)).status).toBe(200);
    child.kill(signal);
    const { code, stderr } = await result;
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Ctrl+C ends it; every saved answer is kept.\n' });
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  it('warns where other machines reach it', async () => {
    const { child, result, links } = await serve('--port', '0', '--host', '0.0.0.0', '--allow-remote');
    expect(links.get('Ada')!.hostname).toBe(hostname().toLowerCase());
    child.kill('SIGTERM');
    expect((await result).stderr).toContain(
      'warning: 0.0.0.0 can be reached from other machines, and nothing on the way is encrypted\n',
    );
  });

  it.each([
    [['--host', '0.0.0.0'], /0\.0\.0\.0 can be reached from other machines\n {2}fix: Give --allow-remote/],
    [['--host', '::'], /:: can be reached from other machines/],
    [['--port', 'http'], /option --port is wrong: a port is expected/],
    [['--port', '70000'], /option --port is wrong: a port is at most 65535/],
    [['--project', 'missing.db'], /missing\.db: there is no such file\n/],
  ])('refuses %o', async (more, message) => {
    const { code, stdout, stderr } = await runCli(['annotate', 'serve', '--project', file, ...more], {
      cwd: temp.path,
    });
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
