import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, RunFolderError } from '../errors.js';
import { makeFolder } from '../run/make-folder.js';
import { releaseLock, takeLock } from '../run/process-lock.js';
import { INDEX_FILES, INDEX_KIND } from './index-manifest.js';
import { isOfShards } from './index-shard.js';

const LOCK = 'build.lock';
/** Vectors computed so far by an unfinished build. */
export const JOURNAL = 'vectors.journal';

/** Entries permitted in the folder of a first build: an unfinished build, the corpus, and papers about it. */
const EXPECTED = new Set<string>([JOURNAL, 'corpus', 'README.md', 'LICENSE', 'LICENSE.md']);
const OWN_FILES = new Set<string>(Object.values(INDEX_FILES));

function isExpected(name: string): boolean {
  return (
    EXPECTED.has(name) ||
    name === LOCK ||
    name.startsWith(`${LOCK}.`) ||
    name.startsWith('.') ||
    isOfShards(name) ||
    (name.endsWith('.tmp') && OWN_FILES.has(name.slice(0, -4)))
  );
}

async function holdsIndex(folder: string): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, INDEX_FILES.manifest), 'utf8')) as unknown;
    return typeof manifest === 'object' && manifest !== null && 'kind' in manifest && manifest.kind === INDEX_KIND;
  } catch {
    return false;
  }
}

/** True where a build was killed after it had begun to put its files in place. */
function isUnfinished(names: readonly string[]): boolean {
  return names.includes(JOURNAL) && names.every((name) => isExpected(name) || OWN_FILES.has(name));
}

async function refuseOtherContent(folder: string): Promise<void> {
  const names = await readdir(folder);
  const other = names.find((name) => !isExpected(name));
  if (other === undefined || isUnfinished(names) || (await holdsIndex(folder))) return;
  throw new ConfigError(`the folder holds something else than an index: ${other}`, {
    fix: 'Name an empty or new folder for the index.',
    where: { file: folder },
  });
}

function lock(folder: string): void {
  const path = join(folder, LOCK);
  const owner = takeLock(path);
  if (owner === null) return;
  throw new RunFolderError(`process ${owner} is building an index there`, {
    fix: `Wait for it, or name another folder. If no such build runs, delete ${path}.`,
    where: { file: folder },
  });
}

/**
 * Makes a folder ready for a build and keeps others out until `release` is called; the lock of a dead process is
 * taken over.
 * @throws ConfigError when the folder holds anything but an index, an unfinished one, or a `corpus` folder.
 * @throws RunFolderError when another process builds there.
 */
export async function claimIndexFolder(folder: string): Promise<{ release(): void }> {
  makeFolder(folder);
  await refuseOtherContent(folder);
  lock(folder);
  return { release: () => releaseLock(join(folder, LOCK)) };
}
