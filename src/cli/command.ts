import type { z } from 'zod';
import type { Shard } from '../run/shard.js';
import type { ConsoleHost } from './console-host.js';

/** The output of a command, for people and for machines; the caller prints one of them. */
export interface CommandOutput {
  /** Lines for standard output. */
  readonly lines?: Iterable<string>;
  /** The value that `--json` prints instead, if the command has that option. */
  readonly json?: unknown;
  /** Done, but what was checked does not hold: the exit code says so. */
  readonly failedCheck?: boolean;
}

/** The parsed command line: flags as texts by the option's name, and positional arguments. */
export interface Given {
  readonly command: string;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly globals: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
}

/** The context of a command, besides its options. */
export interface CommandContext {
  /** Positional arguments; one that may be left out and is, is not there. */
  readonly args: readonly string[];
  /** Names of the options that were given as flags, not by the configuration file. */
  readonly flags: ReadonlySet<string>;
  /** The shard that `--shard` asks for; null: the whole run. */
  readonly shard: Shard | null;
  /** Options of every command as they were given, by name. */
  readonly globals: Readonly<Record<string, unknown>>;
  readonly host: ConsoleHost;
  readonly config: ProjectConfig;
}

/** The contents of a configuration file. */
export interface ProjectConfig {
  /** Undefined where there is none. */
  readonly file: string | undefined;
  /** Groups of settings, as they are written: `parseSettings` checks them. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Options, of this command and of others. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * A command: one zod object whose fields are its options. Parser, help, docs/cli.md, completion, the schema of the
 * configuration file and the type that `run` gets follow from it. Its file imports nothing heavy: `run` does, when
 * called.
 */
export interface Command<S extends z.ZodObject = z.ZodObject> {
  readonly options: S;
  /** Positional arguments, commander's notation, separated by spaces. */
  readonly argument?: { readonly name: string; readonly description: string; readonly choices?: readonly string[] };
  readonly example: string;
  /** The effect of Ctrl+C: abort the work, which the same command then resumes or not. Left out: end the process. */
  readonly onInterrupt?: 'pauses' | 'stops';
  /** False where `--config` is not read before: the command sees to the file itself. */
  readonly readsConfig?: false;
  run(options: z.infer<S>, context: CommandContext): Promise<CommandOutput | void>;
}

/** A command with the types of its options. */
export function defineCommand<S extends z.ZodObject>(command: Command<S>): Command {
  return command;
}

/** A command before its file is loaded: what the list of commands shows. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Name in an earlier version: read, and shown nowhere. */
  readonly alias?: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}
