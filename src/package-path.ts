import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InternalError } from './errors.js';

/** The folder of this package: the nearest one above this module with a package.json, wherever the module was built to. */
function packageRoot(): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new InternalError(`there is no package.json above ${start}`);
  }
}

let root: string | null = null;

/** Path of a file or folder that ships with the package, from its path below the package's root: "models/parser". */
export function packagePath(path: string): string {
  return join((root ??= packageRoot()), path);
}
