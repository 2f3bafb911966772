import { closeSync, constants, copyFileSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './output-place.js';

function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Gives a finished temporary file its name so that it survives a crash: fsync, rename, fsync of the folder. */
export function commitFile(temporary: string, file: string): void {
  syncPath(temporary);
  renameSync(temporary, file);
  // Windows has no handle on a folder to flush.
  if (process.platform !== 'win32') syncPath(dirname(file));
}

/** Who may read and write a new file where nothing else is asked; the process's mask takes from it. */
const USUAL_MODE = 0o666;

/** Makes a file so that after a crash there is the old one or the whole new one; creates its folder where missing. */
function makeDurably(file: string, make: (temporary: string) => void): void {
  makeFolder(dirname(file));
  const temporary = `${file}.tmp`;
  try {
    make(temporary);
    commitFile(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Writes a file so that after a crash there is the old one or the whole new one; creates its folder where missing. */
export function writeDurably(file: string, chunks: string | Iterable<string | Uint8Array>, mode = USUAL_MODE): void {
  makeDurably(file, (temporary) => writeWhole(temporary, chunks, mode));
}

/** Copies a file so that there is the whole copy or none; creates its folder where missing. */
export function copyDurably(from: string, file: string): void {
  makeDurably(file, (temporary) => copyFileSync(from, temporary, constants.COPYFILE_FICLONE));
}

/** Writes all bytes to an open file: a disk that is nearly full takes part of them, and the rest then says why. */
export function writeBytes(handle: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(handle, bytes, written);
}

function writeWhole(file: string, chunks: string | Iterable<string | Uint8Array>, mode: number): void {
  const handle = openSync(file, 'w', mode);
  try {
    for (const chunk of typeof chunks === 'string' ? [chunks] : chunks) {
      writeBytes(handle, typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    }
  } finally {
    closeSync(handle);
  }
}
