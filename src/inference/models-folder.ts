import { join } from 'node:path';
import { defaultCacheFolder } from '../run/cache-folder.js';

/** Names of models: that of a hub, `name` or `owner/name`. */
export const MODEL_NAME = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)?$/;

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

/** Folder of a pulled model, whether or not it is there; null for what is no model's name. */
export function pulledModelFolder(name: string, models = modelsFolder()): string | null {
  return MODEL_NAME.test(name) ? join(models, folderNameOf(name)) : null;
}
