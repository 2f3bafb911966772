import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getFileInfo } from 'prettier';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../src/cli/global-options.js';
import { codeBlocks, PROJECT } from './markdown-pages.js';

/** Files and folders that the README's commands write into a checkout, by the options that name them. */
const NAMED = new Set(
  codeBlocks('README.md', 'sh').flatMap((block) =>
    [...block.matchAll(/ --(?:out|report|project) (\S+)/g)].map(([, name]) => name!),
  ),
);
/** What lies in or next to them. */
const OUTPUTS: readonly string[] = [...NAMED, 'RUN', DEFAULT_CONFIG].flatMap((name) => {
  if (name.endsWith('.db')) return [name, `${name}-wal`, `${name}.links.json`];
  return name.includes('.') ? [name] : [`${name}/report.json`];
});

describe('what the README’s commands write', () => {
  it('is known', () => {
    expect([...NAMED]).toEqual(expect.arrayContaining(['RUN-attack', 'SUITE', 'evaluation.html', 'project.db']));
  });

  // As `prettier --check .` reads its lists of what it passes over.
  const ignorePath = ['.gitignore', '.prettierignore'].map((name) => join(PROJECT, name));

  it.each(OUTPUTS)('is no fault of format where it is %s', async (name) => {
    expect((await getFileInfo(join(PROJECT, name), { ignorePath })).ignored).toBe(true);
  });

  it.skipIf(!existsSync(join(PROJECT, '.git')))('is not tracked (skipped outside a clone)', () => {
    const ignored = execFileSync('git', ['check-ignore', ...OUTPUTS], { cwd: PROJECT, encoding: 'utf8' });
    expect(ignored.trim().split('\n')).toEqual(OUTPUTS);
  });
});
