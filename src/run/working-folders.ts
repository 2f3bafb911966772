import { existsSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { makeFolder } from './output-place.js';

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

/** Works with a folder that is gone afterwards, outside of any run. @throws what the work throws */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Folder for files that a run needs only while it works, perhaps before it has a manifest. */
export const SCRATCH = '.scratch';

/**
 * Folder within a run for files that go when it is over. Each process has its own: one that is refused the run must not
 * touch what the one at work reads.
 */
export function scratchFolder(out: string): string {
  return join(out, SCRATCH, String(process.pid));
}

/** Removes what killed processes left; only for the one that holds the run. */
export function clearScratch(out: string): void {
  const folder = join(out, SCRATCH);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name !== String(process.pid)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Removes this process's part, and the folder when it was the last. */
export function leaveScratch(out: string): void {
  rmSync(scratchFolder(out), { recursive: true, force: true });
  try {
    rmdirSync(join(out, SCRATCH));
  } catch {
    // Another process is in it, or it was never made.
  }
}
