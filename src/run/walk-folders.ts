import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A folder and the names in it, in code unit order. */
export interface WalkedFolder {
  readonly path: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Folders of tools: large, and never of a user's data. */
const PASSED_OVER = /^(?:\.|node_modules$)/;

function namesOf(entries: readonly Dirent[], isWanted: (entry: Dirent) => boolean): string[] {
  return entries
    .filter(isWanted)
    .map(({ name }) => name)
    .sort();
}

/**
 * Every folder from a root down, breadth first, but for hidden ones and those that may not be read. A symbolic link is
 * neither file nor folder, so nothing outside of the root is looked at. Below a folder for which `isLeaf` holds, none is.
 */
export function* walkFolders(root: string, isLeaf: (folder: WalkedFolder) => boolean): Generator<WalkedFolder> {
  const waiting = [root];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    let entries: Dirent[];
    try {
      entries = readdirSync(path, { withFileTypes: true });
    } catch {
      continue;
    }
    const folders = namesOf(entries, (entry) => entry.isDirectory() && !PASSED_OVER.test(entry.name));
    const folder = { path, files: namesOf(entries, (entry) => entry.isFile()), folders };
    yield folder;
    if (isLeaf(folder)) continue;
    for (const name of folders) waiting.push(join(path, name));
  }
}
