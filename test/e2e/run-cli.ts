import { type ChildProcess, spawn } from 'node:child_process';
import { Console } from 'node:console';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

/** Root of the project, where `examples/` lies. */
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The built command; `PERTURBQL_BIN` names that of another build, such as an installed package. */
export const BINARY = process.env['PERTURBQL_BIN'] ?? join(PROJECT, 'dist/cli/main.js');

/** A run that takes longer has hung. */
const LONGEST_RUN_MS = 100_000;

export interface CliOptions {
  /** Where it runs; files of the result are those below it. */
  readonly cwd: string;
  /** Folder of the score cache: `PERTURBQL_CACHE`. */
  readonly cache?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly binary?: string;
}

export interface CliResult {
  /** null where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Paths of all files below the working folder, in code unit order. */
  readonly files: readonly string[];
}

export interface StartedCli {
  readonly child: ChildProcess;
  /** Never rejects: a command that can't be started gives code -1 with the reason on stderr. */
  readonly result: Promise<CliResult>;
}

/** Starts the built command; for tests that send it signals. */
export function startCli(args: readonly string[], options: CliOptions): StartedCli {
  const cache = options.cache ?? join(options.cwd, '.cache');
  const child = spawn(process.execPath, [options.binary ?? BINARY, ...args], {
    cwd: options.cwd,
    env: { ...process.env, PERTURBQL_CACHE: cache, ...options.env },
    timeout: LONGEST_RUN_MS,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.stdin ?? '');
  return { child, result: collect(child, options.cwd) };
}

function collect(child: ChildProcess, cwd: string): Promise<CliResult> {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout!.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr!.on('data', (chunk: Buffer) => stderr.push(chunk));
  return new Promise((resolve) => {
    const finish = (code: number | null, signal: NodeJS.Signals | null, fault = ''): void =>
      resolve({
        code,
        signal,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString() + fault,
        files: listFiles(cwd),
      });
    child.once('error', (error) => finish(-1, null, error.message));
    child.once('close', (code, signal) => finish(code, signal));
  });
}

/** Runs the built command to its end, in a process of its own. */
export function spawnCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return startCli(args, options).result;
}

/** Calls that wait for the one before: folder, environment and output are the process's. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the built command to its end: in this process, which starts a third of a second sooner, unless it reads standard
 * input, has options for Node, is that of another build, or this is a thread.
 */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const isOther = options.binary !== undefined || process.env['PERTURBQL_BIN'] !== undefined;
  const isForNode = options.stdin !== undefined || options.env?.['NODE_OPTIONS'] !== undefined;
  // A thread has no working folder of its own.
  if (isOther || isForNode || !isMainThread) return spawnCli(args, options);
  const run = last.then(() => runInProcess(args, options));
  last = run;
  return run;
}

interface BuiltCommand {
  readonly runPerturbql: (args: readonly string[]) => Promise<number>;
}

async function runInProcess(args: readonly string[], { cwd, cache, env }: CliOptions): Promise<CliResult> {
  const { runPerturbql } = (await import(join(PROJECT, 'dist/cli/run-perturbql.js'))) as BuiltCommand;
  const before = { cwd: process.cwd(), env: { ...process.env }, console: globalThis.console };
  const [stdout, stderr] = [new Captured(process.stdout), new Captured(process.stderr)];
  process.chdir(cwd);
  Object.assign(process.env, { PERTURBQL_CACHE: cache ?? join(cwd, '.cache'), ...env });
  globalThis.console = new Console(process.stdout, process.stderr);
  try {
    const code = await runPerturbql(args);
    return { code, signal: null, stdout: stdout.text, stderr: stderr.text, files: listFiles(cwd) };
  } finally {
    for (const stream of [stdout, stderr]) stream.release();
    globalThis.console = before.console;
    for (const name of Object.keys(process.env)) if (!(name in before.env)) delete process.env[name];
    Object.assign(process.env, before.env);
    process.chdir(before.cwd);
  }
}

/** What is written to a stream of the process, from its making until it is released. */
class Captured {
  readonly #chunks: Buffer[] = [];
  readonly #release: () => void;

  constructor(stream: NodeJS.WriteStream) {
    const write = stream.write.bind(stream);
    this.#release = () => void (stream.write = write);
    stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
      this.#chunks.push(Buffer.from(chunk as string));
      const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
      done?.();
      return true;
    };
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  release(): void {
    this.#release();
  }
}

/** Paths of all files below a folder, in code unit order; none where there is no folder. */
export function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((path) => statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true)
    .sort();
}

/** sha256 of each file below a folder, by path: equal for equal bytes. */
export function hashFiles(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    listFiles(folder).map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    ]),
  );
}

/** A temporary folder and how to remove it. */
export function makeTempFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'perturbql-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
