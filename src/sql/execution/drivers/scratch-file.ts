import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const kept = new Set<ScratchFile>();

function removeKept(): void {
  for (const file of kept) file.remove();
}

/** A file for a database that better-sqlite3 would hold in memory; it goes with `remove`, at the latest with the process. */
export class ScratchFile {
  readonly path: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'perturbql-sqlite-'));

  constructor(bytes: Uint8Array | null) {
    this.path = join(this.#folder, 'scratch.sqlite');
    if (bytes !== null) writeFileSync(this.path, bytes);
    if (kept.size === 0 && !process.listeners('exit').includes(removeKept)) process.on('exit', removeKept);
    kept.add(this);
  }

  remove(): void {
    kept.delete(this);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
