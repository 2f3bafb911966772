import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ConfigError, RunFolderError } from '../../errors.js';
import { arrayExpression } from '../array-expression.js';
import { writeDurably } from '../durable-file.js';
import { findMissingShards, shardFoldersIn } from '../merge-shards.js';
import type { RunHost } from '../run-host.js';
import { ABSENT, type Engine, type EnginePlan, type ShardJob, type Started } from './engine.js';

export interface SubmitOptions {
  readonly engine: Engine;
  /** Program and arguments of one shard, without `--shard`; its `--out` is `shards`. */
  readonly command: readonly string[];
  /** Folder of the shards. */
  readonly shards: string;
  readonly count: number;
  /** How often what is missing is started. */
  readonly tries: number;
}

/** Shards that are to be run. */
function openShards({ shards, count }: SubmitOptions): readonly number[] {
  if (shardFoldersIn(shards).length === 0) return Array.from({ length: count }, (_, index) => index);
  const { count: before, absent, broken } = findMissingShards(shards);
  if (before !== count) {
    throw new RunFolderError(`the run was cut into ${before} shards, and ${count} were asked for`, {
      where: { file: shards },
      fix: `Give --shards ${before}, or name another --out.`,
    });
  }
  return [...absent, ...broken].sort((a, b) => a - b);
}

/** What would be handed to the engine; nothing is written or started. @throws RunFolderError as `submitShards` */
export function planSubmission(options: SubmitOptions, indexes = openShards(options)): EnginePlan {
  const { engine, command, count, shards } = options;
  const job: ShardJob = { command, indexes, count, cwd: process.cwd(), folder: join(shards, 'engine') };
  return engine.plan(job);
}

/** Runs an engine's program to its end; whether it ended well is seen by the shards. */
async function runEngine({ program, args, stdin }: Started, { install }: Engine, signal: AbortSignal): Promise<void> {
  const child = spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'], signal, killSignal: 'SIGTERM' });
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin ?? '');
  const fix = `Install ${install}, or choose another --engine.`;
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code === ABSENT) throw new ConfigError(`${program} is here, and what it needs is not`, { fix });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new ConfigError(`${program} is not here`, { cause: error, fix });
  }
}

/**
 * Has an engine run all shards of a run, and those that are missing again, until all are there or `tries` are used up.
 * True where all are; false where the engine's job is for people to start.
 * @throws RunFolderError where shards are still missing; ConfigError where the engine is absent
 */
export async function submitShards(options: SubmitOptions, host: RunHost): Promise<boolean> {
  for (let turn = 1; turn <= options.tries; turn++) {
    const open = openShards(options);
    if (open.length === 0) return true;
    const { files, start, lines } = planSubmission(options, open);
    for (const [file, text] of Object.entries(files)) writeDurably(file, text);
    for (const line of lines) host.note(line);
    if (start === null) return false;
    await runEngine(start, options.engine, host.signal);
  }
  const open = openShards(options);
  if (open.length === 0) return true;
  throw new RunFolderError(`shards are still not done after ${options.tries} tries: ${arrayExpression(open)}`, {
    where: { file: options.shards },
    fix: 'See what they printed; the same command goes on with them.',
  });
}
