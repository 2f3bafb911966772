import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { StoredAnswer } from '../../../src/annotate/annotation.js';
import { AnnotationProject } from '../../../src/annotate/project/annotation-project.js';
import { CHROMIUM } from '../../chromium-path.js';
import { createSampleProject, type SampleOptions } from '../sample-project.js';
import { AnnotationServer } from './annotation-server.js';

/** Nothing but this machine is reached, as with the network off. */
const OFFLINE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/** More than the tests of a file have need of. */
const ANNOTATORS = 24;
const MANY: SampleOptions = {
  annotators: Array.from({ length: ANNOTATORS }, (_, i) => `Annotator ${i}`),
  settings: { overlap: ANNOTATORS },
};

/** Launch options of every browser here. */
export const LAUNCH = { executablePath: CHROMIUM!, args: ['--no-sandbox', OFFLINE] };

/** A project, its server, and a browser for its people. */
export class PageBench {
  readonly folder: string;
  readonly server: AnnotationServer;
  readonly browser: Browser;
  readonly file: string;
  readonly #tokens: ReadonlyMap<string, string>;
  #annotators = 0;
  /** What pages complained of: uncaught errors, errors in their console, broken rules of the content policy. */
  readonly complaints: string[] = [];
  /** Where pages went. */
  readonly origins = new Set<string>();

  private constructor(folder: string, browser: Browser, options: SampleOptions) {
    this.folder = folder;
    this.browser = browser;
    const { file, tokens } = createSampleProject(folder, options);
    this.file = file;
    this.#tokens = tokens;
    this.server = new AnnotationServer(file);
  }

  /** Many annotators by default, each with every column, so that each test has one of its own. */
  static async start(options: SampleOptions = MANY): Promise<PageBench> {
    const folder = mkdtempSync(join(tmpdir(), 'perturbql-annotate-page-'));
    const bench = new PageBench(folder, await chromium.launch(LAUNCH), options);
    await bench.server.start();
    return bench;
  }

  /** The name of an annotator whom no other test has had. */
  newcomer(): string {
    return `Annotator ${this.#annotators++}`;
  }

  linkOf(name: string): string {
    return this.server.linkOf(this.#tokens.get(name)!);
  }

  /** A browser of one's own: nothing of another person's is kept in it. */
  newContext(width = 1280): Promise<BrowserContext> {
    return this.browser.newContext({ viewport: { width, height: 860 }, reducedMotion: 'reduce' });
  }

  /** The page as a person opens it by their link. */
  async signIn(name: string): Promise<Page> {
    return this.openLink(await this.newContext(), name);
  }

  async openLink(context: BrowserContext, name: string): Promise<Page> {
    const page = this.watch(await context.newPage());
    await page.goto(this.linkOf(name));
    await page.locator('main h1').waitFor();
    return page;
  }

  watch(page: Page): Page {
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()));
    page.on('request', (request) => this.origins.add(new URL(request.url()).origin));
    return page;
  }

  /** Works with the project's file itself. */
  inProject<T>(work: (project: AnnotationProject) => T): T {
    const project = AnnotationProject.open(this.file);
    try {
      return work(project);
    } finally {
      project.close();
    }
  }

  stored(id: string, name: string): StoredAnswer | null {
    return this.inProject((project) => project.answer(id, name));
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.kill();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Waits until the server has confirmed the answer on a page. */
export async function saved(page: Page): Promise<void> {
  await page.locator('[data-save=saved]').waitFor();
}

/** Opens the first column of the first chunk by keys; returns its id. */
export async function beginWork(page: Page): Promise<string> {
  await page.locator('.chunks').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.rows').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.answer').waitFor();
  return idOnScreen(page);
}

/** The id of the column that the address names, once the page shows it. */
export async function idOnScreen(page: Page): Promise<string> {
  const id = decodeURIComponent(new URL(page.url()).hash.split('/').at(-1)!);
  await page.locator(`.answer[data-item="${id}"]`).waitFor();
  return id;
}

/** Waits until the page shows another column than `id`; returns its id. */
export async function nextColumn(page: Page, id: string): Promise<string> {
  await page.waitForURL((url) => !url.hash.endsWith(encodeURIComponent(id)));
  return idOnScreen(page);
}

export function namesTaken(page: Page): Promise<readonly string[]> {
  return page.locator('[role=option][aria-selected=true] .name').allTextContents();
}
