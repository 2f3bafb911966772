import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigError } from '../errors.js';
import { isFolder } from '../regular-file.js';

/**
 * Checks, before any work, that a file named by an option can be written: it goes into a folder that is there. Folders
 * are only made where an option names a folder.
 * @throws ConfigError naming the option
 */
export function checkWrittenFile(flag: string, file: string): void {
  if (isFolder(file)) {
    throw new ConfigError(`option --${flag}: ${file} is a folder`, { fix: 'Name a file.' });
  }
  const folder = dirname(file);
  if (isFolder(folder)) return;
  throw new ConfigError(`option --${flag}: there is no folder ${folder}`, {
    fix: 'Make it first, or name a file in an existing folder.',
  });
}

/**
 * Makes a folder, and those above it that are missing, one by one: in Node 20, `mkdirSync` with `recursive` never returns
 * where the folder above takes none, such as /proc.
 * @throws ConfigError there, and else what `mkdirSync` throws
 */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (cause) {
    // There is one, perhaps since a moment ago; of the root of a disk not every system says so.
    if (isFolder(folder)) return;
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new ConfigError('no folder can be made here', { where: { file: folder }, cause, fix: 'Name another place.' });
  }
}
