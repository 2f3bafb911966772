import { ShardFinished } from '../run/shard.js';
import type { Command, CommandContext, CommandEntry, CommandOutput, Given } from './command.js';
import { ConsoleHost } from './console-host.js';
import { fileBesideFlags } from './file-beside-flags.js';
import { GLOBAL_OPTIONS } from './global-options.js';
import { loadConfig } from './project-config.js';
import { nameOrigin } from './name-origin.js';
import { readOptions } from './read-options.js';
import { describeShard, inShardFolder, shardOf } from './shard-run.js';

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
