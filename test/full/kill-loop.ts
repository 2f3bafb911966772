import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashFiles, listFiles, runCli, startCli } from '../e2e/run-cli.js';

/** A command that writes, run in a folder of its own: all that it leaves there is compared. */
export interface WritingCommand {
  readonly name: string;
  readonly args: readonly string[];
  /** Environment, for commands that write elsewhere than they are told. */
  readonly env?: Readonly<Record<string, string>>;
  /** A file or folder that the command refuses to replace: where it is there after a kill, it must be whole. */
  readonly kept?: string;
  /** Files that are never the same: they tell time, or hold secrets. */
  readonly ownBytes?: RegExp;
  /** A command that says what such a file holds, run in the end. */
  readonly then?: readonly string[];
}

/** What a command's kills came to. */
export interface KillCount {
  readonly name: string;
  readonly kills: number;
  /** Runs to the end after one to three kills, each compared with the run that nothing disturbed. */
  readonly finished: number;
  /** One line per run that ended otherwise than the undisturbed one. */
  readonly faults: readonly string[];
}

/** Most kills before a run is let go to its end. */
const CHAIN = 3;

/** Kills a command again and again, at moments spread evenly over its time, and lets it go on. */
export class KillLoop {
  readonly #folder: string;
  readonly #command: WritingCommand;
  readonly #faults: string[] = [];
  #kills = 0;
  #finished = 0;
  #whole: Readonly<Record<string, string>> = {};
  #milliseconds = 0;
  #startMs = 0;

  /** `folder`: an empty one, for runs and for the cache that they share. */
  constructor(folder: string, command: WritingCommand) {
    this.#folder = folder;
    this.#command = command;
  }

  /** Kills it at least `kills` times. @throws Error when the undisturbed run fails */
  async run(kills: number): Promise<KillCount> {
    await this.#runWhole();
    // The first kills would all come while the cache is cold otherwise.
    for (let chain = 0; this.#kills < kills && chain < 2 * kills; chain++) {
      await this.#runChain(chain, Math.min(1 + (chain % CHAIN), kills - this.#kills), kills);
    }
    return { name: this.#command.name, kills: this.#kills, finished: this.#finished, faults: this.#faults };
  }

  async #runWhole(): Promise<void> {
    const cwd = this.#newFolder('whole');
    const start = performance.now();
    const { result } = startCli(this.#command.args, this.#options(cwd));
    const done = result.then(() => true);
    // Only looked for: a lock that is being taken would be gone before it is read.
    const hasWritten = (): boolean => listFiles(cwd).some((path) => this.#isCompared(path));
    while (!(await Promise.race([done, sleep(10, false)])) && !hasWritten());
    this.#startMs = performance.now() - start;
    const { code, stderr } = await result;
    if (code !== 0) throw new Error(`${this.#command.name} exits with ${code}: ${stderr}`);
    this.#milliseconds = performance.now() - start;
    await this.#sayContent(cwd);
    this.#whole = this.#filesOf(cwd);
  }

  async #runChain(chain: number, length: number, kills: number): Promise<void> {
    const name = `chain-${chain}`;
    const cwd = this.#newFolder(name);
    for (let i = 0; i < length; i++) {
      // Golden-ratio steps cover the time evenly, whatever the number of kills.
      const share = ((this.#kills + 0.5) * 0.618034 + chain / kills) % 1;
      await this.#killOnce(cwd, 0.9 * this.#startMs + share * (this.#milliseconds - 0.9 * this.#startMs));
    }
    await this.#finish(cwd, name);
    rmSync(cwd, { recursive: true, force: true });
  }

  async #killOnce(cwd: string, afterMs: number): Promise<void> {
    const start = performance.now();
    const { child, result } = startCli(this.#command.args, this.#options(cwd));
    await Promise.race([result, sleep(afterMs)]);
    if (child.exitCode === null) child.kill('SIGKILL');
    const { signal, code } = await result;
    if (signal === 'SIGKILL') this.#kills++;
    else if (code === 0) this.#hasten((performance.now() - start) / this.#milliseconds);
  }

  /** Lets later kills come earlier, where a run was faster than the undisturbed one: the machine is less busy by now. */
  #hasten(share: number): void {
    if (share >= 1) return;
    this.#milliseconds *= share;
    this.#startMs *= share;
  }

  async #finish(cwd: string, name: string): Promise<void> {
    const { kept, args } = this.#command;
    this.#finished++;
    const isWhole = kept !== undefined && existsSync(join(cwd, kept)) && !existsSync(join(cwd, kept, '.unfinished'));
    if (!isWhole) {
      const { code, stderr } = await runCli(args, this.#options(cwd));
      if (code !== 0) this.#faults.push(`${name}: exit code ${code}: ${stderr.trim()}`);
    }
    await this.#sayContent(cwd);
    const files = this.#filesOf(cwd);
    const paths = new Set([...Object.keys(files), ...Object.keys(this.#whole)]);
    const others = [...paths].filter((path) => files[path] !== this.#whole[path]);
    if (others.length > 0) this.#faults.push(`${name}: other bytes in ${others.join(', ')}`);
  }

  async #sayContent(cwd: string): Promise<void> {
    const { then } = this.#command;
    if (then !== undefined) await runCli(then, this.#options(cwd));
  }

  #newFolder(name: string): string {
    const folder = join(this.#folder, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  #options(cwd: string) {
    const { env } = this.#command;
    const local = Object.entries(env ?? {}).map(([key, value]) => [key, value.replace('{cwd}', cwd)]);
    return { cwd, cache: join(this.#folder, 'cache'), env: Object.fromEntries(local) as Record<string, string> };
  }

  #isCompared(path: string): boolean {
    return this.#command.ownBytes?.test(path) !== true;
  }

  #filesOf(cwd: string): Readonly<Record<string, string>> {
    return Object.fromEntries(Object.entries(hashFiles(cwd)).filter(([path]) => this.#isCompared(path)));
  }
}
