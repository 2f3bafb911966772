import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTempFolder, PROJECT } from '../e2e/run-cli.js';

const { changelogFaults, releaseChangelog, releaseFaults } = (await import(
  pathToFileURL(join(PROJECT, 'scripts/changelog.mjs')).href
)) as {
  changelogFaults: (text: string) => string[];
  releaseFaults: (text: string, version: string) => string[];
  releaseChangelog: (text: string, version: string, date: string) => string;
};

const FIRST = '# Changelog\n\nThe format.\n\n## [Unreleased]\n\nWhat 0.1.0 will hold:\n\n### Added\n\n- One thing.\n';
const LATER = releaseChangelog(FIRST, '0.1.0', '2026-01-31');
const withEntry = (kind: string): string =>
  LATER.replace('## [Unreleased]\n', `## [Unreleased]\n\n### ${kind}\n\n- Another.\n`);

describe('the changelog', () => {
  it('of this project has the form of Keep a Changelog', () => {
    expect(changelogFaults(readFileSync(join(PROJECT, 'CHANGELOG.md'), 'utf8'))).toEqual([]);
  });

  it('gets the section of a release, and an empty one above', () => {
    expect(LATER).toBe(
      '# Changelog\n\nThe format.\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-31\n\n### Added\n\n- One thing.\n',
    );
    expect(changelogFaults(LATER)).toEqual([]);
  });

  it.each([
    ['is no changelog', 'Changes\n', 'its first line'],
    ['has no unreleased section', LATER.replace('## [Unreleased]\n\n', ''), '## [Unreleased]'],
    ['has a version without a date', LATER.replace(' - 2026-01-31', ''), '"0.1.0" is not of the form'],
    ['has a kind of its own', withEntry('Improved'), '"Improved" is none of'],
    ['has a kind twice', withEntry('Fixed').replace('### Fixed', '### Fixed\n\n- x\n\n### Fixed'), 'two headings'],
  ])('is refused where it %s', (_, text, fault) => {
    expect(changelogFaults(text).join('\n')).toContain(fault);
  });

  it.each([
    ['0.1.1', []],
    ['0.2.0', []],
    ['1.0.0', []],
    ['0.1.0', ['after 0.1.0 comes 0.1.1, 0.2.0, 1.0.0, not 0.1.0']],
    ['0.3.0', ['after 0.1.0 comes 0.1.1, 0.2.0, 1.0.0, not 0.3.0']],
    ['1.0', ['1.0 is not a semantic version such as 1.2.3']],
  ])('lets follow 0.1.0 by %s: %j', (version, faults) => {
    expect(releaseFaults(withEntry('Fixed'), version)).toEqual(faults);
  });

  it('lets no release pass without entries, and no patch that removes something', () => {
    expect(releaseFaults(LATER, '0.1.1')).toEqual(['[Unreleased] has no entry']);
    expect(releaseFaults(withEntry('Removed'), '0.1.1')).toEqual(['what removes something is no patch: not 0.1.1']);
  });
});

describe('the release script', () => {
  let temp: ReturnType<typeof makeTempFolder>;
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: temp.path, encoding: 'utf8' });
  const release = (...args: string[]): { code: number | null; output: string } => {
    const script = join(PROJECT, 'scripts/release.mjs');
    const done = spawnSync(process.execPath, [script, ...args], { cwd: temp.path, encoding: 'utf8' });
    return { code: done.status, output: done.stdout + done.stderr };
  };

  beforeEach(() => {
    temp = makeTempFolder();
    const manifest = { name: 'perturbql', version: '0.0.0', publishConfig: { provenance: true } };
    writeFileSync(join(temp.path, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(temp.path, 'package-lock.json'), JSON.stringify({ ...manifest, packages: { '': manifest } }));
    writeFileSync(join(temp.path, 'CHANGELOG.md'), FIRST);
    git('init', '--quiet');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--message', 'First');
  });
  afterEach(() => temp.remove());

  it('says what it would check and what is left to people, and changes nothing', () => {
    const { code, output } = release('0.1.0', '--dry-run');
    expect(code).toBe(0);
    for (const check of ['npm test', 'npm run check:package', 'npm run check:container'])
      expect(output).toContain(`would run: ${check}\n`);
    expect(output).toMatch(/left to you: git commit .*git tag v0\.1\.0/);
    expect(output).toContain('left to you: package.json names no `repository`');
    expect(git('status', '--porcelain')).toBe('');
  });

  it('says all that is not ready', () => {
    writeFileSync(join(temp.path, 'package.json'), '{ "name": "perturbql", "private": true }');
    const { code, output } = release('0.1', '--dry-run');
    expect(code).toBe(1);
    expect(output).toContain('not ready: CHANGELOG.md: 0.1 is not a semantic version');
    expect(output).toContain('not ready: git: there are changes that are not committed');
    expect(output).toContain('not ready: package.json: it is private');
    expect(output).toContain('not ready: package.json: publishConfig.provenance is not true');
  });

  it('puts the files back where a check fails', () => {
    // The project has no script of the name that the checks call.
    const { code, output } = release('0.1.0');
    expect(code).not.toBe(0);
    expect(output).toMatch(/^not ready: npm .* failed; the files are as they were$/m);
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
  });

  it('calls nothing that publishes', () => {
    const script = readFileSync(join(PROJECT, 'scripts/release.mjs'), 'utf8');
    const called = [...script.matchAll(/\['npm', \[('[^\]]*')\]\]/g)].map(([, args]) => args);
    expect(called.length).toBeGreaterThan(4);
    expect(called.filter((args) => args?.includes('publish'))).toEqual([]);
  });
});
