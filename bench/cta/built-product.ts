import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../../src/errors.js';

/**
 * A module of the build in `dist/`, by its path there: the very code that the measured command runs, so that models,
 * index and vectors are those of the package.
 * @throws ConfigError when the project is not built.
 */
export async function importBuilt<M>(root: string, path: string): Promise<M> {
  const file = join(root, 'dist', path);
  if (!existsSync(file))
    throw new ConfigError('the project is not built', { fix: 'Run npm run build.', where: { file } });
  return (await import(pathToFileURL(file).href)) as M;
}
