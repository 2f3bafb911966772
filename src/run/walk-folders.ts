import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { firstBytes } from '../regular-file.js';

/** The text of so many bytes that a file begins with; of all where it has fewer. */
export function readHead(file: string, most: number): string {
  return firstBytes(file, most).toString('utf8');
}

/** A folder and the names in it, in code unit order. */
export interface WalkedFolder {
  readonly path: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Folders of tools: large, and never of a user's data. */
const PASSED_OVER = /^(?:\.|node_modules$)/;

/** Checks whether a folder of this name is never walked. */
export const isPassedOver = (name: string): boolean => PASSED_OVER.test(name);

export interface WalkOptions {
  /** True if a symbolic link is what it leads to; else it is neither file nor folder. */
  readonly followsLinks?: boolean;
}

/** Null of a link that leads to nothing, or in a circle. */
function followLink(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

/** Folders that were walked, so that links end. */
class WalkedPlaces {
  readonly #real = new Set<string>();

  /** Notes a folder; false where it was walked before, by whatever path, or holds a folder that was. */
  enter(path: string): boolean {
    const real = realpathSync(path);
    const below = real.endsWith(sep) ? real : `${real}${sep}`;
    if (this.#real.has(real) || [...this.#real].some((known) => known.startsWith(below))) return false;
    this.#real.add(real);
    return true;
  }
}

interface Entries {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly linkedFolders: readonly string[];
}

/** Null of a folder that may not be read. */
function readEntries(path: string, followsLinks: boolean): Entries | null {
  let entries: Dirent[];
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch {
    return null;
  }
  const targets = new Map<Dirent, Stats>();
  for (const entry of entries) {
    const target = followsLinks && entry.isSymbolicLink() ? followLink(join(path, entry.name)) : null;
    if (target !== null) targets.set(entry, target);
  }
  const named = (isWanted: (entry: Dirent) => boolean | undefined): string[] =>
    entries
      .filter((entry) => isWanted(entry) === true)
      .map(({ name }) => name)
      .sort();
  return {
    files: named((entry) => entry.isFile() || targets.get(entry)?.isFile()),
    folders: named((entry) => entry.isDirectory() && !isPassedOver(entry.name)),
    linkedFolders: named((entry) => targets.get(entry)?.isDirectory() === true && !isPassedOver(entry.name)),
  };
}

/**
 * Every folder from a root down, breadth first, but for hidden ones and those that may not be read. Nothing outside of
 * the root is looked at, unless `followsLinks`: then folders that links lead to come last, each once, and none that
 * holds one that was walked, such as the root. Below a folder for which `isLeaf` holds, none is.
 */
export function* walkFolders(
  root: string,
  isLeaf: (folder: WalkedFolder) => boolean,
  { followsLinks = false }: WalkOptions = {},
): Generator<WalkedFolder> {
  const [waiting, linked] = [[root], [] as string[]];
  const walked = new WalkedPlaces();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift() ?? linked.shift()) {
    const entries = readEntries(path, followsLinks);
    if (entries === null || (followsLinks && !walked.enter(path))) continue;
    const { files, folders, linkedFolders } = entries;
    const folder = { path, files, folders: [...folders, ...linkedFolders] };
    yield folder;
    if (isLeaf(folder)) continue;
    for (const name of folders) waiting.push(join(path, name));
    for (const name of linkedFolders) linked.push(join(path, name));
  }
}
