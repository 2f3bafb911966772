#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { NativeModuleError, PerturbqlError } from '../errors.js';
import { COMMANDS } from './commands.js';
import { type CommandSpec, OPTIONS, type OptionSpec, type RawOptions } from './options.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Exit codes: 0 done, 1 fault, 2 usage or bad input, 3 a check failed, 130 interrupted. Only this file sets one. */
const EXIT = { fault: 1, badInput: 2, failedCheck: 3, interrupted: 130 } as const;

/** What the system refuses because of a path or the disk: the user's to mend, no fault of perturbql. */
const SYSTEM_FIXES: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'Change who may read and write there, or name another place.'],
  ['EEXIST', 'A file stands where a folder is needed: name another place.'],
  ['ENOSPC', 'Free space on the disk, then run the same command again: it resumes.'],
  ['ENOTDIR', 'A file stands where a folder is needed: name another place.'],
  ['EPERM', 'Change who may read and write there, or name another place.'],
  ['EROFS', 'That disk can’t be written: name another place.'],
]);

function toOption(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.description);
  if (spec.choices !== undefined) option.choices(spec.choices);
  if (spec.default !== undefined) option.default(spec.default);
  if (spec.required === true) option.makeOptionMandatory();
  if (spec.repeat === true)
    option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  return option;
}

function addCommand(program: Command, spec: CommandSpec): void {
  const [first, second] = spec.name.split(' ') as [string, string?];
  const parent =
    second === undefined ? program : (program.commands.find((c) => c.name() === first) ?? addGroup(program, first));
  const command = parent
    .command(second ?? first)
    .summary(spec.summary)
    .description(spec.summary);
  const positional = spec.argument?.name.split(' ') ?? [];
  for (const name of positional) command.argument(name, spec.argument?.description);
  for (const name of spec.options) command.addOption(toOption(OPTIONS[name]));
  command.addHelpText('after', `\nExample:\n  $ ${spec.example}`);
  command.action(async (...args: unknown[]) => {
    const { run } = await spec.load();
    // An argument that may be left out and is, comes as undefined.
    const given = args.slice(0, positional.length) as string[];
    if ((await run(args[positional.length] as RawOptions, ...given)) === 'failed-check')
      process.exitCode = EXIT.failedCheck;
  });
}

/** What the commands of a group do, by its name. */
const GROUPS: Readonly<Record<string, string>> = {
  annotate: 'make annotation projects, serve their page, read what came of them',
  index: 'build, inspect and query an index of tables',
  models: 'list, pull, check and choose models',
  suite: 'build, show, check and unpack distilled test suites',
};

function addGroup(program: Command, name: string): Command {
  const command = program.command(name).summary(`${name} commands`);
  return command.description(GROUPS[name] ?? `${name} commands`);
}

/** commander copies settings to a subcommand only when it is made, so they are set for the whole tree at the end. */
function configureTree(command: Command): void {
  command.exitOverride();
  // A command may have commands of its own: what follows their name is theirs.
  command.enablePositionalOptions();
  command.configureOutput({ outputError: (text, write) => write(text) });
  command.showHelpAfterError('(add --help for the options)');
  command.commands.forEach(configureTree);
}

function buildProgram(): Command {
  const program = new Command('perturbql')
    .description('Adversarial table perturbation for Text-to-SQL: candidates (CTA), perturbed training sets.')
    .version(version);
  for (const spec of COMMANDS) addCommand(program, spec);
  configureTree(program);
  return program;
}

/** Codes of a package that is missing or was built for another Node. */
const UNLOADABLE = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']);

/** A package that can't be loaded is the installation's fault, not the program's: it gets a cause and a fix. */
function asKnownError(error: unknown): unknown {
  if (!(error instanceof Error) || !UNLOADABLE.has((error as NodeJS.ErrnoException).code ?? '')) return error;
  return new NativeModuleError(`a package can't be loaded: ${error.message.split('\n')[0]!}`, {
    fix: 'Run `perturbql doctor`; it says which, and how to mend it.',
  });
}

function exitCodeOf(caught: unknown): number {
  const error = asKnownError(caught);
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.badInput;
  if (error instanceof PerturbqlError) {
    process.stderr.write(`error: ${error.render()}\n`);
    return EXIT.badInput;
  }
  if (error instanceof Error && error.name === 'AbortError') return EXIT.interrupted;
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === 'EPIPE') return 0;
  const fix = code === undefined ? undefined : SYSTEM_FIXES.get(code);
  if (fix !== undefined) {
    process.stderr.write(`error: ${path === undefined ? '' : `${path}: `}${message}\n  fix: ${fix}\n`);
    return EXIT.badInput;
  }
  process.stderr.write(
    `fault in perturbql ${version}, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return EXIT.fault;
}

// A reader that has seen enough (`--help | head -1`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await buildProgram().parseAsync(process.argv);
} catch (error) {
  // Not process.exit: it would cut off SQLite's last write and unflushed output.
  process.exitCode = exitCodeOf(error);
}
