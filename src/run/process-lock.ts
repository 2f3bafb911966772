import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

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

/** What is read or done where a file is; null where it is gone, as another process may have removed it. */
function unlessGone<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

/** The id of the living process that holds a lock, this one's too; null where none does. */
export function lockHolder(file: string): number | null {
  return unlessGone(() => holderOf(file));
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
 * Removes a lock that nobody alive holds; returns the living process that holds it or is about to, else null. One
 * process at a time looks and removes, under a lock of its own: of two that saw the same dead lock, the slower one would
 * remove the lock that the faster one has taken by then.
 */
function removeStale(file: string): number | null {
  const takeover = `${file}.takeover`;
  const other = takeLock(takeover);
  if (other !== null) return other;
  try {
    const holder = lockHolder(file);
    if (holder === null) rmSync(file, { force: true });
    return holder;
  } finally {
    releaseLock(takeover);
  }
}

/** Removes what processes left next to a lock that were killed while they took it. The lock is held. */
function sweep(file: string): void {
  const [folder, name] = [dirname(file), basename(file)];
  for (const other of readdirSync(folder)) {
    if (!other.startsWith(`${name}.`) || !/^(?:\.takeover)*(?:\.\d+)?$/.test(other.slice(name.length))) continue;
    const path = join(folder, other);
    if (lockHolder(path) === null) rmSync(path, { force: true });
  }
}

/** Locks go with their process, however it ends, unless it is killed. */
function releaseAll(): void {
  for (const file of [...held]) releaseLock(file);
}

/**
 * Takes a lock file for this process, over a dead one's where there is one.
 * Returns null, or the id of the living process that holds it.
 */
export function takeLock(file: string): number | null {
  while (!tryTake(file)) {
    const holder = unlessGone(() => holderOf(file) ?? removeStale(file));
    if (holder !== null) return holder;
  }
  if (held.size === 0) process.once('exit', releaseAll);
  held.add(file);
  sweep(file);
  return null;
}

/** Gives a lock back that `takeLock` took; one that another process has taken since stays. */
export function releaseLock(file: string): void {
  if (!held.delete(file)) return;
  if (held.size === 0) process.off('exit', releaseAll);
  const holder = unlessGone(() => readFileSync(file, 'utf8'));
  if (holder === String(process.pid)) rmSync(file, { force: true });
}
