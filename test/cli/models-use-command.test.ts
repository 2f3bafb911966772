import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { command as runCommand } from '../../src/cli/models-use-command.js';
import { runOf } from './run-of.js';

const run = runOf(runCommand);

it('makes no folder for a configuration', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'models-use-'));
  const config = join(folder, 'nope', 'perturbql.config.json');
  try {
    await expect(run({ config }, 'perturbql-judge')).rejects.toThrow(/^option --config: there is no folder .*nope$/);
    expect(existsSync(join(folder, 'nope'))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
