import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { PROJECT } from './markdown-pages.js';

const run = promisify(execFile);

describe('examples/library.mjs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-docs-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('perturbs two questions and shows what changed', async () => {
    const env = { ...process.env, TMPDIR: folder, PERTURBQL_CACHE: join(folder, 'cache') };
    const { stdout, stderr } = await run(process.execPath, ['examples/library.mjs'], { cwd: PROJECT, env });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^2 original, 2 RPL, 2 ADD in /);
    expect(stdout).toMatch(/^ticket price\n {2}RPL: .*\n {2}ADD: .*,/m);
    expect(stdout).toMatch(/^planetarium__rpl_1: SELECT /m);
  });
});
