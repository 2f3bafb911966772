/** How the user calls perturbql: `npx perturbql` in a checkout, else by its name. */
function programName(): string {
  return process.env['npm_command'] === undefined ? 'perturbql' : 'npx perturbql';
}

/** Lines that say what to run next: arguments of perturbql, each with what it does. */
export function renderNextCommands(commands: readonly (readonly [args: string, does: string])[]): readonly string[] {
  const lines = commands.map(([args, does]) => [`${programName()} ${args}`, does] as const);
  const width = Math.max(...lines.map(([command]) => command.length));
  return ['Next:', ...lines.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`)];
}
