import type { Command } from '../../src/cli/command.js';
import { runCommand } from '../../src/cli/run-command.js';

/**
 * A command in this process, by its options as the command line gives them; false where a check did not hold. Without the
 * other commands: a configuration file names options of this one alone.
 */
export function runOf(command: Command) {
  return (
    { config, verbose, ...flags }: Readonly<Record<string, unknown>>,
    ...args: readonly string[]
  ): Promise<boolean> => {
    const globals = { ...(config !== undefined && { config }), ...(verbose !== undefined && { verbose }) };
    return runCommand(command, { command: 'tested', flags, globals, args }, []);
  };
}
