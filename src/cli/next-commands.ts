import { basename, relative, sep } from 'node:path';
import { shellWord } from '../options/option-field.js';

/**
 * How the user calls perturbql: `npx perturbql` in a checkout, `node` and the path of its script where that was given,
 * else by its name. Some package managers start a script below `node_modules` for the name.
 */
function programName(): string {
  if (process.env['npm_command'] !== undefined) return 'npx perturbql';
  const script = process.argv[1] ?? '';
  if (basename(script) !== 'main.js' || script.split(sep).includes('node_modules')) return 'perturbql';
  const fromHere = relative(process.cwd(), script);
  return `node ${shellWord(fromHere.length < script.length ? fromHere : script)}`;
}

/** Lines that say what to run next: arguments of perturbql, each with what it does. */
export function renderNextCommands(commands: readonly (readonly [args: string, does: string])[]): readonly string[] {
  const lines = commands.map(([args, does]) => [`${programName()} ${args}`, does] as const);
  const width = Math.max(...lines.map(([command]) => command.length));
  return ['Next:', ...lines.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`)];
}
