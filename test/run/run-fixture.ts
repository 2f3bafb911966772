import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** A new folder that goes when the test ends. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-run-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Address of a built module, for a child's import. */
export function builtModule(path: string): string {
  return fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));
}

/** A Node process that runs a module's text with arguments; it goes when the test ends. */
export class ScriptProcess {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #exit: Promise<unknown>;

  constructor(script: string, args: readonly string[]) {
    this.#child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#exit = once(this.#child, 'exit');
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
    onTestFinished(() => this.kill());
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** The next line that it prints; null at its end. */
  async nextLine(): Promise<string | null> {
    const line = (await this.#lines.next()) as IteratorResult<string, undefined>;
    return line.done === true ? null : line.value;
  }

  /** kill -9, and waits until it is gone. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }
}
