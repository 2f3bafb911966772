import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Locks that this process holds: its own id in a file says only that some process of that id held it once. */
const held = new Set<string>();

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function holderOf(file: string): number | null {
  const pid = Number(readFileSync(file, 'utf8'));
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (pid === process.pid) return held.has(file) ? pid : null;
  return isAlive(pid) ? pid : null;
}

/** Links a file that already holds the id: nobody ever reads a lock that is still empty. */
function tryTake(file: string): boolean {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    return createExclusively(file);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Where the file system has no hard links. */
function createExclusively(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Takes a lock file for this process, over a dead one's where there is one.
 * Returns null, or the id of the living process that holds it.
 */
export function takeLock(file: string): number | null {
  while (!tryTake(file)) {
    try {
      const holder = holderOf(file);
      if (holder !== null) return holder;
      // Renamed first: of two that find the same dead lock, one alone can remove it.
      const stale = `${file}.stale.${process.pid}`;
      renameSync(file, stale);
      rmSync(stale, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  held.add(file);
  return null;
}

/** Gives a lock back that `takeLock` took. */
export function releaseLock(file: string): void {
  held.delete(file);
  rmSync(file, { force: true });
}
