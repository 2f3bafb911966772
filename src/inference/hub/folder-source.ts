import { isFile } from '../../regular-file.js';
import {
  copyFileSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { DownloadError } from '../../errors.js';
import { commitFile } from '../../run/durable-file.js';
import { makeFolder } from '../../run/output-place.js';
import { checkDownload } from './download-file.js';
import type { ModelSource, SourceFile } from './model-source.js';

/** Paths of the files below a folder; of links, those to files alone. */
function* walk(folder: string, below = ''): Generator<string> {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) yield* walk(folder, path);
    // Snapshots of a hub's own cache are links to its blobs.
    else if (isFile(join(folder, path))) yield path;
  }
}

function listFiles(folder: string): readonly SourceFile[] {
  return Array.from(walk(folder), (path) => {
    const { size } = statSync(join(folder, path));
    return { path: path.split(sep).join('/'), bytes: size, sha256: null, gitBlob: null };
  });
}

/** A snapshot in the cache of the hub's own clients, whose blobs lie two folders up. */
const SNAPSHOT = /models--[^/\\]+[/\\]snapshots[/\\][^/\\]+$/;

/** A folder may come from anyone: a link in it must not bring another file of this machine into the models. */
function refuseOutside(folder: string, path: string): void {
  const own = realpathSync(folder);
  const root = SNAPSHOT.test(own) ? dirname(dirname(own)) : own;
  const real = realpathSync(join(folder, path));
  if (real.startsWith(root + sep)) return;
  throw new DownloadError(`this is a link out of the model's folder, to ${real}`, {
    where: { file: join(folder, path) },
    fix: 'Where it is meant, put the file itself in the place of the link.',
  });
}

/** Copies a file and checks what was copied. */
async function copyChecked(from: string, file: SourceFile, target: string): Promise<void> {
  makeFolder(dirname(target));
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
      refuseOutside(folder, file.path);
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
