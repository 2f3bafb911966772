import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package: the nearest one above this module with a package.json, wherever the module was built to. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

let root: string | null = null;

/** Path of a file or folder that ships with the package, from its path below the package's root: "models/parser". */
export function packagePath(path: string): string {
  return join((root ??= packageRoot()), path);
}
