import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT } from '../e2e/run-cli.js';

const LOCK = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
};

describe('installing in a clone', () => {
  it('does not run the script of onnxruntime-node, which loads GPU files from outside of the registry', () => {
    // npm runs scripts of locked packages that are said to have any. Newer npm reads allowScripts of package.json, too.
    expect(LOCK.packages['node_modules/onnxruntime-node']).toBeDefined();
    expect(LOCK.packages['node_modules/onnxruntime-node']).not.toHaveProperty('hasInstallScript');
    expect(LOCK.packages['node_modules/better-sqlite3']?.hasInstallScript).toBe(true);
  });

  it('gives npm no setting that it does not know', () => {
    const settings = readFileSync(join(PROJECT, '.npmrc'), 'utf8').trim().split('\n');
    expect(settings.map((line) => line.split('=')[0]).sort()).toEqual([
      'audit',
      'fund',
      'omit-lockfile-registry-resolved',
    ]);
  });

  it.each([
    ['exec', 0],
    ['ci', 1],
    ['run-script', 1],
  ])('builds, but not for npx where it is built: npm %s', (command, code) => {
    const env = { ...process.env, npm_command: command };
    const script = join(PROJECT, 'scripts/built-for-npx.mjs');
    expect(spawnSync(process.execPath, [script], { env }).status).toBe(code);
  });
});
