import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { PROJECT } from './markdown-pages.js';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'perturbql-entrypoints-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function outputOf(file: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, TMPDIR: folder };
  const { stdout, stderr } = await run(process.execPath, [join('examples', file), ...args], { cwd: PROJECT, env });
  expect(stderr).toBe('');
  return stdout;
}

describe('examples/entrypoints', () => {
  it('have at most 20 lines each, one for every entrypoint', () => {
    const files = readdirSync(join(PROJECT, 'examples/entrypoints'));
    expect(files.map((name) => name.replace('.mjs', '.ts'))).toEqual(readdirSync(join(PROJECT, 'src/entrypoints')));
    for (const name of files) {
      const lines = readFileSync(join(PROJECT, 'examples/entrypoints', name), 'utf8')
        .trimEnd()
        .split('\n');
      expect([name, lines.length <= 20]).toEqual([name, true]);
    }
  });

  it('have the pages that npm run docs:api writes', { timeout: 120_000 }, async () => {
    await run(process.execPath, ['scripts/write-api-docs.mjs', '--check'], { cwd: PROJECT });
  });

  it('attack asks a victim of its own', async () => {
    const decision = {
      db_id: 'planetarium',
      table: 'sky show',
      column: 'ticket price',
      candidate: 'cost of ticket',
      bucket: 'RPL',
      reason: 'equivalent',
      source: 'dictionary',
      origin: null,
      similarity: 0.9,
      association: null,
      e1: 0.9,
      e2: 0.9,
      against: null,
      near: false,
    };
    const candidates = join(folder, 'candidates.jsonl');
    writeFileSync(candidates, `${JSON.stringify(decision)}\n`);
    const printed = await outputOf('entrypoints/attack.mjs', candidates, join(folder, 'ATTACK'));
    expect(printed).toMatch(/^exact original 0\.\d{3}\nexact RPL 0\.\d{3}\nexact ADD 0\.\d{3}\n/);
  });

  it.each([
    ['sql', /^SELECT T1\."track title" FROM singer AS T1 {2}WHERE T1\.age > 30\n$/],
    ['evaluate', /^wrong order, keywords\n$/],
    ['suite', /^community_garden \d+\nplanetarium \d+\npottery_studio \d+\n$/],
    ['candidates', /^(ADD|RPL) .+\n/],
    ['mutate', /^PR \d+\nCS [1-9]\d*\n$/],
  ])('%s prints what it says', async (entrypoint, expected) =>
    expect(await outputOf(`entrypoints/${entrypoint}.mjs`)).toMatch(expected),
  );
});
