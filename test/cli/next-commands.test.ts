import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderNextCommands } from '../../src/cli/next-commands.js';

const before = process.argv;
afterEach(() => {
  vi.unstubAllEnvs();
  process.argv = before;
});

function shown(script: string, npmCommand?: string): string | undefined {
  vi.stubEnv('npm_command', npmCommand);
  process.argv = [process.execPath, script];
  return renderNextCommands([['init', 'a file']])[1];
}

describe('renderNextCommands', () => {
  it.each([
    ['exec', '/elsewhere/perturbql/dist/cli/main.js', '  npx perturbql init  a file'],
    [undefined, '/usr/local/bin/perturbql', '  perturbql init  a file'],
    [undefined, '/usr/lib/node_modules/perturbql/dist/cli/main.js', '  perturbql init  a file'],
    [undefined, '/elsewhere/perturbql/dist/cli/main.js', '  node /elsewhere/perturbql/dist/cli/main.js init  a file'],
    [undefined, "/my tools/it's/main.js", `  node '/my tools/it'\\''s/main.js' init  a file`],
    [undefined, join(process.cwd(), 'dist/cli/main.js'), '  node dist/cli/main.js init  a file'],
  ])('prints commands as perturbql was called: npm %s, %s', (npmCommand, script, line) => {
    expect(shown(script, npmCommand)).toBe(line);
  });
});
