import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { CHROMIUM } from '../chromium-path.js';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
  readonly params?: Record<string, unknown>;
}

export interface View {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  readonly hash?: string;
}

/** One page in a headless browser, driven by Chrome's protocol over pipes: no package, no port. */
export class ChromiumPage {
  readonly #process: ChildProcess;
  /** Its profile and the pages that it opens; removed with it. */
  readonly folder = mkdtempSync(join(tmpdir(), 'perturbql-page-'));
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #events = new Map<string, () => void>();
  /** What the page complained of: uncaught errors, refused resources, lines of its console. */
  readonly complaints: string[] = [];
  #last = 0;
  #session: string | null = null;

  private constructor() {
    const profile = `--user-data-dir=${join(this.folder, 'profile')}`;
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--remote-debugging-pipe'];
    this.#process = spawn(CHROMIUM!, [...flags, profile, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      // A group of its own, so that its helpers, which write to the profile, end with it.
      detached: true,
    });
    let rest = '';
    (this.#process.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      const messages = (rest + chunk).split('\0');
      rest = messages.pop()!;
      for (const message of messages) this.#receive(JSON.parse(message) as Message);
    });
  }

  static async start(): Promise<ChromiumPage> {
    const page = new ChromiumPage();
    const { targetInfos } = (await page.send('Target.getTargets')) as {
      targetInfos: { targetId: string; type: string }[];
    };
    const { targetId } = targetInfos.find(({ type }) => type === 'page')!;
    const { sessionId } = await page.send('Target.attachToTarget', { targetId, flatten: true });
    page.#session = sessionId as string;
    for (const domain of ['Page', 'Runtime', 'Log']) await page.send(`${domain}.enable`);
    return page;
  }

  send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    const session = this.#session === null ? {} : { sessionId: this.#session };
    (this.#process.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result ?? {});
        else reject(new Error(`${method}: ${error.message}`));
      });
    });
  }

  /** Opens markup as a file. */
  async open(markup: string, { width = 1280, height = 900, dark = false, hash = '' }: View = {}): Promise<void> {
    const file = join(this.folder, 'page.html');
    writeFileSync(file, markup);
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    await this.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }],
    });
    // A change of the hash alone would not load the page again.
    await this.#goTo('about:blank');
    await this.#goTo(pathToFileURL(file).href + hash);
  }

  async #goTo(url: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => this.#events.set('Page.loadEventFired', resolve));
    await this.send('Page.navigate', { url });
    await loaded;
  }

  /** The value of an expression, or of what it promises. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = (await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })) as { result: { value: T }; exceptionDetails?: { exception?: { description?: string } } };
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? 'the page threw');
    return result.value;
  }

  async press(key: string, code = key): Promise<void> {
    const codes: Readonly<Record<string, number>> = { Enter: 13, Tab: 9, ' ': 32 };
    const base = { key, code, windowsVirtualKeyCode: codes[key] ?? 0, ...(key === 'Enter' ? { text: '\r' } : {}) };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...base });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...base });
  }

  /** Writes a picture, of the whole page or of what is in view. */
  async screenshot(file: string, whole = false): Promise<void> {
    const { data } = await this.send('Page.captureScreenshot', {
      captureBeyondViewport: whole,
      ...(await this.#clip(whole)),
    });
    writeFileSync(file, Buffer.from(data as string, 'base64'));
  }

  async #clip(whole: boolean): Promise<Record<string, unknown>> {
    if (!whole) return {};
    const { cssContentSize } = (await this.send('Page.getLayoutMetrics')) as { cssContentSize: Record<string, number> };
    return { clip: { ...cssContentSize, scale: 1 } };
  }

  async pdf(file: string): Promise<void> {
    const { data } = await this.send('Page.printToPDF', {
      printBackground: false,
      paperWidth: 8.27,
      paperHeight: 11.69,
    });
    writeFileSync(file, Buffer.from(data as string, 'base64'));
  }

  /** Of the browser, and of the group of its helpers. */
  get pid(): number {
    return this.#process.pid!;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    process.kill(-this.pid, 'SIGKILL');
    await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  #receive(message: Message): void {
    if (message.id !== undefined) {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
      return;
    }
    const { method = '', params = {} } = message;
    this.#events.get(method)?.();
    if (method === 'Runtime.exceptionThrown' || method === 'Runtime.consoleAPICalled' || method === 'Log.entryAdded') {
      this.complaints.push(JSON.stringify(params));
    }
  }
}
