import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import { parseShard, scheduledShard, type Shard, ShardFinished, shardName } from '../run/shard.js';
import type { Command, CommandContext, CommandEntry, CommandOutput, Given } from './command.js';
import { ConsoleHost } from './console-host.js';
import { fileBesideFlags, loadConfig } from './project-config.js';
import { GLOBAL_OPTIONS } from './global-options.js';
import { readOptions } from './read-options.js';
import { ConfigError, type ErrorCode, PerturbqlError } from '../errors.js';
import { DATASET_INPUTS } from '../formats/dataset-formats.js';
import { optionsOf } from '../options/option-field.js';

type Options = Readonly<Record<string, unknown>>;

/** Options whose values may be secret, so that no file keeps them. */
const SECRET: ReadonlyMap<string, string> = new Map([
  ['connection', 'Leave --shard out, or read the data from files.'],
  ['header', 'Give a key by --api-key-env and --key-header, or leave --shard out.'],
]);

/** Returns the part of a call that merging keeps. @throws ConfigError where an option of it may be secret */
function callOf({ command, flags, globals, args }: Given): Shard['call'] {
  const secret = [...SECRET].find(([name]) => flags[name] !== undefined);
  if (secret !== undefined) {
    const [name, fix] = secret;
    throw new ConfigError(`option --${name} can’t go with --shard: merging would need what may be secret`, { fix });
  }
  const { config } = globals;
  const kept = Object.entries(flags).filter(([name]) => name !== 'out' && name !== 'shard');
  return {
    command,
    flags: Object.fromEntries(kept),
    args: [...args],
    config: typeof config === 'string' ? config : null,
    cwd: process.cwd(),
  };
}

/** The shard that `--shard` asks for, which knows how to run the whole; null without that option. */
export function shardOf(options: Options, given: Given): Shard | null {
  const { shard: text, out } = options;
  if (typeof text !== 'string') return null;
  if (typeof out !== 'string') {
    throw new ConfigError('option --shard needs --out', { fix: 'Give --out: the folder of the whole run.' });
  }
  return { ...(text === 'auto' ? scheduledShard(process.env) : parseShard(text)), call: callOf(given) };
}

/** The options with the folder of the shard, which is in that of the run. */
export function inShardFolder<T extends Options>(options: T, shard: Shard | null): T {
  return shard === null ? options : { ...options, out: join(String(options['out']), shardName(shard)) };
}

/** Lines for people. */
export function describeShard({ path, shard: { index, count } }: ShardFinished): readonly string[] {
  const whole = dirname(path);
  return [
    `shard ${index} of ${count} is done: ${path}`,
    `  when all are: perturbql merge ${whole} --out RUN; perturbql missing ${whole} names those that are not`,
  ];
}

const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** Checks whether a text has another as a word or, of a path, also without its leading "./" or behind a folder. */
function mentions(text: string, value: string): boolean {
  const [before, after] = /[./]/.test(value) ? ['\\w.-', '\\w-'] : ['\\w./-', '\\w/-'];
  const plain = value.replace(/^\.\//, '').replace(SPECIAL, '\\$&');
  // A word may end a sentence.
  return new RegExp(`(?<![${before}])${plain}(?!\\.?[${after}])`).test(text);
}

/** Flags that name a run; what is at fault with one may be that the file's data set is another. */
const RUNS = ['run', 'candidates', 'mutants', 'compositions', 'suite'] as const;

/** Kinds of errors that come of data which don't belong together. */
const WRONG_DATA: ReadonlySet<ErrorCode> = new Set(['CONFIG', 'INPUT_FORMAT']);

const DATA: ReadonlySet<string> = new Set(['dataset', ...DATASET_INPUTS]);

/**
 * Adds to an error of a command the options that it names, by flag or by value, and that the configuration file gave:
 * whoever typed none of them looks for them in vain on the command line. Where flags name a part of a data set or a run
 * of another, what the file says of its data belongs to the cause, named or not. `fromFile` are the file's options in
 * use.
 */
export function nameOrigin(
  error: unknown,
  file: string | undefined,
  object: z.ZodObject,
  { flags }: Given,
  fromFile: Readonly<Record<string, unknown>>,
): unknown {
  if (!(error instanceof PerturbqlError) || file === undefined) return error;
  const message = error.render();
  const isMixed = WRONG_DATA.has(error.code) && Object.keys(flags).some((name) => DATA.has(name));
  const isOfRun = RUNS.some((name) => {
    const run = flags[name];
    return typeof run === 'string' && existsSync(run) && mentions(message, run);
  });
  const named = optionsOf(object).flatMap(({ name, long, meta }) => {
    const value = fromFile[name];
    if (value === undefined || meta.flagOnly === true || flags[name] !== undefined) return [];
    const isNamed = mentions(message, long) || (typeof value === 'string' && mentions(message, value));
    return isNamed || ((isMixed || isOfRun) && DATA.has(name)) ? [`"${name}": ${JSON.stringify(value)}`] : [];
  });
  if (named.length > 0) error.origin = `from ${file}: ${named.join(', ')}`;
  return error;
}

/** The message at Ctrl+C for work that keeps what it has done, and for work that does not. */
const INTERRUPTED = { pauses: 'paused; the same command resumes it', stops: 'stopping' } as const;

/** Ctrl+C, and what `kill` and schedulers send. Not SIGHUP: under nohup it must stay ignored. */
const INTERRUPTS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs work that Ctrl+C or another request to end stops: the first one aborts it cleanly and says whether the same
 * command goes on from there; a second one ends the process.
 */
async function withInterrupt<T>(what: Command['onInterrupt'], work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  if (what === undefined) return work(controller.signal);
  const stopListening = (): void => {
    for (const name of INTERRUPTS) process.off(name, onInterrupt);
  };
  const onInterrupt = (): void => {
    stopListening();
    process.stderr.write(`\n${INTERRUPTED[what]}. Ctrl+C again ends at once.\n`);
    controller.abort();
  };
  for (const name of INTERRUPTS) process.once(name, onInterrupt);
  try {
    return await work(controller.signal);
  } finally {
    stopListening();
  }
}

function print({ lines, json }: CommandOutput, asJson: boolean): void {
  if (asJson && json !== undefined) console.log(JSON.stringify(json, null, 2));
  else for (const line of lines ?? []) console.log(line);
}

/** The flags; of a dry run, which writes nothing, a folder is one of them whether or not it is named. */
function withDryFolder(flags: Given['flags'], { shape }: Command['options']): Given['flags'] {
  const isDry = 'dryRun' in shape && 'out' in shape && flags['dryRun'] !== undefined && flags['shard'] === undefined;
  return isDry ? { out: 'RUN', ...flags } : flags;
}

/**
 * Runs a command and prints what it found; false where a check did not hold. `entries` are all commands: what the
 * configuration file may name.
 * @throws PerturbqlError when an option, the configuration file or an input is wrong
 */
export async function runCommand(command: Command, given: Given, entries: readonly CommandEntry[]): Promise<boolean> {
  const { config: path, ...style } = readOptions(GLOBAL_OPTIONS, given.globals);
  const config =
    command.readsConfig === false
      ? { file: path, settings: {}, options: {} }
      : await loadConfig(path, command.options, entries);
  const fromFile = fileBesideFlags(config.options, given.flags);
  const all = readOptions(command.options, withDryFolder(given.flags, command.options), fromFile.options);
  const shard = shardOf(all, given);
  const options = inShardFolder(all, shard);
  return withInterrupt(command.onInterrupt, async (signal) => {
    const host = new ConsoleHost(signal, style);
    if (style.verbose && config.file !== undefined) host.note(`configuration: ${config.file}`);
    if (fromFile.leftOut !== null && config.file !== undefined)
      host.note(`${fromFile.leftOut} of ${config.file} is left out: the command names other data`);
    const { args, globals } = given;
    const context: CommandContext = { args, globals, shard, flags: new Set(Object.keys(given.flags)), host, config };
    try {
      const output = (await command.run(options, context)) ?? {};
      host.stop();
      print(output, options['json'] === true);
      return output.failedCheck !== true;
    } catch (error) {
      if (!(error instanceof ShardFinished))
        throw nameOrigin(error, config.file, command.options, given, fromFile.options);
      host.stop();
      print({ lines: describeShard(error) }, false);
      return true;
    } finally {
      host.stop();
    }
  });
}
