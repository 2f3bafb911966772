import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { makeFolder } from '../../src/run/output-place.js';
import { builtModule, createFolder } from './run-fixture.js';

describe('makeFolder', () => {
  it('makes what is missing, and leaves what is there', () => {
    const root = createFolder();
    const file = join(root, 'file');
    writeFileSync(file, '');
    for (const path of ['a/b/c', 'a/b/c', 'a', '.', 'a/../d/e/']) makeFolder(join(root, path));
    expect(statSync(join(root, 'a/b/c')).isDirectory()).toBe(true);
    expect(statSync(join(root, 'd/e')).isDirectory()).toBe(true);
    expect(() => makeFolder(file)).toThrow(expect.objectContaining({ code: 'EEXIST' }) as Error);
    expect(() => makeFolder(join(file, 'below'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }) as Error);
  });
});

const HANGS = existsSync('/proc/self');
if (!HANGS) process.stderr.write('skipped: this system has no /proc\n');

test.skipIf(!HANGS)('refuses a folder in one that takes none', () => {
  const script = `
    const { makeFolder } = await import(process.argv[1]);
    try { makeFolder('/proc/perturbql/run'); } catch (error) { console.log(error.render()); }`;
  // In a process of its own: where it hangs, no timer of this one would end it.
  const { stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, builtModule('run/output-place.js')],
    {
      encoding: 'utf8',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    },
  );
  expect(stdout).toMatch(
    /^\/proc\/perturbql: no folder can be made here\n {2}cause: there is no such file or folder\n {2}fix: Name another place\.\n$/,
  );
});
