import { copyFileSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { DownloadError } from '../../errors.js';
import { commitFile } from '../../run/durable-file.js';
import { checkDownload } from './check-download.js';
import type { ModelSource, SourceFile } from './model-source.js';

function listFiles(folder: string): readonly SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    // Snapshots of a hub's own cache are links to its blobs.
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stats?.isFile() !== true) return [];
    return [{ path: name.split(sep).join('/'), bytes: stats.size, sha256: null, gitBlob: null }];
  });
}

/** Copies a file and checks what was copied. */
async function copyChecked(from: string, file: SourceFile, target: string): Promise<void> {
  mkdirSync(dirname(target), { recursive: true });
  const temporary = `${target}.partial`;
  copyFileSync(from, temporary, constants.COPYFILE_FICLONE);
  try {
    await checkDownload(temporary, file, from);
    commitFile(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** The files of a folder in a hub's layout. */
export function openFolder(folder: string): ModelSource {
  return {
    described: resolve(folder),
    argument: resolve(folder),
    revision: null,
    license: null,
    files: listFiles(folder),
    fetch: async (file, target, onBytes) => {
      await copyChecked(join(folder, file.path), file, target);
      onBytes(statSync(target).size);
    },
  };
}

/**
 * A snapshot of the model in the cache of the hub's own clients (`models--owner--name`).
 * @throws DownloadError when that cache does not have it.
 */
export function openHubCache(hubCache: string, id: string, revision: string): ModelSource {
  const folder = join(hubCache, `models--${id.replaceAll('/', '--')}`);
  const ref = join(folder, 'refs', revision);
  const commit = existsSync(ref) ? readFileSync(ref, 'utf8').trim() : revision;
  const snapshot = join(folder, 'snapshots', commit);
  if (!existsSync(snapshot)) {
    throw new DownloadError(`${id}@${revision} is not there, and perturbql is told to stay offline`, {
      where: { file: folder },
      fix: 'Pull it with a network (without --offline and HF_HUB_OFFLINE), or name a folder that holds it.',
    });
  }
  const source = openFolder(snapshot);
  return {
    ...source,
    described: `${id} at commit ${commit}, from ${snapshot}`,
    argument: `${id}@${commit}`,
    revision: commit,
  };
}
