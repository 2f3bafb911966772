import { dirname } from 'node:path';
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
