import { afterAll, describe, expect, it } from 'vitest';
import { GONE_COMMANDS } from '../../src/cli/gone.js';
import { makeTempFolder, runCli } from '../e2e/run-cli.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());

describe('a command that is gone', () => {
  it.each(Object.entries(GONE_COMMANDS))('%s says what to do instead', async (name, fix) => {
    const { code, stdout, stderr, files } = await runCli([name, '--out', 'RUN', '--', 'mutate'], { cwd: temp.path });
    expect([code, stdout, files]).toEqual([2, '', []]);
    expect(stderr).toBe(`error: there is no command ${name} any more\n  fix: ${fix}\n`);
    expect((await runCli(['--help'], { cwd: temp.path })).stdout).not.toMatch(new RegExp(`^ +${name} `, 'm'));
  });
});
