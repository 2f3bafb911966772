import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '../../../src/annotate/annotation.js';
import { AnnotationProject } from '../../../src/annotate/project/annotation-project.js';
import { type AnnotationAppOptions, createAnnotationApp } from '../../../src/annotate/server/annotation-app.js';
import { PageAssets } from '../../../src/annotate/server/page-assets.js';
import { makeTempFolder } from '../../e2e/run-cli.js';
import { createSampleProject, type SampleOptions } from '../sample-project.js';

/** Host that the app of the tests answers to. */
export const HOST = '127.0.0.1:4747';

interface AskOptions {
  /** Who asks, by the token of the sample project; left out: nobody. */
  readonly as?: string;
  readonly method?: string;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestedApp {
  readonly project: AnnotationProject;
  readonly tokens: ReadonlyMap<string, string>;
  readonly faults: unknown[];
  readonly folder: string;
  ask(path: string, options?: AskOptions): Promise<Response>;
  /** The JSON of an answer, whatever its status. */
  json(path: string, options?: AskOptions): Promise<{ readonly status: number; readonly body: unknown }>;
  close(): void;
}

/** An answer of a test: names taken, and what else is said. */
export function answerOf(accepted: readonly string[], more: Partial<Answer> = {}): Answer {
  return { state: 'done', accepted, written: [], comment: '', flagged: false, ...more };
}

/** Path of an item's calls. */
export function itemPath(id: string, call = ''): string {
  return `/api/items/${encodeURIComponent(id)}${call}`;
}

/** A folder with a page of three files, and a file next to it that no request may reach. */
export function writePage(folder: string): string {
  const page = join(folder, 'web');
  mkdirSync(join(page, 'parts'), { recursive: true });
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(page, 'app.js'), 'export {};');
  writeFileSync(join(page, 'parts', 'key.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'secret.js'), 'secret');
  return page;
}

function toRequest(path: string, tokens: ReadonlyMap<string, string>, options: AskOptions): Request {
  const { as, method = 'GET', body, headers = {} } = options;
  const signedIn: Record<string, string> = as === undefined ? {} : { authorization: `Bearer ${tokens.get(as)!}` };
  const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  return new Request(`http://${HOST}${path}`, { method, headers: { host: HOST, ...signedIn, ...headers }, ...content });
}

/** The app over a sample project in a folder of its own. */
export function openApp(
  sample: SampleOptions = {},
  options: Partial<Pick<AnnotationAppOptions, 'aids' | 'now'>> = {},
): TestedApp {
  const temp = makeTempFolder();
  const { file, tokens } = createSampleProject(temp.path, sample);
  const project = AnnotationProject.open(file);
  const faults: unknown[] = [];
  const app = createAnnotationApp(project, {
    assets: PageAssets.load(writePage(temp.path)),
    guidelines: '<h2>Guidelines</h2>',
    hosts: new Set(['127.0.0.1', 'localhost']),
    onFault: (error) => faults.push(error),
    ...options,
  });
  const ask = async (path: string, asked: AskOptions = {}): Promise<Response> =>
    app.request(toRequest(path, tokens, asked), undefined, {});
  return {
    project,
    tokens,
    faults,
    folder: temp.path,
    ask,
    json: async (path, asked) => {
      const response = await ask(path, asked);
      return { status: response.status, body: await response.json() };
    },
    close: () => {
      project.close();
      temp.remove();
    },
  };
}
