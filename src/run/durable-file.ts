import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Flushes a folder's entries, so that a rename in it survives a crash; a no-op where the platform can't. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Writes a file so that it is whole or absent whatever happens: temporary file, fsync, rename, fsync of the folder. */
export function writeDurably(file: string, chunks: string | Iterable<string>): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  const temporary = `${file}.tmp`;
  const handle = openSync(temporary, 'w');
  try {
    for (const chunk of typeof chunks === 'string' ? [chunks] : chunks) writeSync(handle, chunk);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
  syncFolder(folder);
}
