import { homedir } from 'node:os';
import { join } from 'node:path';

/** The platform's cache folder for perturbql; `PERTURBQL_CACHE` overrides it. */
export function defaultCacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { PERTURBQL_CACHE: own, XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = environment;
  if (own !== undefined && own !== '') return own;
  if (process.platform === 'win32' && local !== undefined) return join(local, 'perturbql', 'cache');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'perturbql');
  return join(xdg !== undefined && xdg !== '' ? xdg : join(homedir(), '.cache'), 'perturbql');
}
