import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.js';

/** Where the content of a folder is until it is whole. */
const UNFINISHED = '.unfinished';

/** Checks whether nothing is in a folder but what a process left that was killed while it filled the folder. */
export function isFreeFolder(folder: string): boolean {
  if (!existsSync(folder)) return true;
  const names = readdirSync(folder);
  return names.length === 0 || names.includes(UNFINISHED);
}

/**
 * A new or free folder that is filled by one command: what is written below `path` comes to its place when it is whole,
 * so that the same command can be given again after a crash.
 */
export class UnfinishedFolder {
  readonly #folder: string;
  readonly #isNew: boolean;
  /** Where to write. */
  readonly path: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#isNew = !existsSync(folder);
    this.path = join(folder, UNFINISHED);
    rmSync(this.path, { recursive: true, force: true });
    makeFolder(this.path);
  }

  /** Gives everything its place; what a killed process had brought there already is replaced. */
  finish(): void {
    for (const name of readdirSync(this.path)) {
      const place = join(this.#folder, name);
      rmSync(place, { recursive: true, force: true });
      renameSync(join(this.path, name), place);
    }
    rmdirSync(this.path);
  }

  /** Removes what was written, and the folder where it is new. */
  abandon(): void {
    rmSync(this.#isNew ? this.#folder : this.path, { recursive: true, force: true });
  }
}
