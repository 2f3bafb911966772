import { type ChildProcessWithoutNullStreams, spawn, type ChildProcessByStdio } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { existsSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { causeText } from '../cause-text.js';

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
class GroupGuard {
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

/** Characters kept of what a process writes to stderr. */
const LAST_WORDS = 2_000;
/** Characters of a line on stdout; a model that writes more has no answer. */
const MAX_LINE = 16 << 20;
/** Milliseconds for reading what a process has left in its pipes: a child of its own may hold them open for ever. */
const DRAIN_MS = 500;

export interface CommandOptions {
  /** Program and arguments; no shell looks at them. */
  readonly command: readonly string[];
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

/** The events of a process. */
export interface CommandListener {
  /** A whole line of stdout without its end. */
  line(text: string): void;
  /** Stdout breaks the protocol beyond repair: a line without end. */
  flood(): void;
  /**
   * The process is gone, or could not be started; called once, never from the constructor. `reason` is for people:
   * "exit code 1".
   */
  end(reason: string, started: boolean): void;
}

/**
 * A program that reads lines and writes lines. It has a process group of its own, so that what it starts ends with it,
 * and all of it with this process.
 */
export class CommandProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #listener: CommandListener;
  readonly #graceMs: number;
  readonly #decoder = new StringDecoder('utf8');
  readonly #ended: Promise<void>;
  /** The pieces of the line that is being read. */
  #pieces: string[] = [];
  #length = 0;
  #stderr = '';
  #isOver = false;
  #kill: NodeJS.Timeout | undefined;
  readonly #guard: GroupGuard | null;

  constructor({ command, graceMs }: CommandOptions, listener: CommandListener) {
    const [program = '', ...rest] = command;
    this.#listener = listener;
    this.#graceMs = graceMs;
    this.#child = spawn(program, rest, {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32', // a terminal's Ctrl+C is for the parent alone
    });
    const { pid } = this.#child;
    this.#guard = pid === undefined || process.platform === 'win32' ? null : new GroupGuard(pid, graceMs);
    this.#ended = new Promise((resolve) => this.#watch(resolve));
  }

  /** The last it said on stderr. */
  get lastWords(): string {
    return this.#stderr.trim();
  }

  send(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Ends the process: SIGTERM, then SIGKILL. Settles when it is gone. */
  async stop(): Promise<void> {
    if (!this.#isOver && this.#kill === undefined) {
      this.#signal('SIGTERM');
      this.#kill = setTimeout(() => this.#signal('SIGKILL'), this.#graceMs);
    }
    await this.#ended;
  }

  /** Lets the process end by itself, as its input has; else stops it. */
  async close(): Promise<void> {
    this.#child.stdin.end();
    const timer = setTimeout(() => void this.stop(), this.#graceMs);
    await this.#ended;
    clearTimeout(timer);
  }

  #watch(resolve: () => void): void {
    const end = (reason: string): void => {
      if (this.#isOver) return;
      this.#isOver = true;
      clearTimeout(this.#kill);
      for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
      // What it has started and left behind.
      this.#signal('SIGKILL');
      this.#guard?.release();
      resolve();
      this.#listener.end(reason, this.#child.pid !== undefined);
    };
    const reasonOf = (code: number | null, signal: string | null): string => signal ?? `exit code ${code}`;
    this.#child.on('error', (error) => {
      if (this.#child.pid === undefined) end(`${this.#child.spawnfile}: ${causeText(error)}`);
    });
    this.#child.on('exit', (code, signal) => setTimeout(() => end(reasonOf(code, signal)), DRAIN_MS).unref());
    this.#child.on('close', (code, signal) => end(reasonOf(code, signal)));
    // It may end while it is written to.
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.on('data', (chunk: Buffer) => this.#hear(this.#decoder.write(chunk)));
    // Without stdout there are no answers any more.
    this.#child.stdout.on('end', () => setTimeout(() => void this.stop(), this.#graceMs).unref());
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = `${this.#stderr}${chunk.toString()}`.slice(-LAST_WORDS);
    });
  }

  #hear(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0 && !this.#isOver; at = text.indexOf('\n', from)) {
      const line = `${this.#pieces.join('')}${text.slice(from, at)}`;
      [this.#pieces, this.#length, from] = [[], 0, at + 1];
      this.#listener.line(line);
    }
    this.#pieces.push(text.slice(from));
    this.#length += text.length - from;
    if (this.#length <= MAX_LINE) return;
    [this.#pieces, this.#length] = [[], 0];
    this.#listener.flood();
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // It is gone.
    }
  }
}
