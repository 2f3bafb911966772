#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { NativeModuleError, PerturbqlError } from '../errors.js';
import { buildParser } from './command-line.js';
import { COMMANDS } from './commands.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Exit codes: 0 done, 1 fault, 2 usage or bad input, 3 a check failed, 130 interrupted. Only this file sets one. */
const EXIT = { fault: 1, badInput: 2, failedCheck: 3, interrupted: 130 } as const;

/** What the system refuses because of a path or the disk: the user's to mend, no fault of perturbql. */
const SYSTEM_FIXES: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'Change who may read and write there, or name another place.'],
  ['EEXIST', 'There is a file where a folder is needed: name another place.'],
  ['ENOSPC', 'Free space on the disk, then run the same command again: it resumes.'],
  ['ENOTDIR', 'There is a file where a folder is needed: name another place.'],
  ['EPERM', 'Change who may read and write there, or name another place.'],
  ['EROFS', 'That disk can’t be written: name another place.'],
]);

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
  const parser = await buildParser(COMMANDS, version, process.argv.slice(2), async (command, given) => {
    const { runCommand } = await import('./run-command.js');
    if (!(await runCommand(command, given, COMMANDS))) process.exitCode = EXIT.failedCheck;
  });
  await parser.parseAsync(process.argv);
} catch (error) {
  // Not process.exit: it would cut off SQLite's last write and unflushed output.
  process.exitCode = exitCodeOf(error);
}
