import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { PROJECT, spawnCli } from '../e2e/run-cli.js';

/** The other tests of the command line run it in their own process. */
it.each(COMMANDS.map(({ name }) => name))('%s starts as a process of its own', async (name) => {
  const { code, stdout, stderr } = await spawnCli([...name.split(' '), '--help'], { cwd: `${PROJECT}examples` });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`perturbql ${name}`);
});
