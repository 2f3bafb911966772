import { homedir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../errors.js';

const CACHE_FIX = 'Set HOME, or set PERTURBQL_CACHE to a folder for caches and models.';

/**
 * The user's home folder; `fix` says how to do without.
 * @throws ConfigError where the system knows none: a container's user id without a name, and no HOME.
 */
export function homeFolder(fix: string): string {
  try {
    return homedir();
  } catch {
    // The system's own error says no more than that.
    throw new ConfigError('the system knows no home folder of this user', { fix });
  }
}

/**
 * The platform's cache folder for perturbql; `PERTURBQL_CACHE` overrides it.
 * @throws ConfigError where the system knows no home folder.
 */
export function defaultCacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { PERTURBQL_CACHE: own, XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = environment;
  if (own !== undefined && own !== '') return own;
  if (process.platform === 'win32' && local !== undefined) return join(local, 'perturbql', 'cache');
  if (process.platform === 'darwin') return join(homeFolder(CACHE_FIX), 'Library', 'Caches', 'perturbql');
  return join(xdg !== undefined && xdg !== '' ? xdg : join(homeFolder(CACHE_FIX), '.cache'), 'perturbql');
}
