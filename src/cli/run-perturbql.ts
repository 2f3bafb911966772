import { CommanderError } from 'commander';
import { causeText } from '../cause-text.js';
import { NativeModuleError, PerturbqlError } from '../errors.js';
import { VERSION } from '../version.js';
import { buildParser } from './command-line.js';
import { COMMANDS } from './commands.js';

/** The output of a bare `perturbql`: its common uses, and where to find the rest. */
const START_LINES: readonly string[] = [
  'perturbql changes the tables and questions of Text-to-SQL data, and measures what models make of that.',
  '',
  '  perturbql demo       try it on the packaged examples',
  '  perturbql augment    write a training set with perturbed tables and rewritten gold queries',
  '  perturbql attack     ask a model about perturbed tables and measure how far it falls',
  '  perturbql evaluate   score predictions against gold queries',
  '  perturbql mutate     change schemas, queries and questions in ways that keep the answer',
  '  perturbql annotate   let people choose among the names',
  '',
  'perturbql init finds the data in a folder; perturbql --help lists all commands, perturbql COMMAND --help the options of one.',
];

/** Exit codes: 0 done, 1 fault, 2 usage or bad input, 3 a check failed, 130 interrupted. `main.ts` sets it. */
const EXIT = { fault: 1, badInput: 2, failedCheck: 3, interrupted: 130 } as const;

const OTHER_PLACE = 'There is a file where a folder is needed: name another place.';
const NO_PERMISSION = 'Change who may read and write there, or name another place.';
const MORE_SPACE = 'Free space on the disk, then run the same command again: it resumes.';
const NO_REGULAR_FILE = 'Name a regular file: what is written to a pipe or device, save to a file first.';

/** System errors about a path, the disk or a limit: for the user to repair, no fault of perturbql. */
const SYSTEM_FIXES: ReadonlyMap<string, string> = new Map([
  ['EACCES', NO_PERMISSION],
  ['EDQUOT', 'Free some of your disk quota, then run the same command again: it resumes.'],
  ['EEXIST', OTHER_PLACE],
  ['EFBIG', 'Raise the limit of a file’s size (`ulimit -f`), then run the same command again: it resumes.'],
  ['EIO', 'Check the disk; then run the same command again: it resumes.'],
  ['EISDIR', 'There is a folder where a file is needed: name another place.'],
  ['ELOOP', 'Symbolic links lead in a circle there: fix them, or name another place.'],
  ['EMFILE', 'Raise the limit of open files (`ulimit -n`), then run the same command again: it resumes.'],
  ['ENAMETOOLONG', 'Give a shorter name.'],
  ['ENFILE', 'Raise the limit of open files (`ulimit -n`), then run the same command again: it resumes.'],
  ['ENOSPC', MORE_SPACE],
  ['ENOTDIR', OTHER_PLACE],
  ['ENXIO', NO_REGULAR_FILE],
  ['EPERM', NO_PERMISSION],
  ['EROFS', 'That disk can’t be written: name another place.'],
  ['ESPIPE', NO_REGULAR_FILE],
  ['SQLITE_FULL', MORE_SPACE],
  ['SQLITE_IOERR_WRITE', 'Check the disk’s space and the limit of a file’s size (`ulimit -f`), then run it again.'],
]);

/** Codes of a package that is missing or was built for another Node. */
const UNLOADABLE = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']);

/** A package that can't be loaded is the installation's fault, not the program's: it gets a cause and a fix. */
function asKnownError(error: unknown): unknown {
  if (!(error instanceof Error) || !UNLOADABLE.has((error as NodeJS.ErrnoException).code ?? '')) return error;
  return new NativeModuleError(`a package can't be loaded: ${error.message.replace(/\n.*/su, '')}`, {
    fix: 'Run `perturbql doctor`; it says which, and how to fix it.',
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
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'EPIPE') return 0;
  const fix = code === undefined ? undefined : SYSTEM_FIXES.get(code);
  if (fix !== undefined) {
    process.stderr.write(`error: ${path === undefined ? '' : `${path}: `}${causeText(error)}\n  fix: ${fix}\n`);
    return EXIT.badInput;
  }
  process.stderr.write(
    `fault in perturbql ${VERSION}, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return EXIT.fault;
}

/** Runs the command that arguments name, with its messages on standard output and standard error; its exit code. */
export async function runPerturbql(args: readonly string[]): Promise<number> {
  if (args.length === 0) {
    console.log(START_LINES.join('\n'));
    return 0;
  }
  let code = 0;
  try {
    const parser = await buildParser(COMMANDS, VERSION, args, async (command, given) => {
      const { runCommand } = await import('./run-command.js');
      if (!(await runCommand(command, given, COMMANDS))) code = EXIT.failedCheck;
    });
    await parser.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return exitCodeOf(error);
  }
}
