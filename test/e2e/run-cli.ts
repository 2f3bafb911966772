import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** Runs the built command to its end. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return startCli(args, options).result;
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
