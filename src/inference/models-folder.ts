import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { defaultCacheFolder } from '../run/cache-folder.js';

/** Names of models: that of a hub, `name` or `owner/name`; so short that the folder of any can be made. */
export const MODEL_NAME = /^(?=.{1,100}$)[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)?$/;

/**
 * Where pulled models lie: below `PERTURBQL_CACHE`, else below `HF_HOME` where that is set, since it says on which disk
 * models belong, else in the platform's cache folder.
 */
export function modelsFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { PERTURBQL_CACHE: own = '', HF_HOME: hub = '' } = environment;
  if (own === '' && hub !== '') return join(hub, 'perturbql', 'models');
  return join(defaultCacheFolder(environment), 'models');
}

/** A model's name as the name of a folder. */
export function folderNameOf(name: string): string {
  return name.replaceAll('/', '--');
}

/** The model's name that a folder was named after; no hub has a name with two dashes in a row. */
export function nameOfFolder(folderName: string): string {
  return folderName.replace('--', '/');
}

/** Checks whether a folder is that of a pulled model. */
export function isPulledFolder(folder: string): boolean {
  return dirname(resolve(folder)) === resolve(modelsFolder());
}

/** Folder of the pulled model of a name, whatever it holds; null where none was pulled under it. */
export function findPulledFolder(name: string): string | null {
  const folder = join(modelsFolder(), folderNameOf(name));
  return MODEL_NAME.test(name) && existsSync(folder) ? folder : null;
}

/**
 * Resolves a setting that holds a name or a path to an absolute path that need not be there. A pulled model goes
 * before a folder of its name: who pulled `./judge` as `judge` still has `./judge` next to it. `./judge` is the path.
 */
export function resolveModel(nameOrPath: string): string {
  return findPulledFolder(nameOrPath) ?? resolve(nameOrPath);
}
