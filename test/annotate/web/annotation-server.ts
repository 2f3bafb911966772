import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('serve-project.mjs', import.meta.url));

/** The real server over a project, in a process of its own that can be killed and started again at its port. */
export class AnnotationServer {
  readonly #file: string;
  #process: ChildProcess | null = null;
  url = '';

  constructor(file: string) {
    this.#file = file;
  }

  async start(): Promise<void> {
    const port = this.url === '' ? '0' : new URL(this.url).port;
    const child = spawn(process.execPath, [SCRIPT, this.#file, port], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    const [line] = (await Promise.race([
      once(createInterface(child.stdout), 'line'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`the server ended with ${String(code)}`);
      }),
    ])) as [string];
    this.url = line;
  }

  /** As a power cut ends it. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  linkOf(token: string): string {
    return `${this.url}/#token=${token}`;
  }
}
