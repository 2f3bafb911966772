import { closeSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { InputFormatError } from './errors.js';

/** Returns the entry at a path, or null for none; throws the system's error if it can't tell, as for circular links. */
function entryAt(path: string): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Whether a folder is at a path. */
export function isFolder(path: string): boolean {
  return entryAt(path)?.isDirectory() ?? false;
}

/** Whether a file is at a path. */
export function isFile(path: string): boolean {
  return entryAt(path)?.isFile() ?? false;
}

/** The file of this name in a folder; what is no folder is the file itself. */
export function fileWithin(path: string, name: string): string {
  return isFolder(path) ? join(path, name) : path;
}

/** The first folder on the way to a path that is not there; null where all are. */
export function absentFolder(path: string): string | null {
  const folder = dirname(path);
  if (folder === path || isFolder(folder)) return null;
  return absentFolder(folder) ?? folder;
}

/** Returns the error for a file that can't be read: it names a missing folder on the way to it, if there is one. */
export function unreadableFile(file: string, cause: unknown): InputFormatError {
  const folder = absentFolder(file);
  if (folder === null) {
    return new InputFormatError('the file can’t be read', { where: { file }, cause, fix: 'Check the path.' });
  }
  return new InputFormatError(`there is no folder ${folder}`, {
    where: { file },
    fix: 'Check the path of the folder.',
  });
}

/** The bytes that a file begins with, so many at most. @throws the system's error where it can't be read */
export function firstBytes(file: string, most: number): Buffer {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(most);
    return bytes.subarray(0, readSync(handle, bytes, 0, most, 0));
  } finally {
    closeSync(handle);
  }
}

const FIX = 'Name a file; what comes through a pipe, save to a file first.';

/** Pipes that somebody writes to, as the shell's `<(…)` gives them: they can be read once. */
const OPEN_PIPE = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/**
 * Checks that a file is neither folder, pipe nor device: opening a pipe waits for someone who writes to it, and reading
 * a device may never end.
 * @throws InputFormatError where it is one; the system's error where it is not there
 */
export function requireRegularFile(file: string): void {
  if (statSync(file).isFile()) return;
  throw new InputFormatError('this is no regular file, but a folder, pipe or device', { where: { file }, fix: FIX });
}

/** As `requireRegularFile`, for a file that is read once, from its beginning: pipes that the shell opened will do. */
export function requireReadableOnce(file: string): void {
  if (!OPEN_PIPE.test(file)) requireRegularFile(file);
}
