import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

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
