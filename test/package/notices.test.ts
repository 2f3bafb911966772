import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROJECT } from '../e2e/run-cli.js';

interface LockedPackage {
  readonly name?: string;
  readonly version: string;
  readonly dev?: true;
}

const read = (file: string): string => readFileSync(`${PROJECT}/${file}`, 'utf8');
const lock = JSON.parse(read('package-lock.json')) as { readonly packages: Readonly<Record<string, LockedPackage>> };
const notices = read('THIRD-PARTY-NOTICES.txt');

describe('third-party notices', () => {
  it('name every package that is installed with perturbql, on any platform', () => {
    const installed = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true);
    expect(installed.length).toBeGreaterThan(80);
    const lines = new Set(notices.split('\n').map((line) => line.split(', ')[0]));
    const missing = installed
      .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)} ${version}`)
      .filter((title) => !lines.has(title));
    expect(missing).toEqual([]);
  });

  it('have a license text under each', () => {
    for (const notice of notices.split(`\n${'-'.repeat(80)}\n`).slice(1)) {
      expect(notice).toMatch(/copyright|licen[cs]e/i);
      expect(notice.length).toBeGreaterThan(500);
    }
  });

  it('are what the script writes', () => {
    expect(() =>
      execFileSync(process.execPath, ['scripts/write-notices.mjs', '--check'], { cwd: PROJECT }),
    ).not.toThrow();
  });

  it.each(readdirSync(`${PROJECT}/models`, { withFileTypes: true }).filter((entry) => entry.isDirectory()))(
    'the model $name has its section in models/LICENSE',
    ({ name: folder }) => {
      const { name, revision, license } = JSON.parse(read(`models/${folder}/manifest.json`)) as Record<string, string>;
      expect(license).toContain('models/LICENSE');
      expect(read('models/LICENSE')).toContain(`${folder}/ (${name}, ${revision}): `);
    },
  );
});
