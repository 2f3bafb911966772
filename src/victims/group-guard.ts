import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Writable } from 'node:stream';

const SHELL = '/bin/sh';

/**
 * Waits for a word on a pipe from the process that runs this one. Where the pipe ends without it, that process is dead:
 * whatever is left of the group is told to end, and killed. `read` fails at the end of its input.
 */
const SCRIPT = 'trap "" HUP INT TERM; read -r _ && exit; kill -TERM "-$0"; sleep "$1"; kill -KILL "-$0"';

/**
 * Ends a process group when this process dies, even by kill -9: a model that ignores the end of its input would
 * otherwise keep its memory and its GPU. A shell of its own watches; where there is none, nobody does.
 */
export class GroupGuard {
  readonly #shell: ChildProcessByStdio<Writable, null, null> | null = null;

  /** Guards the group of process `leader`; `graceMs` lie between SIGTERM and SIGKILL. */
  constructor(leader: number, graceMs: number) {
    if (!existsSync(SHELL)) return;
    const args = ['-c', SCRIPT, String(leader), String(Math.ceil(graceMs / 1000))];
    this.#shell = spawn(SHELL, args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    // No process can be started any more, or the shell was killed: then the group goes without a guard.
    this.#shell.on('error', () => undefined);
    this.#shell.stdin.on('error', () => undefined);
    this.#shell.unref();
  }

  /** The group is gone, and its number may be given to another. */
  release(): void {
    this.#shell?.stdin.end('\n');
  }
}
