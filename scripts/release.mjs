// Prepares a release, and stops before its last step: node scripts/release.mjs VERSION [--dry-run]
// Writes the version and the changelog, runs every check on them, and packs. It commits, tags and publishes nothing: it
// says what is left to people. Where a check fails, the files are as they were. --dry-run only says what is wrong, and
// what would be done.
import { createHash } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { releaseChangelog, releaseFaults } from './changelog.mjs';
import { pack } from './packed-package.mjs';

const FILES = ['package.json', 'package-lock.json', 'CHANGELOG.md'];
/** From the quickest: each must end with 0. */
const CHECKS = [
  ['npm', ['ci']],
  ['npm', ['run', 'notices', '--', '--check']],
  ['npm', ['run', 'docs:figures', '--', '--check']],
  ['npm', ['test']],
  ['npm', ['run', 'check:package']],
  ['npm', ['run', 'check:container']],
];
const OUT = 'release';

const [version = '', ...flags] = process.argv.slice(2);
const read = (file) => readFileSync(file, 'utf8');

/** Why nothing can be released from here, in sentences. */
function faultsOf(manifest) {
  const faults = releaseFaults(read('CHANGELOG.md'), version).map((fault) => `CHANGELOG.md: ${fault}`);
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  if (git('status', '--porcelain') !== '') faults.push('git: there are changes that are not committed');
  if (git('tag', '--list', `v${version}`) !== '') faults.push(`git: the tag v${version} is there already`);
  if (manifest.private !== undefined) faults.push('package.json: it is private');
  if (manifest.publishConfig?.provenance !== true) faults.push('package.json: publishConfig.provenance is not true');
  return faults;
}

function writeVersion() {
  const [manifest, lock] = ['package.json', 'package-lock.json'].map((file) => JSON.parse(read(file)));
  lock.version = lock.packages[''].version = manifest.version = version;
  writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
  writeFileSync('CHANGELOG.md', releaseChangelog(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10)));
}

/** Writes the version, checks, and packs; null where a check fails, and the files are then as they were. */
function prepare() {
  const before = FILES.map((file) => [file, read(file)]);
  writeVersion();
  for (const [program, args] of CHECKS) {
    console.log(`\n> ${[program, ...args].join(' ')}`);
    if (spawnSync(program, args, { stdio: 'inherit' }).status === 0) continue;
    for (const [file, text] of before) writeFileSync(file, text);
    console.error(`not ready: ${[program, ...args].join(' ')} failed; the files are as they were`);
    return null;
  }
  mkdirSync(OUT, { recursive: true });
  return pack(join(process.cwd(), OUT));
}

/** What people decide and do. */
function leftToDo(manifest, tarball) {
  const repository = manifest.repository?.url ?? manifest.repository;
  return [
    ...(repository === undefined
      ? ['package.json names no `repository`, which provenance asks for: add where the code is published']
      : []),
    `git commit --all --message "Release ${version}" && git tag v${version}`,
    `npm publish --provenance ${tarball}, from a CI job that may ask for an identity token`,
  ];
}

const manifest = JSON.parse(read('package.json'));
const faults = faultsOf(manifest);
for (const fault of faults) console.error(`not ready: ${fault}`);
if (faults.length > 0) process.exitCode = 1;
else if (flags.includes('--dry-run')) {
  for (const [program, args] of CHECKS) console.log(`would run: ${[program, ...args].join(' ')}`);
  for (const line of leftToDo(manifest, `${OUT}/perturbql-${version}.tgz`)) console.log(`left to you: ${line}`);
} else {
  const packed = prepare();
  if (packed === null) process.exitCode = 1;
  else {
    const hash = createHash('sha256').update(readFileSync(packed.tarball)).digest('hex');
    console.log(`\n${packed.tarball}\nsha256 ${hash}\nNothing is published. What is left:`);
    for (const line of leftToDo(manifest, packed.tarball)) console.log(`  ${line}`);
  }
}
